//! A program that was started: its end, and the end of what came of it.

use std::collections::BTreeSet;
use std::io;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard};

use futures::future::BoxFuture;
use pi_guard::Unpoisoned;
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::launch::{Launch, ProcessGroup};
use super::reaper;
#[cfg(target_os = "linux")]
use super::spawner::{self, Link, Reports, StartError};

/// Sessions of commands that this process has started itself.
static DIRECT: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// A program that was started. Dropping it kills it, with what belongs to its [`ProcessGroup`], unless it was released.
#[derive(Debug)]
pub(crate) struct Child {
    process: Process,
    killer: Killer,
    has_ended: bool,
    is_released: bool,
}

#[derive(Debug)]
enum Process {
    #[cfg(target_os = "linux")]
    Spawned(Reports),
    Direct(Box<dyn ChildWrapper>),
}

/// Ends a program while somebody waits for its end.
#[derive(Debug, Clone)]
pub(crate) struct Killer {
    pid: Pid,
    place: ProcessGroup,
    /// The spawner that has started it.
    #[cfg(target_os = "linux")]
    link: Option<Arc<Link>>,
}

/// Starts a program: through the spawner where there is one, else as a child of this process.
///
/// # Errors
/// Those of the system.
pub(crate) fn start(launch: Launch) -> BoxFuture<'static, io::Result<Child>> {
    Box::pin(async move {
        let launch = Arc::new(launch);
        #[cfg(target_os = "linux")]
        while let Some(link) = spawner::link().await {
            let launch = Arc::clone(&launch);
            // A task of its own: if nobody waits any more, what was started must be known all the same, to be killed.
            match tokio::spawn(start_by(link, launch)).await.map_err(io::Error::other)? {
                Ok(child) => return Ok(child),
                Err(StartError::Failed(error)) => return Err(error),
                // Another one is started.
                Err(StartError::Gone) => tokio::task::yield_now().await,
            }
        }
        let launch = Arc::into_inner(launch).ok_or_else(|| io::Error::other("it is being started already"))?;
        start_directly(launch)
    })
}

#[cfg(target_os = "linux")]
async fn start_by(link: Arc<Link>, launch: Arc<Launch>) -> Result<Child, StartError> {
    let (pid, reports) = link.start_program(&launch).await?;
    let killer = Killer { pid, place: launch.line.place, link: Some(link) };
    Ok(Child::new(Process::Spawned(reports), killer))
}

fn start_directly(Launch { line, stdin, stdout, stderr }: Launch) -> io::Result<Child> {
    let mut command = tokio::process::Command::from(line.command());
    let stdin = stdin.map_or_else(std::process::Stdio::null, std::process::Stdio::from);
    command.stdin(stdin).stdout(stdout).stderr(stderr);
    let child: Box<dyn ChildWrapper> = match line.place {
        // The wrapper's child would wait for the whole group where we are process 1, background jobs included.
        ProcessGroup::Session => CommandWrap::from(command).wrap(ProcessSession).spawn()?.into_inner(),
        ProcessGroup::Group => Box::new(command.process_group(0).spawn()?),
        ProcessGroup::Ours => Box::new(command.spawn()?),
    };
    let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    let pid = pid.ok_or_else(|| io::Error::other("the process ended before it could be watched"))?;
    if line.place == ProcessGroup::Session {
        direct().insert(pid.as_raw_pid());
    }
    let killer = Killer {
        pid,
        place: line.place,
        #[cfg(target_os = "linux")]
        link: None,
    };
    Ok(Child::new(Process::Direct(child), killer))
}

fn direct() -> MutexGuard<'static, BTreeSet<i32>> {
    DIRECT.lock().unpoisoned()
}

/// Kills every running command of this process with all that it started. For the program's signal handlers; returns
/// when everything is signalled, or asked for.
pub fn kill_all() {
    #[cfg(target_os = "linux")]
    spawner::kill_all();
    reaper::kill_now(direct().iter().copied().filter_map(Pid::from_raw).collect());
}

impl Child {
    fn new(process: Process, killer: Killer) -> Self {
        Self { process, killer, has_ended: false, is_released: false }
    }

    /// Waits for its end. Nothing is lost if the future is dropped.
    ///
    /// # Errors
    /// When nobody can tell any more: the spawner was killed. What was started is then killed when this is dropped.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = match &mut self.process {
            #[cfg(target_os = "linux")]
            Process::Spawned(reports) => match reports.next(self.killer.link.as_deref()).await? {
                Some(spawner::Report::Ended(status)) => std::os::unix::process::ExitStatusExt::from_raw(status),
                _ => {
                    // Its other files may close a moment later; it does nothing any more all the same.
                    self.killer.link = None;
                    return Err(spawner::lost());
                }
            },
            Process::Direct(child) => child.wait().await?,
        };
        self.has_ended = true;
        Ok(status)
    }

    /// Sends a signal to it alone.
    pub(crate) fn signal(&self, signal: Signal) {
        if !self.has_ended {
            self.killer.signal(signal);
        }
    }

    /// What kills it.
    pub(crate) fn killer(&self) -> Killer {
        self.killer.clone()
    }

    /// Lets what is left of it live on: background jobs of a command that has ended.
    pub(crate) fn release(mut self) {
        self.is_released = true;
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        direct().remove(&self.killer.pid.as_raw_pid());
        let is_left = match self.killer.place {
            ProcessGroup::Session | ProcessGroup::Group => !self.is_released,
            // Its number may be another's by now.
            ProcessGroup::Ours => !self.is_released && !self.has_ended,
        };
        if is_left {
            self.killer.kill();
        }
    }
}

impl Killer {
    /// Kills it with what belongs to its place, by a signal that nobody can ignore. Does not wait for the end.
    pub(crate) fn kill(&self) {
        #[cfg(target_os = "linux")]
        if self.link.as_ref().is_some_and(|link| link.kill(self.pid, self.place)) {
            return;
        }
        match self.place {
            ProcessGroup::Session => reaper::kill_soon(self.pid),
            // Normally the group is gone already.
            ProcessGroup::Group => drop(kill_process_group(self.pid, Signal::KILL)),
            ProcessGroup::Ours => drop(kill_process(self.pid, Signal::KILL)),
        }
    }

    fn signal(&self, signal: Signal) {
        #[cfg(target_os = "linux")]
        if self.link.as_ref().is_some_and(|link| link.signal(self.pid, signal)) {
            return;
        }
        // It may just have ended.
        let _ = kill_process(self.pid, signal);
    }
}
