//! Commands on this machine: a shell in a session of its own, watched to its end.

use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::output_pipe::OutputPipe;
use super::shell::choose_shell;
use super::watch::watch;
use crate::host::processes::{self, COMMANDS, Child, Launch, MAX_CONCURRENT_COMMANDS, ProcessGroup};
use crate::tools::errno;
use crate::tools::operations::{BashError, BashExit, BashOperations, BashRequest, BashSpawn};

/// How long a killed command may take to vanish before it is left to the system.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// The shell of this machine.
#[derive(Debug, Clone)]
pub struct LocalBash {
    shell_path: Option<PathBuf>,
    limit: usize,
}

impl Default for LocalBash {
    fn default() -> Self {
        Self::new(None)
    }
}

impl LocalBash {
    /// Commands run in this shell; without one in the default shell.
    pub fn new(shell_path: Option<PathBuf>) -> Self {
        Self { shell_path, limit: MAX_CONCURRENT_COMMANDS }
    }

    /// A command waits while so many run in this process, whatever session they belong to; without a call 64. Its time
    /// limit counts from its start.
    #[must_use]
    pub(crate) fn max_concurrent(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    async fn run(&self, request: BashRequest) -> Result<BashExit, BashError> {
        let BashRequest { spawn, output, cancel, timeout } = request;
        let shell = choose_shell(self.shell_path.as_deref())?;
        check_cwd(&spawn.cwd)?;
        let started = async {
            let turn = COMMANDS.take(self.limit).await;
            (turn, start(&shell, spawn).await)
        };
        let (_turn, running) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Err(BashError::Aborted),
            started = started => started,
        };
        running.map_err(|e| spawn_error(&shell, &e))?.finish(output, &cancel, timeout).await
    }
}

impl BashOperations for LocalBash {
    fn exec(&self, request: BashRequest) -> BoxFuture<'_, Result<BashExit, BashError>> {
        self.run(request).boxed()
    }
}

/// A started command. Dropping it kills the whole group; the runtime reaps the shell.
struct Running {
    child: Child,
    output: OutputPipe,
}

impl Running {
    async fn finish(
        mut self,
        output: mpsc::Sender<Bytes>,
        cancel: &CancellationToken,
        timeout: Option<Duration>,
    ) -> Result<BashExit, BashError> {
        let killer = self.child.killer();
        let ended = {
            let mut end = pin!(watch(&mut self.child, &mut self.output, output));
            tokio::select! {
                biased;
                stop = stopped(cancel, timeout) => {
                    killer.kill();
                    // What the command had written already is still taken.
                    let is_over = tokio::time::timeout(KILL_GRACE, end).await.is_ok_and(|end| end.is_ok());
                    Err((stop, is_over))
                }
                exit = &mut end => {
                    Ok(exit.map_err(|e| BashError::Failed(format!("Lost track of the command: {e}")))?)
                }
            }
        };
        if !matches!(ended, Err((_, false))) {
            self.child.release();
        }
        if ended.is_ok() {
            self.output.discard();
        }
        ended.map_err(|(stop, _)| stop)
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
async fn start(shell: &Path, spawn: BashSpawn) -> io::Result<Running> {
    // One after the other: until it runs, a command needs several open files, and then only its pipes.
    static STARTING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    let _starting = STARTING.lock().await;
    let (reader, writer) = io::pipe()?;
    let output = OutputPipe::new(reader)?;
    let outputs = (writer.try_clone()?.into(), writer.into());
    let launch = Launch::new(shell, spawn.env, ProcessGroup::Session, outputs);
    let child = processes::start(launch.arguments(["-c", &spawn.command]).cwd(&spawn.cwd)).await?;
    Ok(Running { child, output })
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
