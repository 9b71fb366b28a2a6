//! The process of a sub-agent: started, listened to, ended.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use pi_agent_core::{ToolError, ToolInvocation, ToolOutput};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::MARK;
use crate::progress::Progress;

/// What a sub-agent gets to end by itself.
const GRACE: Duration = Duration::from_secs(3);
/// How much of its complaints is passed on, in bytes.
const COMPLAINTS: u64 = 4_000;

/// What a sub-agent shall do.
pub(crate) struct Task {
    pub(crate) text: String,
    /// Names of its tools; none for the usual ones.
    pub(crate) tools: Vec<String>,
    pub(crate) model: String,
    pub(crate) cwd: PathBuf,
}

impl Task {
    /// Runs it to its end, or to that of the call.
    pub(crate) async fn run(self, call: &ToolInvocation) -> Result<ToolOutput, ToolError> {
        let cannot_start = |error: std::io::Error| ToolError::new(format!("The sub-agent cannot start: {error}"));
        // Dropped with this future, it dies with it.
        let mut child = self.command().map_err(cannot_start)?.spawn().map_err(cannot_start)?;
        let mut progress = Progress::new(self.text, self.model);
        let ending = tokio::select! {
            ending = listen(&mut child, &mut progress, call) => ending,
            () = call.cancel.cancelled() => None,
        };
        match ending {
            Some(ending) => progress.result(ending.as_deref()),
            None => {
                end(&mut child).await;
                Err(ToolError::aborted())
            }
        }
    }

    fn command(&self) -> std::io::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--mode", "json", "-p", "--no-session", "--model", &self.model]);
        if !self.tools.is_empty() {
            command.args(["--tools", &self.tools.join(",")]);
        }
        // With words in front it is neither an option, nor a command, nor the name of a file.
        command.arg(format!("Your task: {}", self.text)).current_dir(&self.cwd).env(MARK, "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        Ok(command)
    }
}

/// Follows the process. `Some(None)` when it ended well, `Some(Some(how))` when not.
async fn listen(child: &mut Child, progress: &mut Progress, call: &ToolInvocation) -> Option<Option<String>> {
    let (stdout, stderr) = (child.stdout.take()?, child.stderr.take()?);
    let complaints = async {
        let mut text = Vec::new();
        let mut stderr = stderr;
        // What is beyond the limit is read, too: a full pipe would hold the process up.
        let _ = (&mut stderr).take(COMPLAINTS).read_to_end(&mut text).await;
        let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
        String::from_utf8_lossy(&text).trim().to_owned()
    };
    let follow = async {
        let mut lines = BufReader::new(stdout).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            if progress.take(&line) {
                call.updates.send(progress.report());
            }
        }
    };
    let ((), complaints) = tokio::join!(follow, complaints);
    Some(match child.wait().await {
        Ok(status) if status.success() => None,
        Ok(status) => Some(if complaints.is_empty() { status.to_string() } else { complaints }),
        Err(error) => Some(error.to_string()),
    })
}

/// Asks the process to end, so that it can end what it has started, and kills it when it does not.
async fn end(child: &mut Child) {
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // It may just have ended.
        let _ = kill_process(pid, Signal::TERM);
    }
    if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}
