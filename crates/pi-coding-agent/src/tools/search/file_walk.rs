//! Everything below a directory, for lists that people choose files from.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::overrides::OverrideBuilder;
use ignore::{ParallelVisitor, ParallelVisitorBuilder, WalkState};

use super::ignore_guard::IgnoreGuard;
use super::in_order::is_directory;
use super::rules;
use crate::tools::operations::OperationError;

/// A thread hands over so many entries at once.
const BATCH: usize = 512;

/// A file or directory below the root of a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkedPath {
    /// Where it is, relative to the root.
    pub path: PathBuf,
    /// Whether it is a directory, or a link to one.
    pub is_directory: bool,
}

/// Walks everything below `root` with all cores, by the rules of the `find` tool: hidden files included, ignore files
/// obeyed. Links are followed, and `.git` is left out. Blocks.
///
/// `take` receives the entries in any order, in pieces, and from several threads; the walk ends when it returns `false`,
/// or after `limit` entries.
///
/// # Errors
/// When `root` is no directory, or an ignore file in it or above it cannot be read.
pub fn walk_files(
    root: &Path,
    limit: usize,
    take: impl Fn(Vec<WalkedPath>) -> bool + Send + Sync,
) -> Result<(), OperationError> {
    rules::check_directory(root)?;
    let mut walk = rules::for_find(root);
    walk.follow_links(true);
    let mut without = OverrideBuilder::new(root);
    if let Ok(without) = without.add("!.git").and_then(|without| without.build()) {
        walk.overrides(without);
    }
    // Kept until the walk is over: it decides which directories are entered.
    let _guard = IgnoreGuard::of(&mut walk, root)?;
    let left = AtomicUsize::new(limit);
    walk.build_parallel().visit(&mut Collectors { root, take: &take, left: &left });
    Ok(())
}

struct Collectors<'a, F> {
    root: &'a Path,
    take: &'a F,
    /// How many more entries are wanted.
    left: &'a AtomicUsize,
}

impl<'s, F: Fn(Vec<WalkedPath>) -> bool + Send + Sync> ParallelVisitorBuilder<'s> for Collectors<'s, F> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 's> {
        Box::new(Collector { root: self.root, take: self.take, left: self.left, batch: Vec::new() })
    }
}

/// Collects the entries of one thread.
struct Collector<'a, F: Fn(Vec<WalkedPath>) -> bool> {
    root: &'a Path,
    take: &'a F,
    left: &'a AtomicUsize,
    batch: Vec<WalkedPath>,
}

impl<F: Fn(Vec<WalkedPath>) -> bool> Collector<'_, F> {
    fn hand_over(&mut self) -> WalkState {
        if self.batch.is_empty() || (self.take)(std::mem::take(&mut self.batch)) {
            WalkState::Continue
        } else {
            WalkState::Quit
        }
    }
}

impl<F: Fn(Vec<WalkedPath>) -> bool + Send + Sync> ParallelVisitor for Collector<'_, F> {
    fn visit(&mut self, entry: Result<ignore::DirEntry, ignore::Error>) -> WalkState {
        // What cannot be read is left out.
        let Ok(entry) = entry else { return WalkState::Continue };
        let Ok(path) = entry.path().strip_prefix(self.root) else { return WalkState::Continue };
        if path.as_os_str().is_empty() {
            return WalkState::Continue;
        }
        let wanted = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if wanted.is_err() {
            return WalkState::Quit;
        }
        // Links are followed, so this is about what they lead to.
        self.batch.push(WalkedPath { path: path.to_owned(), is_directory: is_directory(&entry) });
        if self.batch.len() < BATCH { WalkState::Continue } else { self.hand_over() }
    }
}

impl<F: Fn(Vec<WalkedPath>) -> bool> Drop for Collector<'_, F> {
    /// What is left when the thread is done.
    fn drop(&mut self) {
        self.hand_over();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Mutex;

    use super::*;

    fn walked(root: &Path, limit: usize) -> Vec<String> {
        let found = Mutex::new(Vec::new());
        walk_files(root, limit, |batch| {
            found.lock().unwrap().extend(batch);
            true
        })
        .unwrap();
        let shown =
            |entry: WalkedPath| format!("{}{}", entry.path.display(), if entry.is_directory { "/" } else { "" });
        let mut shown: Vec<String> = found.into_inner().unwrap().into_iter().map(shown).collect();
        shown.sort();
        shown
    }

    #[test]
    fn obeys_ignore_files_and_leaves_git_out() {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in [
            (".git/config", ""),
            (".gitignore", "target\n*.log\n"),
            (".hidden", ""),
            ("src/main.rs", ""),
            ("src/trace.log", ""),
            ("target/debug/pi", ""),
        ] {
            let file = dir.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        std::os::unix::fs::symlink("src", dir.path().join("linked")).unwrap();
        let all = [".gitignore", ".hidden", "linked/", "linked/main.rs", "src/", "src/main.rs"];
        assert_eq!(walked(dir.path(), usize::MAX), all);
        assert_eq!(walked(dir.path(), 2).len(), 2);
    }

    #[test]
    fn ends_when_nobody_wants_more() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "").unwrap();
        walk_files(dir.path(), usize::MAX, |_| false).unwrap();
        walk_files(&dir.path().join("missing"), usize::MAX, |_| true).unwrap_err();
    }
}
