//! The files below directories, kept for completion. An index is walked in the background: what is known so far can be
//! searched at any time, and what is old is searched while it is walked again.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

use pi_coding_agent::tools::{WalkedPath, walk_files};
use pi_guard::Unpoisoned;
use tokio::sync::Notify;

use super::rank::Entry;

/// So many directories are remembered.
const REMEMBERED: usize = 4;
/// What is older is walked again; a large tree is not walked more than a tenth of the time.
const FRESH_FOR: Duration = Duration::from_secs(3);
const REST: u32 = 10;

/// The indices of this run. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(in crate::modes::interactive) struct FileIndex(Arc<Mutex<Vec<Arc<Tree>>>>);

/// What lies below one directory.
#[derive(Debug)]
pub(in crate::modes::interactive) struct Tree {
    root: PathBuf,
    known: Mutex<Known>,
    /// The walk is over.
    settled: Notify,
}

#[derive(Debug, Default)]
struct Known {
    /// All entries, as of the last walk that is over.
    chunks: Vec<Arc<[Entry]>>,
    /// What the walk under way has found.
    coming: Vec<Arc<[Entry]>>,
    is_walking: bool,
    walked_at: Option<Instant>,
    /// How long the last walk took.
    took: Duration,
}

impl FileIndex {
    /// The index of a directory. Walks it in the background, up to `limit` entries, if that was not done just now.
    pub(in crate::modes::interactive) fn tree(&self, root: &Path, limit: usize) -> Arc<Tree> {
        let mut trees = self.0.lock().unpoisoned();
        let at = trees.iter().position(|tree| tree.root == root);
        // The one that was used last stays longest. A tree that is forgotten ends its walk.
        let tree = at.map_or_else(|| Arc::new(Tree::new(root)), |at| trees.remove(at));
        trees.push(Arc::clone(&tree));
        if trees.len() > REMEMBERED {
            trees.remove(0);
        }
        drop(trees);
        tree.refresh(limit);
        tree
    }
}

impl Tree {
    fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), known: Mutex::default(), settled: Notify::new() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unpoisoned()
    }

    fn refresh(self: &Arc<Self>, limit: usize) {
        let mut known = self.known();
        let fresh_for = FRESH_FOR.max(known.took * REST);
        if known.is_walking || known.walked_at.is_some_and(|at| at.elapsed() < fresh_for) {
            return;
        }
        known.is_walking = true;
        drop(known);
        let (root, tree) = (self.root.clone(), Arc::downgrade(self));
        tokio::task::spawn_blocking(move || walk(&root, limit, &tree));
    }

    /// What is known: of the last walk, or of the first as far as it got.
    pub(in crate::modes::interactive) fn chunks(&self) -> Vec<Arc<[Entry]>> {
        let known = self.known();
        if known.walked_at.is_some() { known.chunks.clone() } else { known.coming.clone() }
    }

    /// Whether there is an old list to show while the new one comes.
    pub(in crate::modes::interactive) fn has_list(&self) -> bool {
        self.known().walked_at.is_some()
    }

    /// Waits until the walk is over.
    pub(in crate::modes::interactive) async fn settled(&self) {
        let mut settled = std::pin::pin!(self.settled.notified());
        // Before the look, so that the end of the walk is not missed.
        settled.as_mut().enable();
        if self.known().is_walking {
            settled.await;
        }
    }

    fn add(&self, batch: &[WalkedPath]) {
        let entry = |found: &WalkedPath| Some(Entry::new(found.path.to_str()?, found.is_directory));
        let chunk: Arc<[Entry]> = batch.iter().filter_map(entry).collect();
        self.known().coming.push(chunk);
    }

    fn end(&self, took: Duration) {
        let mut known = self.known();
        known.took = took;
        known.chunks = std::mem::take(&mut known.coming);
        known.is_walking = false;
        known.walked_at = Some(Instant::now());
        drop(known);
        self.settled.notify_waiters();
    }
}

/// Walks a directory as long as somebody has its tree.
fn walk(root: &Path, limit: usize, tree: &Weak<Tree>) {
    let take = |batch: Vec<WalkedPath>| {
        let Some(tree) = tree.upgrade() else { return false };
        tree.add(&batch);
        true
    };
    let began = Instant::now();
    // What cannot be walked has no files to offer.
    let _ = walk_files(root, limit, take);
    if let Some(tree) = tree.upgrade() {
        tree.end(began.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(tree: &Tree) -> usize {
        tree.chunks().iter().map(|chunk| chunk.len()).sum()
    }

    #[tokio::test]
    async fn walks_once_and_remembers_a_few() {
        let dir = tempfile::tempdir().unwrap();
        for index in 0..REMEMBERED + 1 {
            std::fs::create_dir(dir.path().join(index.to_string())).unwrap();
        }
        let index = FileIndex::default();
        let tree = index.tree(dir.path(), usize::MAX);
        tree.settled().await;
        assert!(tree.has_list());
        assert_eq!(count(&tree), REMEMBERED + 1);
        assert!(Arc::ptr_eq(&tree, &index.tree(dir.path(), usize::MAX)));
        for index_of in 0..REMEMBERED {
            index.tree(&dir.path().join(index_of.to_string()), usize::MAX);
        }
        assert!(!Arc::ptr_eq(&tree, &index.tree(dir.path(), usize::MAX)));
    }
}
