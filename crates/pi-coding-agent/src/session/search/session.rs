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
use crate::session::list::light::{LightEntry, entries_of, may_name};
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
        let mut found = Vec::new();
        let mut name = None;
        let wanted = |header: &SessionHeader| self.only_of.as_ref().is_none_or(|cwd| belongs_to(&header.cwd, cwd));
        let header = read_session(&file.path, buffer, &self.stop, wanted, |line| {
            if may_name(line) || self.prefilter.lets_through(line) {
                for entry in entries_of(line) {
                    name = entry.name().unwrap_or(name.take());
                    found.extend(self.search_entry(&entry));
                }
                self.keep_best(&mut found, 2 * self.options.most_per_session);
            }
            ControlFlow::Continue(())
        });
        let Some(header) = header else { return vec![] };
        self.keep_best(&mut found, 0);
        let (path, id, cwd) = (file.path.clone(), header.id, header.cwd);
        let session = Arc::new(FoundSession { path, id, cwd, name });
        found.into_iter().map(|found| found.into_hit(&session)).collect()
    }

    fn search_entry(&self, entry: &LightEntry) -> Option<Found> {
        let message = entry.message()?;
        let role = match message.role() {
            "user" => SearchRole::User,
            "assistant" => SearchRole::Assistant,
            _ => return None,
        };
        let text = message.text();
        let timestamp = message.timestamp().unwrap_or(0);
        let score = score(&self.query, &text, role, timestamp, self.newest)?;
        let (excerpt, matches) = excerpt(&self.query, &text, self.options.excerpt_chars);
        Some(Found { entry_id: entry.id().to_owned(), role, timestamp, excerpt, matches, score })
    }

    /// Sorts, and drops what is too much, if there are more than `enough`.
    fn keep_best(&self, found: &mut Vec<Found>, enough: usize) {
        if found.len() > enough {
            found.sort_by_key(|found| Reverse((found.score, found.timestamp)));
            found.truncate(self.options.most_per_session);
        }
    }
}

impl Found {
    fn into_hit(self, session: &Arc<FoundSession>) -> SearchHit {
        let Self { entry_id, role, timestamp, excerpt, matches, score } = self;
        SearchHit { session: Arc::clone(session), entry_id, role, timestamp, excerpt, matches, score }
    }
}
