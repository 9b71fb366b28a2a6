//! Which result belongs to which tool call, so that a page shows them as one.

use std::collections::HashMap;

use super::outline::{Kind, Outline};
use super::segments::Segment;

/// Results by the calls that they answer.
#[derive(Debug)]
pub(super) struct Answers {
    /// By entry and number of the call in it.
    results: HashMap<(usize, usize), usize>,
    merged: Vec<bool>,
}

impl Answers {
    /// Pairs the calls and results of each segment: beyond a fork a result may be one of several.
    pub(super) fn new(outlines: &[Outline], segments: &[Segment]) -> Self {
        let mut answers = Self { results: HashMap::new(), merged: vec![false; outlines.len()] };
        for segment in segments {
            answers.pair(outlines, segment);
        }
        answers
    }

    fn pair<'a>(&mut self, outlines: &'a [Outline], segment: &Segment) {
        // Some providers number calls from zero in each answer: a newer call takes the id over.
        let mut open: HashMap<&'a str, (usize, usize)> = HashMap::new();
        for at in segment.entries.iter().copied() {
            let outline = &outlines[at];
            open.extend(outline.calls.iter().enumerate().map(|(number, id)| (&**id, (at, number))));
            if outline.kind != Kind::Result {
                continue;
            }
            if let Some(call) = open.remove(&*outline.answers) {
                self.results.insert(call, at);
                self.merged[at] = true;
            }
        }
    }

    /// The result of a call.
    pub(super) fn result_of(&self, entry: usize, call: usize) -> Option<usize> {
        self.results.get(&(entry, call)).copied()
    }

    /// Whether an entry is shown with a call, and so not by itself.
    pub(super) fn is_merged(&self, entry: usize) -> bool {
        self.merged[entry]
    }
}
