//! Runs a program for an extension: without a shell, without input, with everything it prints.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::runtime::lock;

/// What a program gets to end by itself.
const KILL_GRACE: Duration = Duration::from_secs(5);
/// How long the rest of the output is waited for when the program has ended but others hold its pipes.
const PIPE_GRACE: Duration = Duration::from_millis(100);

/// How a program is run.
#[derive(Debug, Clone, Default)]
pub struct ExecOptions {
    /// Directory; relative paths count from the session's. By default the session's.
    pub cwd: Option<PathBuf>,
    /// Ends the program after this time.
    pub timeout: Option<Duration>,
    /// Ends the program when this fires.
    pub cancel: Option<CancellationToken>,
}

/// What became of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecResult {
    /// Standard output; what is not UTF-8 is replaced.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code: 1 when the program could not be started, 0 when it died by the signal that ended it.
    pub code: i32,
    /// Whether it was ended by time-out or cancellation.
    pub killed: bool,
}

/// Runs a program. Never fails: a program that cannot be started has exit code 1.
pub(super) async fn exec(program: &str, arguments: &[&str], cwd: &Path, options: ExecOptions) -> ExecResult {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(cwd).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.kill_on_drop(true).spawn() else {
        return ExecResult { code: 1, ..ExecResult::default() };
    };
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let mut killed = false;
    let status = tokio::select! {
        status = child.wait() => status,
        () = ended(&options) => {
            killed = true;
            end(&mut child).await
        }
    };
    ExecResult {
        stdout: finish(stdout).await,
        stderr: finish(stderr).await,
        code: status.map_or(1, |status| exit_code(status, killed)),
        killed,
    }
}

async fn ended(options: &ExecOptions) {
    let time_is_up = async {
        match options.timeout {
            Some(limit) => tokio::time::sleep(limit).await,
            None => std::future::pending().await,
        }
    };
    let cancelled = async {
        match &options.cancel {
            Some(cancel) => cancel.cancelled().await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = time_is_up => {}
        () = cancelled => {}
    }
}

/// Asks the program to end, and kills it when it does not.
async fn end(child: &mut Child) -> std::io::Result<ExitStatus> {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // It may just have ended.
        let _ = kill_process(pid, Signal::TERM);
    }
    if let Ok(status) = tokio::time::timeout(KILL_GRACE, child.wait()).await {
        return status;
    }
    child.kill().await?;
    child.wait().await
}

fn exit_code(status: ExitStatus, killed: bool) -> i32 {
    status.code().unwrap_or(if killed { 0 } else { 1 })
}

/// What a pipe brought, shared with whoever stops waiting for its end.
type Collected = Arc<Mutex<Vec<u8>>>;

fn read(pipe: Option<impl AsyncRead + Unpin + Send + 'static>) -> (Collected, Option<JoinHandle<()>>) {
    let collected = Collected::default();
    let Some(mut pipe) = pipe else { return (collected, None) };
    let into = Collected::clone(&collected);
    let task = tokio::spawn(async move {
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(length @ 1..) = pipe.read(&mut buffer).await {
            lock(&into).extend_from_slice(&buffer[..length]);
        }
    });
    (collected, Some(task))
}

/// All that was printed. Somebody whom the program has left behind may hold the pipe: that is not waited for.
async fn finish((collected, task): (Collected, Option<JoinHandle<()>>)) -> String {
    let length = || lock(&collected).len();
    if let Some(mut task) = task {
        let mut before = length();
        while tokio::time::timeout(PIPE_GRACE, &mut task).await.is_err() {
            let now = length();
            if now == before {
                task.abort();
                break;
            }
            before = now;
        }
    }
    String::from_utf8_lossy(&lock(&collected)).into_owned()
}
