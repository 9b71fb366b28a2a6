//! Commands over there: watched to their end, killed with all they started.

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::exec_end::exit_of;
use super::frames::Frame;
use super::machine::RemoteMachine;
use super::script::{Script, is_variable_name};
use super::session::Session;
use crate::tools::operations::{BashError, BashExit, BashOperations, BashRequest, BashSpawn};

/// How long a killed command may take to be reported dead, before a second shell is sent to kill it.
const KILL_GRACE: Duration = Duration::from_secs(2);
/// How long that may take.
const KILL_LIMIT: Duration = Duration::from_secs(10);
/// After the command has ended, its output is complete when nothing came for this long, as on this machine.
const DRAIN_IDLE: Duration = Duration::from_millis(100);
/// A background job that never stops writing is followed no longer than this.
const DRAIN_LIMIT: Duration = Duration::from_secs(5);

impl BashOperations for RemoteMachine {
    fn exec(&self, request: BashRequest) -> BoxFuture<'_, Result<BashExit, BashError>> {
        self.run(request).boxed()
    }
}

impl RemoteMachine {
    async fn run(&self, request: BashRequest) -> Result<BashExit, BashError> {
        let BashRequest { spawn, output, cancel, timeout } = request;
        let script = self.script(&spawn)?;
        let stop = stopped(&cancel, timeout.map(|timeout| Instant::now() + timeout));
        tokio::pin!(stop);
        let session = tokio::select! {
            biased;
            stop = &mut stop => return Err(stop),
            session = self.start(script) => session.map_err(|e| BashError::Failed(e.to_string()))?,
        };
        let mut running = Running { machine: self.clone(), session: Some(session), group: None };
        let ended = tokio::select! {
            biased;
            stop = &mut stop => Err(stop),
            ended = running.watch(&spawn, &output) => ended,
        };
        match ended {
            Err(stop @ (BashError::Aborted | BashError::TimedOut)) => {
                running.kill(&output).await;
                Err(stop)
            }
            ended => {
                running.leave();
                ended
            }
        }
    }

    fn script(&self, spawn: &BashSpawn) -> Result<Script, BashError> {
        let mut script = Script::in_user_locale(include_str!("scripts/run.sh"));
        for (name, value) in added(&spawn.env) {
            let known = name.to_str().filter(|name| is_variable_name(name));
            let name = known.ok_or_else(|| {
                BashError::Failed(format!("The variable {} cannot be set on another machine.", name.display()))
            })?;
            script.export(name, value);
        }
        let shell = self.command_shell.as_deref().unwrap_or_default();
        Ok(script.arg(&spawn.cwd).arg(&spawn.command).arg(shell).arg(include_str!("scripts/leader.sh")))
    }
}

/// The variables that somebody set for the command. The rest of the environment, and any `PATH`, is about this machine
/// and means nothing over there; it may hold secrets, too.
fn added(env: &[(OsString, OsString)]) -> Vec<(&OsStr, &OsStr)> {
    #[expect(
        clippy::disallowed_methods,
        reason = "what commands inherit from this process is not for the other machine"
    )]
    let is_own = |name: &OsStr, value: &OsStr| std::env::var_os(name).is_some_and(|own| own == value);
    let pairs = env.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()));
    pairs.filter(|(name, value)| !name.eq_ignore_ascii_case("PATH") && !is_own(name, value)).collect()
}

/// Waits for a reason to kill the command.
async fn stopped(cancel: &CancellationToken, deadline: Option<Instant>) -> BashError {
    let time_is_up = async {
        match deadline {
            Some(deadline) => tokio::time::sleep_until(deadline).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        () = cancel.cancelled() => BashError::Aborted,
        () = time_is_up => BashError::TimedOut,
    }
}

/// A command that runs. Dropping it kills it.
struct Running {
    machine: RemoteMachine,
    session: Option<Session>,
    /// Number of its process group over there.
    group: Option<String>,
}

impl Running {
    /// Forwards output until the command has ended and its output is complete.
    async fn watch(&mut self, spawn: &BashSpawn, output: &mpsc::Sender<Bytes>) -> Result<BashExit, BashError> {
        let Some(session) = &mut self.session else { return Ok(BashExit::Unknown) };
        let report = loop {
            match session.next().await {
                // Output that nobody wants any more is still read, so that the command does not block on it.
                Some(Frame::Data(bytes)) => _ = output.send(bytes).await,
                Some(Frame::Record(record)) => match record.strip_prefix("group ") {
                    Some(group) => self.group = Some(group.to_owned()),
                    None => break record,
                },
                None => return Err(BashError::Failed(session.lost().await.to_string())),
            }
        };
        let exit = exit_of(&report).ok_or_else(|| self.refused(&report, spawn))?;
        // Not awaited for ever: background jobs may hold the output open.
        _ = timeout(DRAIN_LIMIT, self.drain(output)).await;
        Ok(exit)
    }

    /// Why the command did not run.
    fn refused(&self, report: &str, spawn: &BashSpawn) -> BashError {
        let shell = self.machine.command_shell.as_deref().unwrap_or_default();
        BashError::Failed(match report {
            "no directory" => {
                let cwd = spawn.cwd.display();
                format!("Working directory does not exist: {cwd}\nCannot execute bash commands.")
            }
            "no shell" => format!("Custom shell path not found: {shell}"),
            _ => format!("The command did not run: {} reported {report:?}.", self.machine.shell.name()),
        })
    }

    async fn drain(&mut self, output: &mpsc::Sender<Bytes>) {
        let Some(session) = &mut self.session else { return };
        while let Ok(Some(Frame::Data(bytes))) = timeout(DRAIN_IDLE, session.next()).await {
            _ = output.send(bytes).await;
        }
    }

    /// Closes the connection. Background jobs live on; the shell over there takes what they still write.
    fn leave(mut self) {
        if let Some(session) = self.session.take() {
            session.leave();
        }
    }

    /// Kills the command with all it started. What it had written already is still taken.
    async fn kill(mut self, output: &mpsc::Sender<Bytes>) {
        if let Some(session) = self.session.take() {
            kill(&self.machine, session, self.group.take(), Some(output)).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let (Some(session), Ok(runtime)) = (self.session.take(), tokio::runtime::Handle::try_current()) else { return };
        let (machine, group) = (self.machine.clone(), self.group.take());
        runtime.spawn(async move { kill(&machine, session, group, None).await });
    }
}

/// Ends the command's input, upon which its guard over there kills it: that works without another connection, and also when
/// this program or the connection dies. Only where the end does not get through, another shell does it.
async fn kill(
    machine: &RemoteMachine,
    mut session: Session,
    group: Option<String>,
    output: Option<&mpsc::Sender<Bytes>>,
) {
    session.end_input();
    let mut group = group;
    let last = async {
        while let Some(frame) = session.next().await {
            match (frame, output) {
                (Frame::Data(bytes), Some(output)) => _ = output.send(bytes).await,
                (Frame::Record(record), _) => match record.strip_prefix("group ") {
                    Some(number) => group = Some(number.to_owned()),
                    None => break,
                },
                (Frame::Data(_), None) => {}
            }
        }
    };
    if timeout(KILL_GRACE, last).await.is_ok() {
        return;
    }
    if let Some(group) = group {
        let script = Script::new(include_str!("scripts/kill.sh")).arg(group);
        _ = timeout(KILL_LIMIT, async { machine.start(script).await.ok()?.record().await }).await;
    }
}
