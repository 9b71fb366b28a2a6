//! The orderly end of a session: what it started is stopped, what it wrote is on disk.

use std::future::{Future, pending};
use std::time::Duration;

use super::{Output, Signals};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::tools;

/// Tools that ignore the abort are not waited for longer than this, and after a signal neither is a reader.
const PATIENCE: Duration = Duration::from_secs(3);
/// A client that has hung up gets what is left for it, unless it takes nothing for this long.
const READER_PATIENCE: Duration = Duration::from_secs(5);

/// Why a mode ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Everything was done, or there is nobody left to do it for; with the exit code.
    Done(u8),
    /// A client has hung up; with the exit code.
    HungUp(u8),
    /// A signal came; with the exit code that belongs to it.
    Signal(u8),
}

/// Ends the session, writes out what is to be printed and returns the exit code. Another signal cuts that short.
///
/// `work` is what the session was doing: runs live in their futures, so an aborted answer gets into the session file
/// only if that is polled to its end. It must be a fused future.
pub(super) async fn finish(
    session: &AgentSession,
    work: impl Future,
    end: End,
    output: &Output,
    signals: &mut Signals,
) -> u8 {
    // A run that waits for a slow reader could not be stopped.
    output.stop_waiting();
    let code = match end {
        End::Done(code) | End::HungUp(code) | End::Signal(code) => code,
    };
    let orderly = async {
        shut_down(session, work).await;
        // A reader that stopped reading must not keep a program that was told to end.
        tokio::select! {
            () = output.flush() => {}
            () = lost_patience(end, output) => {}
        }
    };
    tokio::select! {
        () = orderly => report_unstored(report_lost_output(code, output), session),
        code = signals.next() => {
            tools::kill_all();
            code
        }
    }
}

/// Output that is lost (a full disk) is no success, and nobody would notice otherwise.
pub(super) fn report_lost_output(code: u8, output: &Output) -> u8 {
    let Some(error) = output.failure() else { return code };
    super::print::complain(&format!("Error: cannot write to standard output: {error}"));
    code.max(1)
}

/// Neither is a conversation that is not in its file.
fn report_unstored(code: u8, session: &AgentSession) -> u8 {
    let Some(reason) = session.store().failure() else { return code };
    super::print::complain(&format!("Error: the session could not be stored: {reason}"));
    code.max(1)
}

/// Ends when the reader has had its time for what is left.
async fn lost_patience(end: End, output: &Output) {
    match end {
        End::Done(_) => pending().await,
        End::HungUp(_) => output.stalled(READER_PATIENCE).await,
        End::Signal(_) => tokio::time::sleep(PATIENCE).await,
    }
}

/// Stops the session and kills what its tools left running. `work` is polled meanwhile; it must be a fused future.
pub async fn shut_down(session: &AgentSession, work: impl Future) {
    let work = async {
        work.await;
        pending::<()>().await;
    };
    let stop = async {
        tokio::select! {
            () = session.dispose() => {}
            () = work => {}
        }
    };
    // A tool that hangs must not keep the program; its processes are killed below in any case.
    let _ = tokio::time::timeout(PATIENCE, stop).await;
    tools::kill_all();
}
