//! Print mode: the last answer's text on standard output, failures on standard error.
//!
//! On a terminal (or with `--stream`) text appears as it arrives and tool calls are noted on standard error. Into a
//! pipe goes the final answer only, so that scripts get what they asked for.

use std::io::{self, Write};
use std::pin::pin;
use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::{AssistantMessage, AssistantMessageEvent, ContentBlock, Message};
use serde_json::Value;

use super::advice::advice;
use super::{End, InitialPrompts, Output, Signals, finish};
use crate::agent_session::{AgentSession, ExtensionBindings, SessionEvent};
use crate::error::Error;
use crate::extension::{ExtensionError, Mode};

/// How answers are printed.
#[derive(Debug, Clone, Copy, Default)]
pub struct PrintOptions {
    /// Print text as it arrives, of every answer, and note tool calls.
    pub stream: bool,
}

/// Runs the prompts and prints the outcome. 1 when the last answer failed or a prompt was refused.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_print(session: AgentSession, prompts: InitialPrompts, options: PrintOptions) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    if options.stream {
        stream(&session, &output);
    }
    report_extensions(&session);
    let work = async {
        session.bind_extensions(ExtensionBindings::without_user(Mode::Print)).await;
        let result = prompts.send(&session).await;
        session.wait_for_background().await;
        result
    };
    let mut work = pin!(work.fuse());
    let end = tokio::select! {
        result = &mut work => End::Done(match report(result) {
            0 => print_last(&session, &output, options).await,
            code => code,
        }),
        () = output.closed().cancelled() => End::Done(0),
        code = signals.next() => End::Signal(code),
    };
    Ok(finish(&session, work, end, &output, &mut signals).await)
}

/// Says on standard error what goes wrong in extensions. A session without any needs no listener for that.
fn report_extensions(session: &AgentSession) {
    if session.extensions().is_empty() {
        return;
    }
    session.subscribe(Arc::new(|event| {
        if let SessionEvent::ExtensionError(error) = &event {
            complain_of_extension(error);
        }
        async {}.boxed()
    }));
}

/// What went wrong in an extension, on standard error.
pub(super) fn complain_of_extension(error: &ExtensionError) {
    complain(&error.to_string());
}

/// Says on standard error why a prompt was refused.
pub(super) fn report(result: Result<(), Error>) -> u8 {
    match result {
        Ok(()) => 0,
        Err(error) => {
            complain(&error.to_string());
            1
        }
    }
}

async fn print_last(session: &AgentSession, output: &Output, options: PrintOptions) -> u8 {
    let Some(last) = session.messages().pop() else { return 0 };
    let Message::Assistant(message) = &*last else { return 0 };
    if message.stop_reason.is_failure() {
        let fallback = format!("Request {}", message.stop_reason.as_str());
        complain(message.error_message.as_deref().unwrap_or(&fallback));
        advice(message).iter().for_each(|advice| complain(advice));
        return 1;
    }
    if !options.stream {
        output.write(text_lines(message)).await;
    }
    0
}

/// Every text block, followed by a line end.
fn text_lines(message: &AssistantMessage) -> Vec<u8> {
    let texts = message.content.iter().filter_map(ContentBlock::as_text);
    texts.flat_map(|text| [text.as_bytes(), b"\n"]).flatten().copied().collect()
}

fn stream(session: &AgentSession, output: &Output) {
    let output = output.clone();
    session.subscribe(Arc::new(move |event| {
        let output = output.clone();
        async move {
            match event {
                SessionEvent::Agent(AgentEvent::MessageUpdate { event }) => match event {
                    AssistantMessageEvent::TextDelta { delta, .. } => output.write(delta.into_bytes()).await,
                    AssistantMessageEvent::TextEnd { .. } => output.write(b"\n".to_vec()).await,
                    _ => {}
                },
                SessionEvent::Agent(AgentEvent::ToolExecutionStart { tool_name, args, .. }) => {
                    output.flush().await;
                    complain(&format!("[{tool_name}] {}", gist(&args)));
                }
                SessionEvent::AutoRetryStart { attempt, max_attempts, delay_ms, error_message } => {
                    complain(&format!("retry {attempt}/{max_attempts} in {delay_ms} ms: {error_message}"));
                }
                _ => {}
            }
        }
        .boxed()
    }));
}

/// The argument that tells most about a call, on one line.
fn gist(args: &Value) -> String {
    const WIDTH: usize = 100;
    let telling = ["command", "path", "pattern"].iter().find_map(|key| args.get(key)?.as_str());
    let text = telling.map_or_else(|| args.to_string(), |text| text.replace('\n', " "));
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// One line on standard error; a closed one is nobody's business.
pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
