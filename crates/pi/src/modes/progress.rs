//! What is shown while a run goes on: text as it arrives on standard output, calls, their output and failures on standard
//! error.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use pi_agent_core::{AgentEvent, ToolOutput};
use pi_ai::{AssistantMessageEvent, ContentBlock};
use pi_guard::lock;
use serde_json::Value;

use super::Output;
use super::colours::Style;
use super::markdown::Markdown;
use super::print::complain;
use pi_coding_agent::agent_session::{AgentSession, SessionEvent};
use pi_coding_agent::host::plain;

/// So many lines of a call's output are shown while it runs.
const LIVE_LINES: usize = 40;
/// So many characters of what went wrong in a call.
const FAILURE_WIDTH: usize = 300;

/// What is shown where.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct View {
    /// Text of every answer goes to standard output as it arrives.
    pub(super) text: bool,
    /// It is rendered, for a terminal.
    pub(super) rendered: bool,
    /// Calls are noted on standard error.
    pub(super) calls: bool,
    /// Their output and their failures, too: standard error is a terminal.
    pub(super) output: bool,
    /// Text goes to a terminal without being rendered: what could control it is taken out.
    pub(super) is_filtered: bool,
    /// Standard error has colours.
    pub(super) colours: bool,
}

/// What is remembered between events.
#[derive(Default)]
struct ProgressState {
    markdown: Markdown,
    /// How much of the output of each call that runs was shown: bytes and lines.
    shown: HashMap<String, (usize, usize)>,
}

/// Shows what a session does from now on.
pub(super) fn follow(session: &AgentSession, output: &Output, view: View) {
    let (output, state) = (output.clone(), Arc::new(Mutex::new(ProgressState::default())));
    session.subscribe(Arc::new(move |event| {
        let (output, state) = (output.clone(), Arc::clone(&state));
        async move {
            match event {
                SessionEvent::Agent(AgentEvent::MessageUpdate { event }) if view.text => {
                    let text = lock(&state).text(event, view);
                    if let Some(text) = text {
                        output.write(text.into_bytes()).await;
                    }
                }
                event => {
                    let lines = lock(&state).notes(&event, view);
                    if !lines.is_empty() {
                        output.flush().await;
                        lines.iter().for_each(|line| complain(line));
                    }
                }
            }
        }
        .boxed()
    }));
}

impl ProgressState {
    /// What a piece of an answer adds to standard output.
    fn text(&mut self, event: AssistantMessageEvent, view: View) -> Option<String> {
        match event {
            AssistantMessageEvent::TextDelta { delta, .. } if view.rendered => Some(self.markdown.push(&plain(&delta))),
            AssistantMessageEvent::TextDelta { delta, .. } if view.is_filtered => Some(plain(&delta).into_owned()),
            AssistantMessageEvent::TextDelta { delta, .. } => Some(delta),
            AssistantMessageEvent::TextEnd { .. } if view.rendered => Some(self.markdown.finish() + "\n"),
            AssistantMessageEvent::TextEnd { .. } => Some("\n".to_owned()),
            _ => None,
        }
    }

    /// What an event adds to standard error.
    fn notes(&mut self, event: &SessionEvent, view: View) -> Vec<String> {
        match event {
            SessionEvent::Agent(AgentEvent::ToolExecutionStart { tool_name, args, .. }) if view.calls => {
                let name = Style::Cyan.paint(&format!("[{}]", clean(tool_name, view)), view.colours);
                vec![format!("{name} {}", clean(&gist(args), view))]
            }
            SessionEvent::Agent(AgentEvent::ToolExecutionUpdate { tool_call_id, partial_result, .. })
                if view.output =>
            {
                self.more_output(tool_call_id, partial_result, view)
            }
            SessionEvent::Agent(AgentEvent::ToolExecutionEnd { tool_call_id, tool_name, result, is_error, .. }) => {
                let was_shown = self.shown.remove(tool_call_id).is_some();
                match *is_error && view.output {
                    true => vec![failure(tool_name, result, was_shown, view)],
                    false => Vec::new(),
                }
            }
            SessionEvent::AutoRetryStart { attempt, max_attempts, delay_ms, error_message } if view.calls => {
                vec![format!("retry {attempt}/{max_attempts} in {delay_ms} ms: {}", clean(error_message, view))]
            }
            SessionEvent::SummarizationRetryScheduled { attempt, max_attempts, delay_ms, error_message }
                if view.calls =>
            {
                let error = clean(error_message, view);
                vec![format!("retry of the summary {attempt}/{max_attempts} in {delay_ms} ms: {error}")]
            }
            _ => Vec::new(),
        }
    }

    /// The whole lines of a call's output that were not shown yet.
    fn more_output(&mut self, call: &str, output: &ToolOutput, view: View) -> Vec<String> {
        let text = text_of(output);
        let (bytes, lines) = self.shown.entry(call.to_owned()).or_default();
        // A window over long output has another beginning by now.
        let Some(new) = text.get(*bytes..).filter(|_| *lines < LIVE_LINES) else { return Vec::new() };
        let Some(end) = new.rfind('\n') else { return Vec::new() };
        let mut shown: Vec<String> = Vec::new();
        for line in new[..end].split('\n') {
            *lines += 1;
            if *lines >= LIVE_LINES {
                shown.push(Style::Grey.paint("  … more, which the model sees", view.colours));
                break;
            }
            shown.push(Style::Grey.paint(&format!("  {}", plain(line.trim_end_matches('\r'))), view.colours));
        }
        *bytes += end + 1;
        shown
    }
}

fn failure(tool: &str, result: &ToolOutput, was_shown: bool, view: View) -> String {
    let text = text_of(result);
    let text = plain(&text);
    // What ran said the rest; how it ended stands last.
    let telling = if was_shown { text.trim_end().lines().next_back() } else { text.trim().lines().next() };
    let telling: String = telling.unwrap_or_default().chars().take(FAILURE_WIDTH).collect();
    Style::Red.paint(&format!("[{}] failed: {telling}", plain(tool)), view.colours)
}

fn text_of(output: &ToolOutput) -> String {
    output.content.iter().filter_map(ContentBlock::as_text).collect()
}

/// Only a terminal could be controlled; what goes elsewhere stays as it is.
fn clean(text: &str, view: View) -> String {
    if view.output { plain(text).into_owned() } else { text.to_owned() }
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
