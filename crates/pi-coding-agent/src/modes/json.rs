//! JSON mode: the session header, then one line per event.

use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;

use super::{End, InitialPrompts, Output, Signals, finish};
use crate::agent_session::AgentSession;
use crate::rpc::{EventDetailSwitch, EventJson};

/// Prints every event of the session as a line, with as much in it as the switch says.
pub(super) fn print_events(session: &AgentSession, output: &Output, detail: &EventDetailSwitch) {
    let writer = Arc::new(Mutex::new(EventJson::with_detail(detail.clone())));
    let output = output.clone();
    session.subscribe(Arc::new(move |event| {
        let (writer, output) = (Arc::clone(&writer), output.clone());
        async move {
            let mut line = output.buffer();
            writer.lock().unwrap_or_else(PoisonError::into_inner).write(&event, &mut line);
            output.write_event(line).await;
        }
        .boxed()
    }));
}

/// Runs the prompts. A failed model call is an event, so the exit code is 0; it is 1 when a prompt was refused.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_json(session: AgentSession, prompts: InitialPrompts) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    output.write(header_line(&session)).await;
    print_events(&session, &output, &EventDetailSwitch::default());
    let mut work = pin!(prompts.send(&session).fuse());
    let end = tokio::select! {
        result = &mut work => End::Done(super::print::report(result)),
        () = output.closed().cancelled() => End::Done(0),
        code = signals.next() => End::Signal(code),
    };
    Ok(finish(&session, work, end, &output, &mut signals).await)
}

fn header_line(session: &AgentSession) -> Vec<u8> {
    let mut line = session.with_manager(|manager| serde_json::to_vec(manager.header())).unwrap_or_default();
    line.push(b'\n');
    line
}
