//! Turns: a prompt and all that follows up to the next one. What each took, and after which entry it is over.

use std::collections::HashMap;

use super::answers::Answers;
use super::outline::{Kind, Outline};
use super::segments::Segment;
use super::totals::{Spent, dollars, short_count};
use super::writer::Html;
use crate::host::iso_time::from_iso;

/// Models that a line names.
const MOST_MODELS: usize = 3;

/// A turn: model, tokens, cost and time.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    /// Counted from 1 along its branch.
    pub(super) number: usize,
    /// The place of its first entry.
    pub(super) first: usize,
    /// Tokens in the model's context after its last call.
    pub(super) context: u64,
    /// In US dollars.
    pub(super) cost: f64,
    model_calls: usize,
    tools: usize,
    output: u64,
    models: Vec<Box<str>>,
    /// Unix time in milliseconds of the prompt, and of the last entry that belongs to it.
    began: Option<i64>,
    ended: Option<i64>,
}

/// The turns of a page.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// By the place of the entry behind which they are over.
    ends: HashMap<usize, Turn>,
    /// Those of the current branch, oldest first.
    pub(super) current: Vec<Turn>,
}

impl Turns {
    /// Follows each branch. A turn that goes on behind a fork counts what came before the fork.
    pub(super) fn new(outlines: &[Outline], segments: &[Segment], answers: &Answers) -> Self {
        let mut turns = Self::default();
        // Parents stand before their children.
        let mut states: Vec<Turn> = Vec::with_capacity(segments.len());
        for segment in segments {
            let inherited = segment.parent.and_then(|parent| states.get(parent)).cloned().unwrap_or_default();
            let (state, last) = turns.follow(inherited, segment, outlines, answers);
            let goes_on = |child: &usize| goes_on(&segments[*child], outlines);
            if segment.children.is_empty() || !segment.children.iter().all(goes_on) {
                turns.end(&state, last);
            }
            if segment.current && !segment.children.iter().any(|child| segments[*child].current) {
                turns.push_current(&state);
            }
            states.push(state);
        }
        turns
    }

    /// What a turn adds up to that is over behind an entry.
    pub(super) fn after(&self, at: usize) -> Option<&Turn> {
        self.ends.get(&at)
    }

    fn follow(
        &mut self,
        mut turn: Turn,
        segment: &Segment,
        outlines: &[Outline],
        answers: &Answers,
    ) -> (Turn, Option<usize>) {
        let mut last = None;
        for at in segment.entries.iter().copied() {
            let outline = &outlines[at];
            match outline.kind {
                Kind::User => {
                    self.end(&turn, last.take());
                    if segment.current {
                        self.push_current(&turn);
                    }
                    let began = from_iso(&outline.timestamp);
                    turn = Turn { number: turn.number + 1, first: at, began, ..Turn::default() };
                }
                Kind::Answer | Kind::Calls => {
                    turn.answer(at, outline);
                    last = Some(at);
                }
                Kind::Result => {
                    turn.tools += 1;
                    turn.ended = from_iso(&outline.timestamp).or(turn.ended);
                    // A result that is shown with its call has no place of its own.
                    last = if answers.is_merged(at) { last } else { Some(at) };
                }
                _ => {}
            }
        }
        (turn, last)
    }

    fn end(&mut self, turn: &Turn, last: Option<usize>) {
        if let Some(at) = last.filter(|_| turn.model_calls > 0) {
            self.ends.insert(at, turn.clone());
        }
    }

    fn push_current(&mut self, turn: &Turn) {
        if turn.model_calls > 0 {
            self.current.push(turn.clone());
        }
    }
}

/// Whether a segment begins with more of the turn before it.
fn goes_on(segment: &Segment, outlines: &[Outline]) -> bool {
    let mut kinds = segment.entries.iter().map(|at| outlines[*at].kind);
    let first = kinds.find(|kind| matches!(kind, Kind::User | Kind::Answer | Kind::Calls | Kind::Result));
    first.is_some_and(|kind| kind != Kind::User)
}

impl Turn {
    fn answer(&mut self, at: usize, outline: &Outline) {
        if self.number == 0 {
            // Nobody asked: a session may begin with an answer.
            (self.number, self.first, self.began) = (1, at, from_iso(&outline.timestamp));
        }
        self.model_calls += 1;
        self.ended = from_iso(&outline.timestamp).or(self.ended);
        let Some(Spent { model, context, output, cost }) = outline.spent.as_deref() else { return };
        if !model.is_empty() && !self.models.contains(model) {
            self.models.push(model.clone());
        }
        self.context = if *context > 0 { *context } else { self.context };
        self.output = self.output.saturating_add(*output);
        self.cost += cost;
    }
}

/// Writes the line that ends a turn.
pub(super) fn line(html: &mut Html, turn: &Turn) {
    html.raw("<p class=\"turn\"><b>Turn ").show(format_args!("{}", turn.number)).raw("</b>");
    let more = turn.models.len().saturating_sub(MOST_MODELS);
    for (index, model) in turn.models.iter().take(MOST_MODELS).enumerate() {
        html.raw(if index == 0 { " <span>" } else { ", " }).text(model);
    }
    if more > 0 {
        html.raw(" and ").show(format_args!("{more}")).raw(" more");
    }
    html.raw(if turn.models.is_empty() { "" } else { "</span>" });
    for (count, one, many) in
        [(turn.model_calls, " model call", " model calls"), (turn.tools, " tool result", " tool results")]
    {
        if count > 0 {
            html.raw(" <span>").show(format_args!("{count}")).raw(if count == 1 { one } else { many }).raw("</span>");
        }
    }
    if turn.output > 0 {
        html.raw(" <span>↓").text(&short_count(turn.output)).raw("</span>");
    }
    if turn.context > 0 {
        html.raw(" <span>context ").text(&short_count(turn.context)).raw("</span>");
    }
    if turn.cost > 0.0 {
        html.raw(" <span>").text(&dollars(turn.cost)).raw("</span>");
    }
    if let (Some(began), Some(ended)) = (turn.began, turn.ended)
        && ended > began
    {
        html.raw(" <span>").text(&duration(ended - began)).raw("</span>");
    }
    html.raw("</p>\n");
}

/// A time in words, as exact as a reader needs it: `0.8 s`, `42 s`, `3 min 5 s`, `2 h 10 min`.
fn duration(ms: i64) -> String {
    let seconds = (ms + 500) / 1000;
    match seconds {
        0..10 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_as_exact_as_a_reader_needs() {
        for (ms, expected) in [
            (0, "0.0 s"),
            (849, "0.8 s"),
            (9_499, "9.4 s"),
            (9_500, "10 s"),
            (42_400, "42 s"),
            (59_600, "1 min 0 s"),
            (185_000, "3 min 5 s"),
            (7_800_000, "2 h 10 min"),
            (90_000_000, "25 h 0 min"),
        ] {
            assert_eq!(duration(ms), expected);
        }
    }
}
