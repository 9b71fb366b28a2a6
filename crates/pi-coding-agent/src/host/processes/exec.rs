//! Runs a program to its end, for extensions and packages: without a shell, without input, with everything it prints.

use std::io::{self, PipeReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_guard::lock;
use rustix::process::Signal;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::child::{Child, start};
use super::launch::{Launch, ProcessGroup};

/// What a program gets to end by itself.
pub(crate) const KILL_GRACE: Duration = Duration::from_secs(5);
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

/// Runs a program. Never fails: a program that cannot be started has exit code 1. An empty `cwd` is that of this program.
pub(crate) async fn exec(program: &str, arguments: &[&str], cwd: &Path, options: ExecOptions) -> ExecResult {
    run(program, arguments, cwd, options, KILL_GRACE).await
}

async fn run(program: &str, arguments: &[&str], cwd: &Path, options: ExecOptions, grace: Duration) -> ExecResult {
    let mut command = Command::new(program);
    if !cwd.as_os_str().is_empty() {
        command.current_dir(cwd);
    }
    command.args(arguments);
    let not_started = |_| ExecResult { code: 1, ..ExecResult::default() };
    run_command(&command, &options, grace).await.unwrap_or_else(not_started)
}

/// Runs a prepared command, without input. Its streams are not those that were set.
///
/// # Errors
/// When it could not be started.
pub(crate) async fn run_command(command: &Command, options: &ExecOptions, grace: Duration) -> io::Result<ExecResult> {
    let ((stdout, out_writer), (stderr, error_writer)) = (io::pipe()?, io::pipe()?);
    let launch = Launch::of(command, ProcessGroup::Ours, (out_writer.into(), error_writer.into()));
    let mut child = start(launch).await?;
    let (stdout, stderr) = (read(stdout)?, read(stderr)?);
    let mut killed = false;
    let status = tokio::select! {
        // A signal that has fired already counts, however quick the program is.
        biased;
        () = ended(options) => {
            killed = true;
            end(&mut child, grace).await
        }
        status = child.wait() => status,
    };
    Ok(ExecResult {
        stdout: finish(stdout).await,
        stderr: finish(stderr).await,
        code: status.map_or(1, |status| exit_code(status, killed)),
        killed,
    })
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
async fn end(child: &mut Child, grace: Duration) -> io::Result<ExitStatus> {
    child.signal(Signal::TERM);
    if let Ok(status) = tokio::time::timeout(grace, child.wait()).await {
        return status;
    }
    child.signal(Signal::KILL);
    child.wait().await
}

fn exit_code(status: ExitStatus, killed: bool) -> i32 {
    status.code().unwrap_or(if killed { 0 } else { 1 })
}

/// What a pipe brought, shared with whoever stops waiting for its end.
type Collected = Arc<Mutex<Vec<u8>>>;

fn read(pipe: PipeReader) -> io::Result<(Collected, JoinHandle<()>)> {
    let collected = Collected::default();
    let mut pipe = pipe::Receiver::from_owned_fd(pipe.into())?;
    let into = Collected::clone(&collected);
    let task = tokio::spawn(async move {
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(length @ 1..) = pipe.read(&mut buffer).await {
            lock(&into).extend_from_slice(&buffer[..length]);
        }
    });
    Ok((collected, task))
}

/// All that was printed. Somebody whom the program has left behind may hold the pipe: that is not waited for.
async fn finish((collected, mut task): (Collected, JoinHandle<()>)) -> String {
    let length = || lock(&collected).len();
    let mut before = length();
    while tokio::time::timeout(PIPE_GRACE, &mut task).await.is_err() {
        let now = length();
        if now == before {
            task.abort();
            break;
        }
        before = now;
    }
    String::from_utf8_lossy(&lock(&collected)).into_owned()
}

#[cfg(test)]
mod tests {
    use rustix::process::{Pid, kill_process};

    use super::*;

    const GRACE: Duration = Duration::from_millis(100);

    async fn sh(script: &str, options: ExecOptions) -> ExecResult {
        run("/bin/sh", &["-c", script], Path::new("/"), options, GRACE).await
    }

    fn limit(milliseconds: u64) -> ExecOptions {
        ExecOptions { timeout: Some(Duration::from_millis(milliseconds)), ..ExecOptions::default() }
    }

    fn result(stdout: &str, stderr: &str, code: i32, killed: bool) -> ExecResult {
        ExecResult { stdout: stdout.to_owned(), stderr: stderr.to_owned(), code, killed }
    }

    #[tokio::test]
    async fn what_a_program_does_is_told() {
        for (script, expected) in [
            ("printf out; printf err >&2; exit 3", result("out", "err", 3, false)),
            ("pwd", result("/\n", "", 0, false)),
            // Nothing to read.
            ("cat; echo end", result("end\n", "", 0, false)),
            ("printf 'a\\377b\\303'", result("a\u{fffd}b\u{fffd}", "", 0, false)),
            // Another's signal is no success.
            ("kill -9 $$", result("", "", 1, false)),
        ] {
            assert_eq!(sh(script, ExecOptions::default()).await, expected, "{script}");
        }
    }

    #[tokio::test]
    async fn what_cannot_be_started_has_exit_code_1() {
        let options = ExecOptions::default;
        assert_eq!(exec("no-such-program", &[], Path::new("/"), options()).await, result("", "", 1, false));
        let gone = tempfile::tempdir().unwrap().path().to_owned();
        assert_eq!(exec("true", &[], &gone, options()).await, result("", "", 1, false));
        assert_eq!(exec("true", &[], Path::new(""), options()).await, result("", "", 0, false));
    }

    #[tokio::test]
    async fn a_program_that_takes_too_long_is_asked_to_end_and_then_killed() {
        assert_eq!(sh("echo begun; exec sleep 60", limit(200)).await, result("begun\n", "", 0, true));
        assert_eq!(sh("trap 'exit 7' TERM; sleep 60 & wait", limit(200)).await, result("", "", 7, true));
        assert_eq!(sh("trap '' TERM; while :; do :; done", limit(200)).await, result("", "", 0, true));
    }

    #[tokio::test]
    async fn a_signal_that_has_fired_already_ends_it_at_once() {
        let cancel = CancellationToken::new();
        cancel.cancel();
        for script in ["exec sleep 60", ":"] {
            let options = ExecOptions { cancel: Some(cancel.clone()), ..ExecOptions::default() };
            assert!(sh(script, options).await.killed, "{script}");
        }
    }

    #[tokio::test]
    async fn children_that_stay_behind_hold_up_nothing() {
        let done = sh("sleep 60 & echo $!", ExecOptions::default()).await;
        let child: i32 = done.stdout.trim().parse().unwrap();
        assert_eq!((done.code, done.killed), (0, false));
        kill_process(Pid::from_raw(child).unwrap(), Signal::KILL).unwrap();
    }

    #[tokio::test]
    async fn all_of_a_long_output_arrives() {
        let done = sh("head -c 5000000 /dev/zero; head -c 1000 /dev/zero >&2", ExecOptions::default()).await;
        assert_eq!((done.stdout.len(), done.stderr.len(), done.code), (5_000_000, 1000, 0));
    }
}
