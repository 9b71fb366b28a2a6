//! One file: from its lines to the hits in it.

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::excerpt::excerpt;
use super::prefilter::Prefilter;
use super::query::SearchQuery;
use super::score::score;
use super::{FoundSession, SearchHit, SearchOptions, SearchRole};
use crate::session::header::SessionHeader;
use crate::session::list::files::{SessionFile, belongs_to};
use crate::session::list::parsed_entry::{LightEntry, LightMessage, entries_of, may_name};
use crate::session::list::session_lines::read_session;

/// What is searched for, and how.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) query: SearchQuery,
    pub(super) prefilter: Prefilter,
    pub(super) options: SearchOptions,
    /// Only sessions of this directory.
    pub(super) only_of: Option<PathBuf>,
    /// When the newest file was written, Unix time in milliseconds.
    pub(super) newest: i64,
    /// Set when nobody wants more.
    pub(super) stop: AtomicBool,
}

/// The best hits of a session so far.
#[derive(Debug, Default)]
struct Best {
    found: Vec<Found>,
    /// What scores less than this has no chance any more.
    floor: u32,
}

/// A hit in a session of which not everything is known yet.
#[derive(Debug)]
struct Found {
    entry_id: String,
    role: SearchRole,
    timestamp: i64,
    excerpt: String,
    matches: Vec<Range<usize>>,
    score: u32,
}

impl Search {
    /// The hits in a file, the best first. `buffer` is working space.
    pub(super) fn search_file(&self, file: &SessionFile, buffer: &mut Vec<u8>) -> Vec<SearchHit> {
        let mut best = Best::default();
        let mut name = None;
        let wanted = |header: &SessionHeader| self.only_of.as_ref().is_none_or(|cwd| belongs_to(&header.cwd, cwd));
        let header = read_session(&file.path, buffer, &self.stop, wanted, |line| {
            if may_name(line) || self.prefilter.lets_through(line) {
                for entry in entries_of(line) {
                    let LightEntry { id, name: given, message } = entry;
                    if let Some(given) = given {
                        name = given.map(|given| (id.clone(), given));
                    }
                    let found = message.and_then(|message| self.search_message(id, message, best.floor));
                    best.found.extend(found);
                }
                best.keep(self.options.most_per_session, 2);
            }
            ControlFlow::Continue(())
        });
        let Some(header) = header else { return vec![] };
        let named = name.as_ref().and_then(|(id, name)| self.search_name(id, name, file.changed_ms()));
        best.found.extend(named);
        best.keep(self.options.most_per_session, 0);
        let name = name.map(|(_, name)| name);
        let (path, id, cwd) = (file.path.clone(), header.id, header.cwd);
        let session = Arc::new(FoundSession { path, id, cwd, name });
        best.found.into_iter().map(|found| found.into_hit(&session)).collect()
    }

    fn search_message(&self, entry_id: String, message: LightMessage, floor: u32) -> Option<Found> {
        let role = match message.role.as_str() {
            "user" => SearchRole::User,
            "assistant" => SearchRole::Assistant,
            _ => return None,
        };
        let timestamp = message.timestamp.unwrap_or(0);
        let text = message.into_text()?;
        let score = score(&self.query, &text, role, timestamp, self.newest)?;
        if score < floor {
            return None;
        }
        let (excerpt, matches) = excerpt(&self.query, &text, self.options.excerpt_chars);
        Some(Found { entry_id, role, timestamp, excerpt, matches, score })
    }
}

impl Search {
    /// The name counts as what the user said; its entry has no time of its own here.
    fn search_name(&self, entry: &str, name: &str, changed: i64) -> Option<Found> {
        let score = score(&self.query, name, SearchRole::Name, changed, self.newest)?;
        let (excerpt, matches) = excerpt(&self.query, name, self.options.excerpt_chars);
        Some(Found { entry_id: entry.to_owned(), role: SearchRole::Name, timestamp: changed, excerpt, matches, score })
    }
}

impl Best {
    /// Sorts, and drops all but the best `most`, once there are more than so many times that.
    fn keep(&mut self, most: usize, times: usize) {
        if self.found.len() <= times.saturating_mul(most) {
            return;
        }
        self.found.sort_by_key(|found| Reverse((found.score, found.timestamp)));
        if self.found.len() > most {
            self.found.truncate(most);
            self.floor = self.found.last().map_or(0, |worst| worst.score);
        }
    }
}

impl Found {
    fn into_hit(self, session: &Arc<FoundSession>) -> SearchHit {
        let Self { entry_id, role, timestamp, excerpt, matches, score } = self;
        SearchHit { session: Arc::clone(session), entry_id, role, timestamp, excerpt, matches, score }
    }
}
