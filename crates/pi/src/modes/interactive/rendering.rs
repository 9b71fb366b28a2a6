//! Has extensions draw the lines of blocks (`rendered`) and transform Markdown (`transformed`), beside the loop.

use std::time::Duration;

use super::app::App;
use super::asked::Asked;
use super::chat::NoteKind;
use super::extension_slots::short_name;
use super::rendered::RenderedLines;
use super::transformed::{Answer, TransformedText};

/// Who has no answer by then has none: what follows in the conversation waits for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks for everything that the newest frame needed and did not have.
pub(super) fn ask(app: &mut App) {
    let asked = app.shared.take_asked_for();
    begin(app, asked);
}

/// Asks for these.
pub(super) fn begin(app: &mut App, asked: Vec<Asked>) {
    for asked in asked {
        match asked {
            Asked::Lines(lines) => draw(app, lines),
            Asked::Text(text) => match text.pause() {
                Duration::ZERO => transform(app, text),
                pause => app.spawn(tokio::time::sleep(pause), move |app, ()| transform(app, text)),
            },
        }
    }
}

fn draw(app: &mut App, lines: RenderedLines) {
    let Some((draw, wanted)) = lines.begin() else { return };
    let work = tokio::task::spawn_blocking(move || draw(wanted.options));
    app.spawn(tokio::time::timeout(PATIENCE, work), move |_, drawn| {
        lines.answer(wanted, drawn.ok().and_then(Result::ok).unwrap_or_default());
    });
}

fn transform(app: &mut App, text: TransformedText) {
    let Some(question) = text.question() else { return };
    let (wanted, names) = (question.wanted, question.names());
    let work = tokio::task::spawn_blocking(move || question.ask());
    app.spawn(tokio::time::timeout(PATIENCE, work), move |app, answer| {
        let answer = match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => failed(names, "it panicked"),
            Err(_) => failed(names, "it took too long"),
        };
        for (owner, problem) in &answer.failed {
            name_once(app, owner, problem);
        }
        text.answer(wanted, answer.text, answer.took);
    });
}

/// Nobody knows which of several it was.
fn failed(names: Vec<String>, problem: &str) -> Answer {
    let failed = names.into_iter().map(|name| (name, problem.to_owned())).collect();
    Answer { failed, took: PATIENCE, ..Answer::default() }
}

/// Tells of a failure, but of one per extension: it would fail for every text.
fn name_once(app: &mut App, owner: &str, problem: &str) {
    if app.extensions.failed_transformers.insert(owner.to_owned()) {
        let name = short_name(owner);
        let problem = problem.lines().next().unwrap_or_default();
        app.note(NoteKind::Warning, format!("{name} cannot transform Markdown, which is shown without it: {problem}"));
    }
}
