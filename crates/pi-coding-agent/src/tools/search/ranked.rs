//! Keeps the first hits in the order of their paths, whatever the order in which they arrive.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering as Atomically};
use std::sync::{Mutex, MutexGuard};

use pi_guard::Unpoisoned;

/// When there is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// Most matches.
    pub(super) count: usize,
    /// Bytes of text after which no more hits are taken: a bound for memory, far above what a model is shown.
    pub(super) bytes: usize,
}

/// What was found in or at one path.
#[derive(Debug)]
pub(super) struct Hit<T> {
    /// The finding.
    pub(super) value: T,
    /// Matches in it, counted towards the limit.
    pub(super) count: usize,
    /// Bytes of its text.
    pub(super) bytes: usize,
}

/// Hits of several threads. As soon as there are enough, paths behind the last one kept are of no interest, and every
/// further hit moves that line forward.
#[derive(Debug)]
pub(super) struct Ranked<T> {
    bounds: Bounds,
    is_full: AtomicBool,
    kept: Mutex<Kept<T>>,
}

#[derive(Debug)]
struct Kept<T> {
    heap: BinaryHeap<AtPath<T>>,
    count: usize,
    bytes: usize,
}

/// A hit, ordered by its path.
#[derive(Debug)]
struct AtPath<T>(PathBuf, Hit<T>);

impl<T> Ranked<T> {
    pub(super) fn new(bounds: Bounds) -> Self {
        let kept = Kept { heap: BinaryHeap::new(), count: 0, bytes: 0 };
        Self { bounds, is_full: AtomicBool::new(false), kept: Mutex::new(kept) }
    }

    /// Whether a path comes too late in the order to matter. For a directory, the same is true of all below it.
    pub(super) fn is_beyond(&self, path: &Path) -> bool {
        self.is_full.load(Atomically::Relaxed)
            && self.lock().heap.peek().is_some_and(|last| by_path(path, &last.0) == Ordering::Greater)
    }

    /// Whether there is enough. Earlier paths may still replace what is kept.
    pub(super) fn is_full(&self) -> bool {
        self.is_full.load(Atomically::Relaxed)
    }

    /// Matches kept so far.
    pub(super) fn count(&self) -> usize {
        self.lock().count
    }

    pub(super) fn add(&self, path: PathBuf, hit: Hit<T>) {
        let mut kept = self.lock();
        kept.count += hit.count;
        kept.bytes += hit.bytes;
        kept.heap.push(AtPath(path, hit));
        while kept.can_spare_last(self.bounds) {
            kept.drop_last();
        }
        self.is_full.store(kept.is_enough(self.bounds), Atomically::Relaxed);
    }

    /// The hits in the order of their paths.
    pub(super) fn into_sorted(self) -> Vec<(PathBuf, T)> {
        let kept = self.kept.into_inner().unpoisoned();
        let mut hits = kept.heap.into_vec();
        hits.sort_unstable();
        hits.into_iter().map(|AtPath(path, hit)| (path, hit.value)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Kept<T>> {
        self.kept.lock().unpoisoned()
    }
}

impl<T> Kept<T> {
    fn is_enough(&self, bounds: Bounds) -> bool {
        self.count >= bounds.count || self.bytes >= bounds.bytes
    }

    fn can_spare_last(&self, bounds: Bounds) -> bool {
        self.heap.peek().is_some_and(|AtPath(_, last)| {
            self.count - last.count >= bounds.count || self.bytes - last.bytes >= bounds.bytes
        })
    }

    fn drop_last(&mut self) {
        if let Some(AtPath(_, last)) = self.heap.pop() {
            self.count -= last.count;
            self.bytes -= last.bytes;
        }
    }
}

impl<T> Ord for AtPath<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        by_path(&self.0, &other.0)
    }
}

impl<T> PartialOrd for AtPath<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for AtPath<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for AtPath<T> {}

/// Compares paths name by name, names by their bytes: the order of a walk that sorts each directory.
///
/// The same as the order of `Path`, without taking the paths apart, which a sort of many paths would pay for.
pub(super) fn by_path(a: &Path, b: &Path) -> Ordering {
    let (a, b) = (a.as_os_str().as_bytes(), b.as_os_str().as_bytes());
    // A separator comes before every byte that a name can have.
    let rank = |byte: u8| if byte == b'/' { 0 } else { byte };
    match a.iter().zip(b).find(|(a, b)| a != b) {
        Some((a, b)) => rank(*a).cmp(&rank(*b)),
        None => a.len().cmp(&b.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranked(count: usize, hits: &[(String, usize)]) -> Vec<String> {
        let ranked = Ranked::new(Bounds { count, bytes: usize::MAX });
        for (path, count) in hits {
            let path = PathBuf::from(path);
            if !ranked.is_beyond(&path) {
                ranked.add(path, Hit { value: (), count: *count, bytes: 1 });
            }
        }
        ranked.into_sorted().into_iter().map(|(path, ())| path.display().to_string()).collect()
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_paths(a in "/[ab!/-]{0,8}", b in "/[ab!/-]{0,8}") {
            let tidy = |text: &str| Path::new(text).components().collect::<PathBuf>();
            let (a, b) = (tidy(&a), tidy(&b));
            prop_assert_eq!(by_path(&a, &b), a.cmp(&b));
        }

        #[test]
        fn as_many_files_are_kept_as_the_limit_takes(
            hits in proptest::collection::btree_map("[a-d]{1,3}", 1..4_usize, 0..20), limit in 1..30_usize, seed: u64
        ) {
            let mut total = 0;
            let wanted: Vec<String> =
                hits.iter().take_while(|(_, count)| { total += *count; total - *count < limit }).map(|(path, _)| path.clone()).collect();
            let mut arriving: Vec<(String, usize)> = hits.into_iter().collect();
            let turn = (seed as usize) % arriving.len().max(1);
            arriving.rotate_left(turn);
            prop_assert_eq!(ranked(limit, &arriving), wanted);
        }
    }
}
