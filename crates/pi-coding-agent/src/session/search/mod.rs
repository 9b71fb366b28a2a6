//! Searches what user and model said, and the names of sessions, in all sessions of a project or of all projects.
//!
//! Files are read by a few threads, the one written last first, and hits come session by session while the search goes
//! on ([`SearchResults`] is an iterator). As with lists, no file is changed and none can make a search fail.
//!
//! # Layout
//! `query`: the language. `prefilter`: lines that cannot match, told without parsing. `score`, `excerpt`: from a message
//! to a hit. `session`: from a file to hits. `results`: threads and the stream.

mod excerpt;
mod prefilter;
mod query;
mod results;
mod score;
mod session;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use query::SearchQuery;
pub use results::SearchResults;

use super::list::SessionsLocation;
use super::list::files::{all_session_files, newest_first, session_files};
use crate::host::paths::Paths;

/// Which sessions are searched. They are the ones that [`list_sessions`](super::list_sessions) and
/// [`list_all_sessions`](super::list_all_sessions) show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchScope<'a> {
    /// Those of a project.
    Project {
        /// The project's directory.
        cwd: &'a Path,
        /// Where its sessions are, if not in the default directory.
        dir: Option<&'a Path>,
    },
    /// Those of all projects, or all in a directory.
    All {
        /// The directory.
        dir: Option<&'a Path>,
    },
}

/// How to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// Of a session with more hits than this only the best are given.
    pub most_per_session: usize,
    /// Length of an excerpt, in characters.
    pub excerpt_chars: usize,
}

impl Default for SearchOptions {
    /// 50 hits of 160 characters.
    fn default() -> Self {
        Self { most_per_session: 50, excerpt_chars: 160 }
    }
}

/// A session in which something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSession {
    /// The file.
    pub path: PathBuf,
    /// Session id.
    pub id: String,
    /// The working directory that the file names; empty when it names none.
    pub cwd: String,
    /// The display name.
    pub name: Option<String>,
}

/// A message that fits the query.
///
/// # Ranking
/// `score` adds up
///
/// | Points | For |
/// |---|---|
/// | 10 | each word, phrase or pattern of the query |
/// | 6, or 2 | its being found as a whole word, or at the start of one |
/// | 12 | the words of the query standing together in the given order |
/// | 5 | the user's having said it |
/// | 8, 6, 4, 2 | its having been said within a day, a week, 30 days, 180 days of the newest session searched |
///
/// so that a search over the same files always ranks alike, whatever the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchHit {
    /// Where.
    pub session: Arc<FoundSession>,
    /// Id of the entry; empty in a file of version 1, whose entries have none.
    pub entry_id: String,
    /// Who said it.
    pub role: SearchRole,
    /// When, Unix time in milliseconds; 0 when the file does not say.
    pub timestamp: i64,
    /// A piece of what was said, on one line, around what was found. `…` stands where something was left out.
    pub excerpt: String,
    /// What was found, as ranges of bytes of `excerpt`, in order and without overlap.
    pub matches: Vec<Range<usize>>,
    /// The higher, the better; see above.
    pub score: u32,
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchRole {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// Nobody: it is the name of the session.
    Name,
}

impl SearchRole {
    /// `user` or `assistant`, as in the file, or `name`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Name => "name",
        }
    }
}

/// Starts a search. Which files there are is found out at once (this blocks); they are read by other threads, which
/// stop soon after the results are dropped.
pub fn search_sessions(
    paths: &Paths,
    scope: SearchScope<'_>,
    query: SearchQuery,
    options: SearchOptions,
) -> SearchResults {
    let (files, only_of) = match scope {
        SearchScope::Project { cwd, dir } => {
            let place = SessionsLocation::new(paths, cwd, dir);
            (session_files(&place.dir), place.only_of)
        }
        SearchScope::All { dir } => (all_session_files(paths, dir), None),
    };
    SearchResults::start(newest_first(files), only_of, query, options)
}
