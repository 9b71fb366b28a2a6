//! Print mode: the last answer's text on standard output, failures on standard error.
//!
//! On a terminal (or with `--stream`) text appears as it arrives and tool calls are noted on standard error (`progress`). Into
//! a pipe goes the final answer only, so that scripts get what they asked for, or one JSON object (`run_result`).

use std::io::{self, IsTerminal, Write};
use std::pin::pin;
use std::sync::Arc;

use futures::FutureExt;
use pi_ai::{AssistantMessage, ContentBlock, Message};

use super::colours::{self, Style};
use super::error_hint::advice;
use super::progress::{self, View};
use super::prompts::Answered;
use super::run_result::RunFollower;
use super::{AnswerSchema, End, InitialPrompts, Output, Signals, exit_code, finish};
use pi_coding_agent::agent_session::{AgentSession, Error, ExtensionBindings, SessionEvent};
use pi_coding_agent::extension::{ExtensionError, Mode};

/// How answers are printed.
#[derive(Debug, Default)]
pub struct PrintOptions {
    /// Print text as it arrives, of every answer, and note tool calls. Always so on a terminal.
    pub stream: bool,
    /// Print one JSON object at the end, and nothing else.
    pub json: bool,
    /// What the last answer has to look like; then its value is printed, at the end.
    pub schema: Option<AnswerSchema>,
}

impl PrintOptions {
    fn view(&self) -> View {
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let text = (self.stream || out) && !self.json && self.schema.is_none();
        View {
            text,
            rendered: text && out && colours::wanted(true),
            calls: text || (err && (out || is_file())),
            output: err && (out || is_file()),
            is_filtered: false,
            colours: colours::wanted(err),
        }
    }
}

/// Whether standard output goes into a file, so that nobody else shows what happens.
fn is_file() -> bool {
    rustix::fs::fstat(io::stdout())
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::RegularFile)
}

/// Runs the prompts and prints the outcome. 1 when the last answer failed or a prompt was refused, 10 to 13 when a limit was
/// reached or the answer does not fit the schema.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_print(session: AgentSession, prompts: InitialPrompts, options: PrintOptions) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    let (view, outcome) = (options.view(), RunFollower::follow(&session));
    if view.text || view.calls {
        progress::follow(&session, &output, view);
    }
    report_extensions(&session);
    let work = async {
        session.extensions().bind(ExtensionBindings::without_user(Mode::Print)).await;
        let result = prompts.send_all(&session, options.schema.as_ref()).await;
        session.extensions().wait_for_background().await;
        result
    };
    let mut work = pin!(work.fuse());
    let end = tokio::select! {
        result = &mut work => {
            let code = conclude(&session, &output, &options, result, &outcome).await;
            close(&session, &outcome, view);
            End::Done(code)
        }
        () = output.closed().cancelled() => End::Done(0),
        code = signals.next() => {
            if options.json {
                write_json(&output, &outcome.as_json(&session, None, Some("ended by a signal"))).await;
            }
            End::Signal(code)
        }
    };
    Ok(finish(&session, work, end, &output, &mut signals).await)
}

/// Says on standard error what goes wrong in extensions. A session without any needs no listener for that.
fn report_extensions(session: &AgentSession) {
    if session.extensions().runner().is_empty() {
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
pub(super) fn report(error: &Error) -> u8 {
    complain_in_red(&error.to_string());
    match error {
        Error::LimitReached(reached) => exit_code::of_limit(reached.limit),
        _ => exit_code::FAILED,
    }
}

/// The exit code of prompts that were sent, whatever the model made of them; what is wrong is told on standard error.
pub(super) fn code_of(session: &AgentSession, answered: &Answered) -> u8 {
    if let Some(error) = session.limits().reached() {
        return report(&error);
    }
    match answered {
        Answered::Unfit(problem) => {
            complain_in_red(&format!("The answer does not fit the JSON Schema, also at the second attempt. {problem}"));
            exit_code::NO_FIT
        }
        Answered::AsItIs | Answered::Fitting(_) => 0,
    }
}

/// Prints what came of it; the exit code.
async fn conclude(
    session: &AgentSession,
    output: &Output,
    options: &PrintOptions,
    result: Result<Answered, Error>,
    outcome: &RunFollower,
) -> u8 {
    let (answered, refusal) = match result {
        Ok(answered) => (answered, None),
        Err(error) => (Answered::AsItIs, Some(error)),
    };
    let code = match &refusal {
        Some(error) => report(error),
        None => code_of(session, &answered),
    };
    let failure = last_failure(session);
    if options.json {
        let error = match (refusal.or_else(|| session.limits().reached()), &answered) {
            (Some(error), _) => Some(error.to_string()),
            (None, Answered::Unfit(problem)) => Some(problem.clone()),
            (None, _) => failure.clone(),
        };
        let structured = if let Answered::Fitting(value) = &answered { Some(value) } else { None };
        write_json(output, &outcome.as_json(session, structured, error.as_deref())).await;
        return if code == 0 && failure.is_some() { exit_code::FAILED } else { code };
    }
    if code != 0 {
        return code;
    }
    if let Answered::Fitting(value) = answered {
        output.write(format!("{value}\n").into_bytes()).await;
        return 0;
    }
    print_last(session, output, options.view().text).await
}

async fn write_json(output: &Output, value: &serde_json::Value) {
    output.write(format!("{value}\n").into_bytes()).await;
}

/// Why the last answer failed, if it did.
fn last_failure(session: &AgentSession) -> Option<String> {
    let last = session.messages().pop()?;
    let message = last.as_assistant().filter(|message| message.stop_reason.is_failure())?;
    Some(message.error_message.clone().unwrap_or_else(|| format!("Request {}", message.stop_reason.as_str())))
}

async fn print_last(session: &AgentSession, output: &Output, is_shown: bool) -> u8 {
    let Some(last) = session.messages().pop() else { return 0 };
    let Message::Assistant(message) = &*last else { return 0 };
    if let Some(failure) = last_failure(session) {
        complain_in_red(&failure);
        advice(message).iter().for_each(|advice| complain(advice));
        return exit_code::FAILED;
    }
    if !is_shown {
        output.write(text_lines(message)).await;
    }
    0
}

/// Every text block, followed by a line end.
fn text_lines(message: &AssistantMessage) -> Vec<u8> {
    let texts = message.content.iter().filter_map(ContentBlock::as_text);
    texts.flat_map(|text| [text.as_bytes(), b"\n"]).flatten().copied().collect()
}

/// The closing line for whoever watches: what it took, and how to go on.
fn close(session: &AgentSession, outcome: &RunFollower, view: View) {
    let totals = outcome.totals();
    if !view.output || totals.assistant_messages == 0 {
        return;
    }
    let tokens = &totals.tokens;
    let sent = tokens.input + tokens.cache_read + tokens.cache_write;
    let mut parts = vec![format!("{} tokens in, {} out", short(sent), short(tokens.output))];
    if totals.cost > 0.0 {
        parts.push(format!("${:.4}", totals.cost));
    }
    parts.push(format!("{:.1} s", outcome.seconds()));
    if let Some(left) = session.limits().status().and_then(|limits| left(&limits)) {
        parts.push(left);
    }
    if session.session_file().is_some_and(|file| file.exists()) {
        parts.push("to go on: pi -c -p \"…\"".to_owned());
    }
    complain(&Style::Grey.paint(&parts.join(" · "), view.colours));
}

/// What is left of the limits.
fn left(limits: &pi_coding_agent::agent_session::LimitStatus) -> Option<String> {
    let turns = limits.turns_left.map(|turns| format!("{turns} turns"));
    let cost = limits.cost_left.map(|cost| format!("${cost:.4}"));
    let time = limits.time_left_ms.map(|time| format!("{} s", time / 1000));
    let parts: Vec<String> = [turns, cost, time].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("left: {}", parts.join(", ")))
}

/// `12.3k`.
fn short(count: u64) -> String {
    if count < 1000 { count.to_string() } else { format!("{:.1}k", count as f64 / 1000.0) }
}

/// A failure on standard error, in red where there are colours.
fn complain_in_red(text: &str) {
    complain(&Style::Red.paint(text, colours::wanted(io::stderr().is_terminal())));
}

/// One line on standard error, without credentials; a closed one is nobody's business.
pub(super) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{}", pi_ai::without_known_secrets(text));
}
