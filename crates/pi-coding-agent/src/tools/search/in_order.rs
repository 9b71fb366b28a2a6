//! Walks a tree with all cores and still answers with the first hits in the order of their paths.
//!
//! First a look at the start of the tree, in order and on one thread: where hits are so frequent that the limit is
//! near, nothing else needs to be walked. Else all cores take the tree in any order. Once there are enough hits, what
//! lies behind the last of them is left out, so the answer is the same as that of an ordered walk.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::ranked::{Bounds, Hit, Ranked, by_path};
use super::stop::Stop;

/// After so many entries it is judged whether going on in order leads to the limit soon.
const STEP: usize = 64;
/// What "soon" means: most entries that are walked in order.
const HEAD: usize = 2048;

/// Examines entries with `make()`, one such examiner per thread, and returns the first hits in the order of the paths.
/// The root itself is not examined.
///
/// # Errors
/// When the root cannot be read. What cannot be read below it is left out.
pub(super) fn first_hits<T, E>(
    walk: &WalkBuilder,
    bounds: Bounds,
    stop: &Stop,
    make: impl Fn() -> E + Sync,
) -> Result<Vec<(PathBuf, T)>, ignore::Error>
where
    T: Send,
    E: FnMut(&DirEntry) -> Option<Hit<T>> + Send,
{
    let ranked = Ranked::new(bounds);
    if let Some(frontier) = take_head(walk, bounds, stop, &ranked, make())? {
        take_all(walk, stop, &ranked, &frontier, make)?;
    }
    Ok(ranked.into_sorted())
}

/// Walks in order as long as that promises an early end. Returns where it gave up, if it did.
fn take_head<T>(
    walk: &WalkBuilder,
    bounds: Bounds,
    stop: &Stop,
    ranked: &Ranked<T>,
    mut examine: impl FnMut(&DirEntry) -> Option<Hit<T>>,
) -> Result<Option<PathBuf>, ignore::Error> {
    let mut walk = walk.clone();
    let entries = walk.sort_by_file_name(Ord::cmp).build();
    for (seen, entry) in entries.enumerate() {
        let entry = match entry {
            Ok(entry) if entry.depth() > 0 => entry,
            Err(e) if is_at_root(&e) => return Err(e),
            _ => continue,
        };
        if let Some(hit) = examine(&entry) {
            ranked.add(entry.path().to_owned(), hit);
        }
        if ranked.is_full() || stop.is_set() {
            return Ok(None);
        }
        let is_promising = || ranked.count().saturating_mul(HEAD) >= bounds.count.saturating_mul(seen);
        if seen >= HEAD || seen % STEP == STEP - 1 && !is_promising() {
            return Ok(Some(entry.into_path()));
        }
    }
    Ok(None)
}

/// Walks everything behind `frontier` in any order.
fn take_all<T, E>(
    walk: &WalkBuilder,
    stop: &Stop,
    ranked: &Ranked<T>,
    frontier: &Path,
    make: impl Fn() -> E + Sync,
) -> Result<(), ignore::Error>
where
    T: Send,
    E: FnMut(&DirEntry) -> Option<Hit<T>> + Send,
{
    let failure = Mutex::new(None);
    walk.build_parallel().run(|| {
        let (mut examine, failure) = (make(), &failure);
        Box::new(move |entry| {
            if stop.is_set() {
                return WalkState::Quit;
            }
            match entry {
                Ok(entry) if ranked.is_beyond(entry.path()) => return WalkState::Skip,
                Ok(entry) if by_path(entry.path(), frontier) == Ordering::Greater => {
                    if let Some(hit) = examine(&entry) {
                        ranked.add(entry.into_path(), hit);
                    }
                }
                Err(e) if is_at_root(&e) => *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(e),
                _ => {}
            }
            WalkState::Continue
        })
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

fn is_at_root(error: &ignore::Error) -> bool {
    error.depth() == Some(0) && error.io_error().is_some()
}
