//! One shell over there, from its start to its end. Dropping it ends it.

use std::collections::VecDeque;
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::frames::{Frame, FrameBuffer};
use super::script::Script;
use super::shell::{BOOTSTRAP, RemoteShell, ShellCommand};
use crate::tools::operations::OperationError;

/// Largest piece read at once.
const CHUNK_BYTES: usize = 64 * 1024;
/// How much of standard error is kept, for the message when something goes wrong.
const MAX_SAID: usize = 8 * 1024;
/// How long an ended shell's last words may take.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A shell that runs a script.
#[derive(Debug)]
pub(super) struct Session {
    shell: Arc<dyn RemoteShell>,
    /// Before the child: its number is its own only as long as nobody has waited for it.
    group: LocalGroup,
    /// Held: dropping it ends the local side, and lets the runtime wait for it.
    #[cfg_attr(not(feature = "ssh"), allow(dead_code, reason = "only shared connections ask how it is"))]
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    said: Option<JoinHandle<String>>,
    /// Marks where the script's own part of standard error begins.
    number: String,
    frames: FrameBuffer,
    ready: VecDeque<Frame>,
    /// Last, so that it is given back when the rest is gone.
    _lease: Lease,
}

/// What is held until the session is over.
struct Lease(#[allow(dead_code, reason = "held, not used")] Option<Box<dyn std::any::Any + Send + Sync>>);

impl std::fmt::Debug for Lease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Lease")
    }
}

impl Session {
    /// Starts a script and waits until it runs.
    pub(super) async fn start(shell: &Arc<dyn RemoteShell>, script: Script) -> Result<Self, OperationError> {
        let start = async {
            let command = shell.command(BOOTSTRAP).await?;
            Self::run(shell.clone(), command, script).await
        };
        let patience = shell.patience();
        match timeout(patience, start).await {
            Ok(session) => session,
            Err(_) => Err(OperationError::new(format!(
                "No answer from {} within {} seconds. Check that it is up and can be reached.",
                shell.name(),
                patience.as_secs()
            ))),
        }
    }

    /// Starts a script through a command and waits until it runs.
    pub(super) async fn run(
        shell: Arc<dyn RemoteShell>,
        command: ShellCommand,
        script: Script,
    ) -> Result<Self, OperationError> {
        let mut session = Self::spawn(shell, command, script.number.clone())?;
        // A shell that is gone says why on another stream.
        session.send(&script.into_bytes()).await;
        match session.record().await {
            Some(record) if record == "start" => Ok(session),
            _ => Err(session.lost().await),
        }
    }

    fn spawn(shell: Arc<dyn RemoteShell>, command: ShellCommand, number: String) -> Result<Self, OperationError> {
        let ShellCommand { mut command, lease } = command;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        // A Ctrl-C in the terminal is for this program, which then ends its sessions as it thinks fit.
        command.process_group(0);
        let mut child = command.spawn().map_err(|e| cannot_start(&*shell, &command, &e))?;
        let pid = child.id().and_then(|id| Pid::from_raw(id as i32));
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(pid), (Some(input), Some(output), Some(errors))) = (pid, streams) else {
            return Err(OperationError::new(format!("The connection to {} ended at once.", shell.name())));
        };
        let said = Some(tokio::spawn(listen(errors)));
        let (group, input) = (LocalGroup(Some(pid)), Some(input));
        let frames = FrameBuffer::new(&number);
        Ok(Self {
            shell,
            child,
            group,
            input,
            output,
            said,
            number,
            frames,
            ready: VecDeque::new(),
            _lease: Lease(lease),
        })
    }

    /// Sends bytes to the script. That nobody takes them is no error here: the script says why.
    pub(super) async fn send(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input
            && (input.write_all(bytes).await.is_err() || input.flush().await.is_err())
        {
            self.input = None;
        }
    }

    /// Sends bytes while the output is read, and ends the input.
    pub(super) fn send_in_background(&mut self, bytes: Vec<u8>) {
        if let Some(mut input) = self.input.take() {
            // It ends with the shell at the latest: then nobody takes the bytes.
            tokio::spawn(async move { input.write_all(&bytes).await });
        }
    }

    /// Ends the script's input.
    pub(super) fn end_input(&mut self) {
        self.input = None;
    }

    /// The next part; `None` when the shell has closed its output. Nothing is lost if the future is dropped.
    pub(super) async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            let mut chunk = BytesMut::with_capacity(CHUNK_BYTES);
            match self.output.read_buf(&mut chunk).await {
                Ok(1..) => self.ready.extend(self.frames.feed(&chunk)),
                // An error is the end, too: the connection is gone.
                Ok(0) | Err(_) => return self.frames.end(),
            }
        }
    }

    /// The next report; what is moved before it is thrown away.
    pub(super) async fn record(&mut self) -> Option<String> {
        loop {
            if let Frame::Record(record) = self.next().await? {
                return Some(record);
            }
        }
    }

    /// The next report, without which the script is not over.
    pub(super) async fn expect_record(&mut self) -> Result<String, OperationError> {
        match self.record().await {
            Some(record) => Ok(record),
            None => Err(self.lost().await),
        }
    }

    /// Everything the script moves up to its next report, and that.
    pub(super) async fn data_and_record(&mut self) -> Result<(Vec<u8>, String), OperationError> {
        let mut data = Vec::new();
        while let Some(frame) = self.next().await {
            match frame {
                Frame::Data(bytes) => data.extend_from_slice(&bytes),
                Frame::Record(record) => return Ok((data, record)),
            }
        }
        Err(self.lost().await)
    }

    /// Whether the local side still runs.
    #[cfg(feature = "ssh")]
    pub(super) fn is_running(&mut self) -> bool {
        let runs = matches!(self.child.try_wait(), Ok(None));
        if !runs {
            self.group.0 = None;
        }
        runs
    }

    /// What was written to standard error. Waits for its end, but not for long.
    pub(super) async fn error_output(&mut self) -> String {
        self.end_input();
        let Some(said) = self.said.take() else { return String::new() };
        let abort = said.abort_handle();
        match timeout(LAST_WORDS, said).await {
            Ok(said) => own_part(&said.unwrap_or_default(), &self.number).to_owned(),
            Err(_) => {
                abort.abort();
                String::new()
            }
        }
    }

    /// Why the shell ended before it should.
    pub(super) async fn lost(&mut self) -> OperationError {
        let said = self.error_output().await;
        OperationError::new(self.shell.explain(&said))
    }

    /// Lets the other side go on without us: only the connection is closed.
    pub(super) fn leave(mut self) {
        self.group.0 = None;
    }
}

/// The local side: the program that holds the connection, and what it started. Dropping it kills them.
#[derive(Debug)]
struct LocalGroup(Option<Pid>);

impl Drop for LocalGroup {
    fn drop(&mut self) {
        if let Some(leader) = self.0 {
            // An error means that nobody is left.
            _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

/// What was said after the script began; all of it when it never did.
fn own_part<'a>(said: &'a str, number: &str) -> &'a str {
    said.split_once(number).map_or(said, |(_, own)| own)
}

/// Reads standard error to its end and keeps the first part.
async fn listen(mut errors: ChildStderr) -> String {
    let mut said = Vec::new();
    let mut chunk = [0; 1024];
    while let Ok(count @ 1..) = errors.read(&mut chunk).await {
        let room = MAX_SAID - said.len();
        said.extend_from_slice(&chunk[..count.min(room)]);
    }
    String::from_utf8_lossy(&said).into_owned()
}

fn cannot_start(shell: &dyn RemoteShell, command: &tokio::process::Command, error: &io::Error) -> OperationError {
    let (name, program) = (shell.name(), command.as_std().get_program().to_string_lossy());
    OperationError::new(match error.kind() {
        io::ErrorKind::NotFound => {
            format!("Cannot reach {name}: the program {program} is not on this machine. Install it, or check the PATH.")
        }
        _ => format!("Cannot reach {name}: {program} does not start: {error}"),
    })
}
