//! Walks a tree with all cores and still answers with the first hits in the order of their paths.
//!
//! A walk starts in order and on one thread, which is all that a small tree or a frequent pattern needs. How it goes on
//! depends on the work. Where names are all that is looked at, the walk itself is the work: all cores take the rest of
//! the tree in any order, and once there are enough hits, what lies behind the last of them is left out. Where files are
//! read, the walk goes on in order, and all cores take the files from it, until there are enough hits.

use std::cmp::Ordering;
use std::iter::Fuse;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::{self, available_parallelism};

use ignore::{DirEntry, Walk, WalkBuilder, WalkState};
use pi_guard::Unpoisoned;

use super::ranked::{Bounds, Hit, Ranked, by_path};
use super::stop::Stop;

/// After so many entries it is judged whether going on with one thread leads to the limit soon.
const STEP: usize = 64;
/// What "soon" means: most entries whose names are looked at by one thread.
const HEAD: usize = 16384;
/// Entries that a thread takes at once.
const BATCH: usize = 32;
/// Most threads: as many as ripgrep starts.
const THREADS: usize = 12;

/// A search below a directory.
#[derive(Debug)]
pub(super) struct Search<'a, T> {
    walk: WalkBuilder,
    bounds: Bounds,
    stop: &'a Stop,
    ranked: Ranked<T>,
}

impl<'a, T: Send> Search<'a, T> {
    pub(super) fn new(walk: WalkBuilder, bounds: Bounds, stop: &'a Stop) -> Self {
        Self { walk, bounds, stop, ranked: Ranked::new(bounds) }
    }

    /// Examines names with `make()`, one such examiner per thread, and returns the first hits in the order of their
    /// paths. The root itself is not examined, what cannot be read below it is left out.
    ///
    /// # Errors
    /// When the root cannot be read.
    pub(super) fn names<E>(self, make: impl Fn() -> E + Sync) -> Result<Vec<(PathBuf, T)>, ignore::Error>
    where
        E: FnMut(&DirEntry) -> Option<Hit<T>> + Send,
    {
        let is_promising =
            |seen: usize| self.ranked.count().saturating_mul(HEAD) >= self.bounds.count.saturating_mul(seen);
        // Only before a directory: the names beside those that were seen have been read and would be read again.
        let gives_up = |seen: usize, entry: &DirEntry| {
            seen >= STEP && is_directory(entry) && (seen >= HEAD || !is_promising(seen))
        };
        if let Some(frontier) = self.begin(&mut self.in_order(), &mut make(), gives_up)? {
            self.walk_behind(&frontier, make)?;
        }
        Ok(self.ranked.into_sorted())
    }

    /// The same for an examination that reads the files.
    ///
    /// # Errors
    /// When the root cannot be read.
    pub(super) fn contents<E>(self, make: impl Fn() -> E + Sync) -> Result<Vec<(PathBuf, T)>, ignore::Error>
    where
        E: FnMut(&DirEntry) -> Option<Hit<T>> + Send,
    {
        let (mut entries, mut first) = (self.in_order(), make());
        if self.begin(&mut entries, &mut first, |seen, _| seen >= STEP)?.is_some() {
            self.share(entries, first, make);
        }
        Ok(self.ranked.into_sorted())
    }

    fn in_order(&self) -> Walk {
        // Paths in one directory differ in their names alone, so that their bytes can be compared as they are.
        let by_bytes = |a: &Path, b: &Path| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes());
        self.walk.clone().sort_by_file_path(by_bytes).build()
    }

    fn is_over(&self) -> bool {
        self.ranked.is_full() || self.stop.is_set()
    }

    fn examine(&self, entry: DirEntry, examine: &mut impl FnMut(&DirEntry) -> Option<Hit<T>>) {
        if let Some(hit) = examine(&entry) {
            self.ranked.add(entry.into_path(), hit);
        }
    }

    /// Examines entries in order until the search is over or `gives_up`; then returns how far it got.
    fn begin(
        &self,
        entries: &mut Walk,
        examine: &mut impl FnMut(&DirEntry) -> Option<Hit<T>>,
        gives_up: impl Fn(usize, &DirEntry) -> bool,
    ) -> Result<Option<PathBuf>, ignore::Error> {
        for seen in 1.. {
            match entries.next() {
                None => break,
                Some(Err(e)) if is_at_root(&e) => return Err(e),
                Some(Ok(entry)) if entry.depth() > 0 => {
                    let frontier = gives_up(seen, &entry).then(|| entry.path().to_owned());
                    self.examine(entry, examine);
                    if self.is_over() {
                        break;
                    }
                    if frontier.is_some() {
                        return Ok(frontier);
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Walks everything behind `frontier` in any order.
    fn walk_behind<E>(&self, frontier: &Path, make: impl Fn() -> E + Sync) -> Result<(), ignore::Error>
    where
        E: FnMut(&DirEntry) -> Option<Hit<T>> + Send,
    {
        let failure = Mutex::new(None);
        self.walk.build_parallel().run(|| {
            let (mut examine, failure) = (make(), &failure);
            Box::new(move |entry| {
                if self.stop.is_set() {
                    return WalkState::Quit;
                }
                match entry {
                    Ok(entry) if self.ranked.is_beyond(entry.path()) => return WalkState::Skip,
                    Ok(entry) if by_path(entry.path(), frontier) == Ordering::Greater => {
                        self.examine(entry, &mut examine);
                    }
                    // What is below it has been examined, unless the frontier is there.
                    Ok(entry) if !frontier.starts_with(entry.path()) => return WalkState::Skip,
                    Err(e) if is_at_root(&e) => *failure.lock().unpoisoned() = Some(e),
                    _ => {}
                }
                WalkState::Continue
            })
        });
        failure.into_inner().unpoisoned().map_or(Ok(()), Err)
    }

    /// Examines the remaining entries with all cores. Each thread takes the next few from the one walk: as far as they
    /// are taken, they are taken in order.
    fn share<E>(&self, entries: Walk, first: E, make: impl Fn() -> E + Sync)
    where
        E: FnMut(&DirEntry) -> Option<Hit<T>> + Send,
    {
        let threads = available_parallelism().map_or(1, usize::from).min(THREADS);
        let (entries, make) = (&Mutex::new(entries.fuse()), &make);
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(move || self.examine_batches(entries, make()));
            }
            self.examine_batches(entries, first);
        });
    }

    fn examine_batches(&self, entries: &Mutex<Fuse<Walk>>, mut examine: impl FnMut(&DirEntry) -> Option<Hit<T>>) {
        let mut batch = Vec::with_capacity(BATCH);
        while !self.is_over() {
            batch.extend(entries.lock().unpoisoned().by_ref().flatten().take(BATCH));
            if batch.is_empty() {
                return;
            }
            for entry in batch.drain(..) {
                if self.stop.is_set() {
                    return;
                }
                if !self.ranked.is_beyond(entry.path()) {
                    self.examine(entry, &mut examine);
                }
            }
        }
    }
}

/// Whether this is a directory, or in a walk that follows links a link to one.
pub(super) fn is_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn is_at_root(error: &ignore::Error) -> bool {
    error.depth() == Some(0) && error.io_error().is_some()
}
