//! All that is known of a session before its first entry is written.

use std::collections::HashMap;

use super::answers::Answers;
use super::outline::{Kind, Outline, Remark};
use super::segments::{Segment, segments};
use super::totals::Totals;
use super::turns::Turns;
use crate::export::Error;
use crate::export::source::SessionSource;

/// The outline of a page: small next to the session, and linear in the number of its entries.
pub(super) struct Page<'a> {
    pub(super) session: &'a dyn SessionSource,
    pub(super) outlines: Vec<Outline>,
    pub(super) segments: Vec<Segment>,
    pub(super) answers: Answers,
    pub(super) totals: Totals,
    pub(super) turns: Turns,
    /// Labels in force, by the ids that they are on.
    labels: HashMap<String, String>,
    places: HashMap<Box<str>, usize>,
    name: String,
}

impl<'a> Page<'a> {
    /// Reads every line once.
    pub(super) fn read(session: &'a dyn SessionSource) -> Result<Self, Error> {
        let (mut outlines, mut totals) = (Vec::with_capacity(session.entry_count()), Totals::default());
        let (mut labels, mut name) = (HashMap::new(), String::new());
        for index in 0..session.entry_count() {
            let (outline, remark) = Outline::of(&session.line(index)?, &mut totals);
            match remark {
                Some(Remark::Label { target, label }) if label.is_empty() => drop(labels.remove(&target)),
                Some(Remark::Label { target, label }) => drop(labels.insert(target, label)),
                Some(Remark::Name(new)) => name = new,
                None => {}
            }
            outlines.push(outline);
        }
        let segments = segments(&outlines, session.leaf_id());
        let answers = Answers::new(&outlines, &segments);
        let turns = Turns::new(&outlines, &segments, &answers);
        let places = outlines.iter().enumerate().map(|(at, outline)| (outline.id.clone(), at)).collect();
        Ok(Self { session, outlines, segments, answers, totals, turns, labels, places, name })
    }

    /// The label on an entry.
    pub(super) fn label(&self, at: usize) -> Option<&str> {
        self.labels.get(&*self.outlines[at].id).map(String::as_str)
    }

    /// The place of an entry.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// What the page is about: the session's name, else what was asked first.
    pub(super) fn title(&self) -> &str {
        let asked = self.outlines.iter().find(|outline| outline.kind == Kind::User && !outline.snippet.is_empty());
        match (self.name.as_str(), asked) {
            ("", Some(asked)) => &asked.snippet,
            ("", None) => "Session",
            (name, _) => name,
        }
    }
}
