//! Slow work of the list, each in a thread: listing, searching, removing, renaming. The panel polls the results.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use pi_coding_agent::session::{
    SearchOptions, SearchScope, SessionHost, SessionInfo, SessionManager, list_all_sessions, list_sessions, patiently,
    search_sessions,
};
use pi_guard::Unpoisoned;

use super::query::Query;
use crate::common::removal::{self, Removed, Trash};

/// Whose sessions are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those of the directory.
    Folder,
    /// Those of all directories.
    All,
}

/// Where sessions are looked for.
#[derive(Debug, Clone)]
pub(in crate::modes::interactive) struct Source {
    /// Directories, time, ids.
    pub(in crate::modes::interactive) host: SessionHost,
    /// The directory whose sessions are listed first.
    pub(in crate::modes::interactive) cwd: PathBuf,
    /// Where the files are, if not in the usual place.
    pub(in crate::modes::interactive) dir: Option<PathBuf>,
}

/// A value that a thread fills in, and a flag that asks the thread to stop.
#[derive(Debug, Default)]
struct Slot<T>(Arc<(Mutex<T>, AtomicBool)>);

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, T> {
        self.0.0.lock().unpoisoned()
    }

    fn stop(&self) {
        self.0.1.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.0.1.load(Ordering::Relaxed)
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A listing in progress. Dropping it stops the thread.
#[derive(Debug)]
pub(super) struct Listing(Slot<Listed>);

#[derive(Debug, Default)]
struct Listed {
    done: (usize, usize),
    sessions: Option<Vec<SessionInfo>>,
}

impl Listing {
    pub(super) fn start(source: &Source, scope: Scope) -> Self {
        let slot = Slot::<Listed>::default();
        let (own, source) = (slot.clone(), source.clone());
        thread::spawn(move || {
            let progress = |done, all| {
                own.lock().done = (done, all);
                own.flow()
            };
            let (paths, dir) = (&source.host.paths, source.dir.as_deref());
            let sessions = match scope {
                Scope::Folder => list_sessions(paths, &source.cwd, dir, progress),
                Scope::All => list_all_sessions(paths, dir, progress),
            };
            own.lock().sessions = Some(sessions);
        });
        Self(slot)
    }

    /// The list, once it is there.
    pub(super) fn take(&self) -> Option<Vec<SessionInfo>> {
        self.0.lock().sessions.take()
    }

    /// Files read so far, and files in all.
    pub(super) fn done(&self) -> (usize, usize) {
        self.0.lock().done
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The best that was found in a session for one part of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) score: u32,
    /// Who said it, and a piece of it.
    pub(super) excerpt: String,
}

/// A search through all messages. Dropping it stops the threads.
#[derive(Debug)]
pub(super) struct Search(Slot<Hits>);

#[derive(Debug, Default)]
struct Hits {
    by_term: Vec<HashMap<PathBuf, Hit>>,
    running: usize,
    /// Goes up with every hit.
    revision: u64,
}

/// Debounce: the search begins when no key has changed the query for this time.
const TYPING: Duration = Duration::from_millis(40);

impl Search {
    pub(super) fn start(source: &Source, scope: Scope, query: &Query) -> Self {
        let slot = Slot::<Hits>::default();
        let count = query.terms.len();
        *slot.lock() = Hits { by_term: vec![HashMap::new(); count], running: count, revision: 0 };
        for (at, term) in query.terms.iter().enumerate() {
            let (own, source, wanted) = (slot.clone(), source.clone(), term.text.clone());
            thread::spawn(move || {
                thread::sleep(TYPING);
                if !own.is_stopped() {
                    let (paths, dir) = (&source.host.paths, source.dir.as_deref());
                    let scope = match scope {
                        Scope::Folder => SearchScope::Project { cwd: &source.cwd, dir },
                        Scope::All => SearchScope::All { dir },
                    };
                    let options = SearchOptions { most_per_session: 1, ..SearchOptions::default() };
                    for hit in search_sessions(paths, scope, wanted, options) {
                        if own.is_stopped() {
                            return;
                        }
                        let excerpt = format!("{}: {}", hit.role.as_str(), hit.excerpt);
                        let found = Hit { score: hit.score, excerpt };
                        let mut hits = own.lock();
                        hits.revision += 1;
                        if let Some(of_term) = hits.by_term.get_mut(at) {
                            of_term.entry(hit.session.path.clone()).or_insert(found);
                        }
                    }
                }
                let mut hits = own.lock();
                hits.running -= 1;
                hits.revision += 1;
            });
        }
        Self(slot)
    }

    /// Whether a part is still searched for.
    pub(super) fn is_running(&self) -> bool {
        self.0.lock().running > 0
    }

    /// Goes up with every hit, and when a part is done.
    pub(super) fn revision(&self) -> u64 {
        self.0.lock().revision
    }

    /// What was found in a session for a part of the query.
    pub(super) fn hit(&self, term: usize, file: &Path) -> Option<Hit> {
        self.0.lock().by_term.get(term)?.get(file).cloned()
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A change of a file under way, and then its outcome.
#[derive(Debug)]
pub(super) struct Change(Slot<Option<Result<Changed, String>>>);

/// What was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Changed {
    Removed(PathBuf, Removed),
    Renamed(PathBuf, String),
}

impl Change {
    /// Removes a session.
    pub(super) fn remove(source: &Source, file: PathBuf) -> Self {
        let env = source.host.paths.env().clone();
        Self::start(move || {
            let removed =
                removal::remove_somehow(&file, Trash::find(&env).as_ref()).map_err(|error| error.to_string())?;
            Ok(Changed::Removed(file, removed))
        })
    }

    /// Gives a session that is not open another name.
    pub(super) fn rename(source: &Source, file: PathBuf, name: String) -> Self {
        let host = source.host.clone();
        Self::start(move || {
            let named = patiently(|| SessionManager::open(host.clone(), &file, None))
                .and_then(|mut manager| manager.append().session_info(&name));
            named.map_err(|error| format!("The session is not renamed: {error}"))?;
            Ok(Changed::Renamed(file, name))
        })
    }

    fn start(work: impl FnOnce() -> Result<Changed, String> + Send + 'static) -> Self {
        let slot = Slot::default();
        let own = slot.clone();
        thread::spawn(move || *own.lock() = Some(work()));
        Self(slot)
    }

    /// The outcome, once it is there.
    pub(super) fn take(&self) -> Option<Result<Changed, String>> {
        self.0.lock().take()
    }
}
