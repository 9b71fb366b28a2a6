//! What the session does, beside the text and the calls that `progress` shows.

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::{AssistantMessage, AssistantMessageEvent, Message, StopReason};
use pi_coding_agent::agent_session::{AgentSession, BashResult, SessionEvent};
use pi_coding_agent::host::plain;
use pi_coding_agent::messages::AppMessage;

use crate::modes::Output;

/// Says from now on what a session does.
pub(super) fn follow(session: &AgentSession, output: &Output) {
    let output = output.clone();
    session.subscribe(Arc::new(move |event| {
        let output = output.clone();
        async move {
            if let Some(text) = line(&event) {
                output.write(format!("{}\n", plain(&text)).into_bytes()).await;
            }
            if let SessionEvent::AgentSettled { .. } = event {
                // The bell says so to those who look elsewhere.
                output.write(b"Done.\x07\n".to_vec()).await;
            }
        }
        .boxed()
    }));
}

fn line(event: &SessionEvent) -> Option<String> {
    match event {
        SessionEvent::Agent(AgentEvent::MessageUpdate { event: AssistantMessageEvent::ThinkingStart { .. } }) => {
            Some("(thinking)".to_owned())
        }
        SessionEvent::Agent(AgentEvent::MessageEnd { message }) => match &**message {
            Message::Assistant(answer) => failure(answer),
            Message::Other(other) => match AppMessage::from_other(other)? {
                AppMessage::Custom(custom) if custom.display => {
                    Some(format!("[{}] {}", custom.custom_type, custom.content.to_text()))
                }
                _ => None,
            },
            _ => None,
        },
        SessionEvent::CompactionStart { .. } => Some("Summarising the conversation to make room.".to_owned()),
        SessionEvent::CompactionEnd { error_message: Some(error), .. } => Some(format!("Not summarised: {error}")),
        SessionEvent::CompactionEnd { aborted: true, .. } => Some("Not summarised: stopped.".to_owned()),
        SessionEvent::CompactionEnd { .. } => Some("Summarised.".to_owned()),
        SessionEvent::LimitReached { message, .. } => Some(message.clone()),
        SessionEvent::ExtensionError(error) => Some(error.to_string()),
        _ => None,
    }
}

fn failure(answer: &AssistantMessage) -> Option<String> {
    match answer.stop_reason {
        StopReason::Aborted => Some("Stopped.".to_owned()),
        StopReason::Error => {
            let reason = answer.error_message.as_deref().unwrap_or("the request failed");
            Some(format!("Error: {reason}"))
        }
        _ => None,
    }
}

/// The signal that an exit code stands for, as shells report it: 128 and its number.
fn signal(code: i64) -> Option<String> {
    let number = i32::try_from(code.checked_sub(128)?).ok().filter(|number| (1..=64).contains(number))?;
    let name = match number {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        6 => "SIGABRT",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return Some(format!("signal {number}")),
    };
    Some(format!("signal {number} ({name})"))
}

/// What became of a command of the user.
pub(super) fn of_shell(result: &BashResult) -> String {
    let end = match result.exit_code {
        _ if result.cancelled => "Cancelled.".to_owned(),
        Some(0) => "Done.".to_owned(),
        None => "Ended; how is not known.".to_owned(),
        Some(code) => match signal(code) {
            Some(signal) => format!("Ended by {signal}."),
            None => format!("Exit code {code}."),
        },
    };
    let more = match &result.full_output_path {
        Some(path) => format!("All of the output: {path}\n"),
        None => String::new(),
    };
    let output = result.output.trim_end();
    let line_end = if output.is_empty() { "" } else { "\n" };
    format!("{output}{line_end}{more}{end}")
}
