//! Walks a tree with all cores and still answers with the first hits in the order of their paths.
//!
//! A walk starts in order and on one thread, which is all that a small tree or a frequent pattern needs. How it goes on
//! depends on the work. Where names are all that is looked at, the walk itself is the work: all cores take the rest of
//! the tree in any order, and once there are enough hits, what lies behind the last of them is left out. Where files are
//! read, the walk goes on in order and hands the files to the other cores, until there are enough hits.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use ignore::{DirEntry, Walk, WalkBuilder, WalkState};

use super::ranked::{Bounds, Hit, Ranked, by_path};
use super::stop::Stop;

/// After so many entries it is judged whether going on like this leads to the limit soon.
const STEP: usize = 64;
/// What "soon" means: most entries whose names are looked at by one thread.
const HEAD: usize = 2048;
/// Entries that are handed over at once.
const BATCH: usize = 8;
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
        let gives_up = |seen: usize| {
            let is_promising = || self.ranked.count().saturating_mul(HEAD) >= self.bounds.count.saturating_mul(seen);
            seen >= HEAD || seen.is_multiple_of(STEP) && !is_promising()
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
        let mut entries = self.in_order();
        if self.begin(&mut entries, &mut make(), |seen| seen >= STEP)?.is_some() {
            self.hand_over(entries, make);
        }
        Ok(self.ranked.into_sorted())
    }

    fn in_order(&self) -> Walk {
        self.walk.clone().sort_by_file_name(Ord::cmp).build()
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
        gives_up: impl Fn(usize) -> bool,
    ) -> Result<Option<PathBuf>, ignore::Error> {
        for seen in 1.. {
            match entries.next() {
                None => break,
                Some(Err(e)) if is_at_root(&e) => return Err(e),
                Some(Ok(entry)) if entry.depth() > 0 => {
                    let frontier = gives_up(seen).then(|| entry.path().to_owned());
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
                    Err(e) if is_at_root(&e) => *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(e),
                    _ => {}
                }
                WalkState::Continue
            })
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Lets other threads examine the remaining entries.
    fn hand_over<E>(&self, entries: Walk, make: impl Fn() -> E + Sync)
    where
        E: FnMut(&DirEntry) -> Option<Hit<T>> + Send,
    {
        let threads = available_parallelism().map_or(1, usize::from).min(THREADS);
        let (sender, receiver) = sync_channel(4 * threads);
        let (receiver, make) = (Arc::new(Mutex::new(receiver)), &make);
        // The sender moves into the scope: the threads wait for it to go, and the scope waits for the threads.
        thread::scope(move |scope| {
            for _ in 0..threads {
                let receiver = Arc::clone(&receiver);
                scope.spawn(move || self.examine_batches(&receiver, make()));
            }
            drop(receiver);
            let mut batch = Vec::with_capacity(BATCH);
            for entry in entries.flatten() {
                if self.is_over() {
                    return;
                }
                batch.push(entry);
                if batch.len() == BATCH && sender.send(std::mem::take(&mut batch)).is_err() {
                    return;
                }
            }
            _ = sender.send(batch);
        });
    }

    fn examine_batches(
        &self,
        batches: &Mutex<Receiver<Vec<DirEntry>>>,
        mut examine: impl FnMut(&DirEntry) -> Option<Hit<T>>,
    ) {
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).recv();
        while let Ok(batch) = next() {
            for entry in batch {
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

fn is_at_root(error: &ignore::Error) -> bool {
    error.depth() == Some(0) && error.io_error().is_some()
}
