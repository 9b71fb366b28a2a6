//! Has extensions draw the lines of blocks (`rendered`) and transform Markdown (`transformed`), beside the loop.

use std::time::Duration;

use tokio::task::{JoinError, JoinHandle};

use super::app::App;
use super::asked::Asked;
use super::chat::NoteKind;
use super::extension_slots::short_name;
use super::rendered::{Delay, Parts, RenderedLines, Wanted};
use super::transformed::{self, Answer, TransformedText};

/// What becomes of lines that have not come after so long, counted from the step before. They are taken whenever they come.
const DELAYS: &[(Duration, Delay)] =
    &[(Duration::from_secs(1), Delay::StandIn), (Duration::from_secs(9), Delay::LetGo)];

/// What follows in the conversation waits so long for a text.
const PATIENCE: Duration = Duration::from_secs(10);

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
    await_lines(app, lines, wanted, work, DELAYS);
}

/// Takes the lines when they come, and tells who shows them when they are late.
fn await_lines(
    app: &mut App,
    lines: RenderedLines,
    wanted: Wanted,
    mut work: JoinHandle<Parts<String>>,
    delays: &'static [(Duration, Delay)],
) {
    // The program draws what panicked.
    let take =
        move |lines: &RenderedLines, drawn: Result<_, JoinError>| lines.answer(wanted, drawn.unwrap_or_default());
    let Some((&(limit, delay), later)) = delays.split_first() else {
        return app.spawn(work, move |_, drawn| take(&lines, drawn));
    };
    let waited = async move {
        let drawn = tokio::time::timeout(limit, &mut work).await;
        drawn.map_err(|_| work)
    };
    app.spawn(waited, move |app, drawn| match drawn {
        Ok(drawn) => take(&lines, drawn),
        Err(work) => {
            lines.be_late(delay);
            await_lines(app, lines, wanted, work, later);
        }
    });
}

fn transform(app: &mut App, text: TransformedText) {
    let Some(question) = text.question() else { return };
    let (wanted, names) = (question.wanted, question.names());
    let mut work = tokio::task::spawn_blocking(move || question.ask());
    let waited = async move {
        let answer = tokio::time::timeout(PATIENCE, &mut work).await;
        answer.map_err(|_| work)
    };
    app.spawn(waited, move |app, answer| match answer {
        Ok(answer) => take_text(app, &text, wanted, names, answer),
        Err(work) => {
            text.let_go();
            for owner in &names {
                name_once(app, owner, "it takes very long");
            }
            app.spawn(work, move |app, answer| take_text(app, &text, wanted, names, answer));
        }
    });
}

fn take_text(
    app: &mut App,
    text: &TransformedText,
    wanted: transformed::Wanted,
    names: Vec<String>,
    answer: Result<Answer, JoinError>,
) {
    let answer = answer.unwrap_or_else(|_| failed(names, "it panicked"));
    for (owner, problem) in &answer.failed {
        name_once(app, owner, problem);
    }
    text.answer(wanted, answer.text, answer.took);
}

/// Nobody knows which of several it was.
fn failed(names: Vec<String>, problem: &str) -> Answer {
    let failed = names.into_iter().map(|name| (name, problem.to_owned())).collect();
    Answer { failed, ..Answer::default() }
}

/// Tells of a failure, but of one per extension: it would fail for every text.
fn name_once(app: &mut App, owner: &str, problem: &str) {
    if app.extensions.failed_transformers.insert(owner.to_owned()) {
        let name = short_name(owner);
        let problem = problem.lines().next().unwrap_or_default();
        app.note(NoteKind::Warning, format!("{name} cannot transform Markdown, which is shown without it: {problem}"));
    }
}
