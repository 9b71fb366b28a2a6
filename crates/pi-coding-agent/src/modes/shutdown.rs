//! The orderly end of a session: what it started is stopped, what it wrote is on disk.

use std::future::{Future, pending};
use std::time::Duration;

use super::{Output, Signals};
use crate::agent_session::AgentSession;
use crate::tools;

/// Tools that ignore the abort are not waited for longer than this, and after a signal neither is a reader.
const PATIENCE: Duration = Duration::from_secs(3);

/// Why a mode ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Everything was done, or there is nobody left to do it for; with the exit code.
    Done(u8),
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
    let (code, patience) = match end {
        End::Done(code) => (code, Duration::MAX),
        End::Signal(code) => (code, PATIENCE),
    };
    let orderly = async {
        shut_down(session, work).await;
        // A reader that stopped reading must not keep a program that was told to end.
        let _ = tokio::time::timeout(patience, output.flush()).await;
    };
    tokio::select! {
        () = orderly => code,
        code = signals.next() => {
            tools::kill_all();
            code
        }
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
