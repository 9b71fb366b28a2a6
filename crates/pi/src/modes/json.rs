//! JSON mode: the session header, then one line per event.

use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_guard::Unpoisoned;

use super::{AnswerSchema, End, InitialPrompts, Output, Signals, finish};
use pi_coding_agent::agent_session::{AgentSession, ExtensionBindings, SessionEvent};
use pi_coding_agent::extension::Mode;
use pi_coding_agent::rpc::{EventDetail, EventDetailSwitch, EventJson, Intake, ProtocolLevel};

/// How events are written at first.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventFormat {
    /// How much of a growing message they show.
    pub detail: EventDetail,
    /// Which events and fields there are.
    pub level: ProtocolLevel,
}

/// Prints every event of the session as a line, with as much in it as the switch says. What goes wrong in extensions is an
/// event for clients of the protocol only.
///
/// A run goes on once the commands that arrived together have been taken.
pub(super) fn print_events(session: &AgentSession, output: &Output, writer: EventJson, intake: Option<&Intake>) {
    let (writer, output, intake) = (Arc::new(Mutex::new(writer)), output.clone(), intake.cloned());
    session.subscribe(Arc::new(move |event| {
        let (writer, output, intake) = (Arc::clone(&writer), output.clone(), intake.clone());
        async move {
            if let (None, SessionEvent::ExtensionError(error)) = (&intake, &event) {
                return super::print::complain_of_extension(error);
            }
            let mut line = output.buffer();
            writer.lock().unpoisoned().write(&event, &mut line);
            if !line.is_empty() {
                output.write_event(line).await;
            }
            if let (Some(intake), SessionEvent::Agent(AgentEvent::AgentStart)) = (intake, &event) {
                intake.taken().await;
            }
        }
        .boxed()
    }));
}

/// Runs the prompts. A failed model call is an event, so the exit code is 0; it is 1 when a prompt was refused, and another
/// one where a limit was reached or the answer does not fit `schema`.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_json(
    session: AgentSession,
    prompts: InitialPrompts,
    schema: Option<&AnswerSchema>,
    format: EventFormat,
) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    output.write(header_line(&session)).await;
    let writer = EventJson::with_detail(EventDetailSwitch::at(format.detail)).with_level(format.level);
    print_events(&session, &output, writer, None);
    let work = async {
        session.extensions().bind(ExtensionBindings::without_user(Mode::Json)).await;
        let result = prompts.send_all(&session, schema).await;
        session.extensions().wait_for_background().await;
        result
    };
    let mut work = pin!(work.fuse());
    let end = tokio::select! {
        result = &mut work => End::Done(match result {
            Ok(answered) => super::print::code_of(&session, &answered),
            Err(error) => super::print::report(&error),
        }),
        () = output.closed().cancelled() => End::Done(0),
        code = signals.next() => End::Signal(code),
    };
    Ok(finish(&session, work, end, &output, &mut signals).await)
}

fn header_line(session: &AgentSession) -> Vec<u8> {
    let mut line = session.store().read(|manager| serde_json::to_vec(manager.header())).unwrap_or_default();
    line.push(b'\n');
    line
}
