//! Commands on this machine: a shell in a session of its own, watched to its end.

use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::Pid;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::groups::ProcessGroup;
use super::operations::{BashError, BashExit, BashOperations, BashRequest, BashSpawn};
use super::output_pipe::OutputPipe;
use super::shell::choose_shell;
use super::watch::watch;
use crate::tools::errno;

/// How long a killed command may take to vanish before it is left to the system.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// The shell of this machine.
#[derive(Debug, Clone, Default)]
pub struct LocalBash {
    shell_path: Option<PathBuf>,
}

impl LocalBash {
    /// Commands run in this shell; without one in the default shell.
    pub fn new(shell_path: Option<PathBuf>) -> Self {
        Self { shell_path }
    }

    async fn run(&self, request: BashRequest) -> Result<BashExit, BashError> {
        let BashRequest { spawn, output, cancel, timeout } = request;
        let shell = choose_shell(self.shell_path.as_deref())?;
        check_cwd(&spawn.cwd)?;
        if cancel.is_cancelled() {
            return Err(BashError::Aborted);
        }
        let running = start(&shell, spawn).map_err(|e| spawn_error(&shell, &e))?;
        running.finish(output, &cancel, timeout).await
    }
}

impl BashOperations for LocalBash {
    fn exec(&self, request: BashRequest) -> BoxFuture<'_, Result<BashExit, BashError>> {
        self.run(request).boxed()
    }
}

/// A started command. Dropping it kills the whole group; the runtime reaps the shell.
struct Running {
    child: Box<dyn ChildWrapper>,
    group: ProcessGroup,
    output: OutputPipe,
}

impl Running {
    async fn finish(
        mut self,
        output: mpsc::Sender<Bytes>,
        cancel: &CancellationToken,
        timeout: Option<Duration>,
    ) -> Result<BashExit, BashError> {
        let ended = {
            let mut end = pin!(watch(&mut *self.child, &mut self.output, output));
            tokio::select! {
                biased;
                stop = stopped(cancel, timeout) => {
                    self.group.kill().await;
                    // What the command had written already is still taken.
                    if tokio::time::timeout(KILL_GRACE, end).await.is_ok() {
                        self.group.release();
                    }
                    return Err(stop);
                }
                exit = &mut end => exit.map_err(|e| BashError::Failed(format!("Lost track of the command: {e}")))?,
            }
        };
        self.group.release();
        self.output.discard();
        Ok(ended)
    }
}

/// Waits for a reason to kill the command.
async fn stopped(cancel: &CancellationToken, timeout: Option<Duration>) -> BashError {
    let time_is_up = async {
        match timeout {
            Some(timeout) => tokio::time::sleep(timeout).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        () = cancel.cancelled() => BashError::Aborted,
        () = time_is_up => BashError::TimedOut,
    }
}

/// Starts the shell. Both output streams are the same pipe, so that their order is the order of writing.
fn start(shell: &Path, spawn: BashSpawn) -> io::Result<Running> {
    let (reader, writer) = io::pipe()?;
    let output = OutputPipe::new(reader)?;
    let errors = writer.try_clone()?;
    let mut command = CommandWrap::with_new(shell, |command| {
        command.arg("-c").arg(spawn.command).current_dir(spawn.cwd).env_clear().envs(spawn.env);
        command.stdin(Stdio::null()).stdout(writer).stderr(errors);
    });
    // The wrapper's child would wait for the whole group where we are process 1, background jobs included.
    let child = command.wrap(ProcessSession).spawn()?.into_inner();
    let pid = child.id().and_then(|id| Pid::from_raw(id as i32));
    let leader = pid.ok_or_else(|| io::Error::other("the process ended before it could be watched"))?;
    Ok(Running { child, group: ProcessGroup::watch(leader), output })
}

fn check_cwd(cwd: &Path) -> Result<(), BashError> {
    if cwd.is_dir() {
        return Ok(());
    }
    let cwd = cwd.display();
    Err(BashError::Failed(format!("Working directory does not exist: {cwd}\nCannot execute bash commands.")))
}

fn spawn_error(shell: &Path, error: &io::Error) -> BashError {
    let shell = shell.display();
    BashError::Failed(match errno::describe(error) {
        Some((code, _)) => format!("spawn {shell} {code}"),
        None => format!("spawn {shell}: {error}"),
    })
}
