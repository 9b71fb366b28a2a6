//! The program behind a client: started, written to, read from, waited for.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::events::RpcEvent;
use super::shared::{Shared, SharedState};
use super::{RpcClient, RpcClientError, RpcClientOptions};

/// Commands that may wait to be written.
const BACKLOG: usize = 16;
/// What the program said is read to its end, unless somebody else holds its streams open for longer than this.
const AFTER_THE_END: Duration = Duration::from_secs(5);

/// Starts the program and what attends to it.
pub(super) fn start(options: RpcClientOptions) -> Result<RpcClient, RpcClientError> {
    let program = options.program.clone();
    let mut child =
        command(options).spawn().map_err(|source| RpcClientError::Start { program: program.clone(), source })?;
    let (sender, lines) = mpsc::channel(BACKLOG);
    let (shared, kill) = (Arc::new(Shared::new(program)), CancellationToken::new());
    let mut tasks = JoinSet::new();
    if let Some(stdin) = child.stdin.take() {
        tasks.spawn(write(stdin, lines));
    }
    tasks.spawn(attend(child, Arc::clone(&shared), sender.downgrade(), kill.clone()));
    Ok(RpcClient { connection: Connection::new(shared, sender), kill, _tasks: tasks })
}

fn command(options: RpcClientOptions) -> Command {
    let mut command = Command::new(options.program);
    command.args(["--mode", "rpc"]).args(options.args).kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if options.clear_env {
        command.env_clear();
    }
    command.envs(options.env);
    if let Some(cwd) = options.cwd {
        command.current_dir(cwd);
    }
    command
}

/// Writes whole lines. Ends, and with it the program's input, when nobody sends any more.
async fn write(mut stdin: ChildStdin, mut lines: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        if stdin.write_all(&line).await.is_err() {
            // The program does not read any more; how it ended is what callers are told.
            return;
        }
    }
}

/// Reads what the program says until it has ended.
async fn attend(mut child: Child, shared: SharedState, input: mpsc::WeakSender<Vec<u8>>, kill: CancellationToken) {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let read = async {
        if let (Some(stdout), Some(stderr)) = (stdout, stderr) {
            // What cannot be read any more does not matter: how the program ended does.
            let (_, ()) = tokio::join!(read_complaints(stderr, &shared), read_lines(stdout, &shared, &input));
        }
    };
    let mut read = std::pin::pin!(read);
    let ended = wait(&mut child, &kill);
    let mut ended = std::pin::pin!(ended);
    let status = tokio::select! {
        status = &mut ended => {
            // What it said last is worth a moment.
            let _ = tokio::time::timeout(AFTER_THE_END, read).await;
            status
        }
        () = &mut read => ended.await,
    };
    shared.close(status);
}

async fn wait(child: &mut Child, kill: &CancellationToken) -> Option<ExitStatus> {
    tokio::select! {
        status = child.wait() => status.ok(),
        () = kill.cancelled() => {
            // Fails when it has ended, which is as good.
            let _ = child.start_kill();
            child.wait().await.ok()
        }
    }
}

async fn read_lines(stdout: impl AsyncRead + Unpin, shared: &Shared, input: &mpsc::WeakSender<Vec<u8>>) {
    let mut stdout = BufReader::with_capacity(1 << 16, stdout);
    let mut line = Vec::new();
    // A reading error is an end, too.
    while stdout.read_until(b'\n', &mut line).await.is_ok_and(|count| count > 0) {
        match serde_json::from_slice::<Map<String, Value>>(&line) {
            Ok(object) => {
                shared.deliver(object, line.len(), |value| RpcEvent::new(value, input.clone())).await;
            }
            Err(error) => tracing::warn!(%error, "a line of the program's output is no JSON object"),
        }
        line.clear();
    }
}

async fn read_complaints(mut stderr: impl AsyncRead + Unpin, shared: &Shared) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 12];
    loop {
        match stderr.read(&mut buffer).await? {
            0 => return Ok(()),
            count => shared.add_stderr(&buffer[..count]),
        }
    }
}
