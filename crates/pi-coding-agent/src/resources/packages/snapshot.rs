//! What a directory held before a program works in it, to go back to when the work does not get to its end: interrupted,
//! failed, refused, or the disk full. Files are kept by hard links, so that it costs little. What a run that was killed
//! has left is put back by the next one.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::install_lock::LOCK;
use super::package_dirs::{in_background, io, make_dir};
use crate::resources::PackageError;

/// The directory, below that of the packages, in which it is kept.
const KEPT: &str = ".before";
/// In there: the tree, and a file that says where it belongs. It is written when the tree is complete.
const TREE: &str = "tree";
const PLACE: &str = "place";
/// What the file is called when all of the new is gone and the old is on its way back.
const MOVING: &str = "moving";
/// Ours, and none of what programs work on.
const OURS: [&str; 3] = [KEPT, LOCK, ".gitignore"];
/// So deep, files are copied: programs write their lists anew in place, and a link would change with them.
const COPIED_DEPTH: usize = 1;

/// What a directory held. Either [`Self::settle`] it, or the next one who holds the lock does.
#[derive(Debug)]
#[must_use]
pub(super) struct Before {
    root: PathBuf,
}

impl Before {
    /// Keeps what is in `dir`, which is `root` or below it. The lock of `root` must be held.
    ///
    /// # Errors
    /// [`PackageError::Io`].
    pub(super) async fn of(dir: &Path, root: &Path) -> Result<Self, PackageError> {
        let (dir, before) = (dir.to_owned(), Self { root: root.to_owned() });
        let root = root.to_owned();
        in_background(move || {
            keep(&dir, &root).inspect_err(|_| {
                // The disk may be full; what is left is cleared away by the next one.
                let _ = forget(&root);
            })
        })
        .await?;
        Ok(before)
    }

    /// Forgets what was, if the work was done; else puts it back.
    ///
    /// # Errors
    /// That of the work.
    pub(super) async fn settle<T>(self, done: Result<T, PackageError>) -> Result<T, PackageError> {
        let is_done = done.is_ok();
        let settled = in_background(move || if is_done { forget(&self.root) } else { put_back(&self.root) }).await;
        // What could not be put back now is tried again by the next one; what the work said counts.
        let value = done?;
        settled.map(|()| value)
    }
}

fn keep(dir: &Path, root: &Path) -> Result<(), PackageError> {
    let kept = root.join(KEPT);
    copy_tree(dir, &kept.join(TREE))?;
    let place = dir.strip_prefix(root).unwrap_or(Path::new("")).as_os_str().as_encoded_bytes();
    let file = kept.join(PLACE);
    fs::write(&file, place).map_err(io("write", &file))
}

/// Puts back what was left by a run that was killed. The lock of `root` must be held.
///
/// # Errors
/// [`PackageError::Io`].
pub(super) fn put_back(root: &Path) -> Result<(), PackageError> {
    let kept = root.join(KEPT);
    let (tree, place, moving) = (kept.join(TREE), kept.join(PLACE), kept.join(MOVING));
    if let Some(dir) = read_place(&place) {
        remove_what_is_new(&root.join(dir), &tree)?;
        fs::rename(&place, &moving).map_err(io("rename", &place))?;
    }
    // Whoever is killed here must not take for new what is back already.
    if let Some(dir) = read_place(&moving) {
        for path in entries(&tree)? {
            let to = root.join(&dir).join(path.file_name().unwrap_or_default());
            remove(&to)?;
            fs::rename(&path, &to).map_err(io("put back", &to))?;
        }
    }
    forget(root)
}

fn remove_what_is_new(dir: &Path, tree: &Path) -> Result<(), PackageError> {
    make_dir(dir)?;
    let is_new =
        |path: &PathBuf| !is_ours(path) && tree.join(path.file_name().unwrap_or_default()).symlink_metadata().is_err();
    entries(dir)?.iter().filter(|path| is_new(path)).try_for_each(|path| remove(path))
}

/// First what says that the tree is complete: from then on it is rubbish.
fn forget(root: &Path) -> Result<(), PackageError> {
    let kept = root.join(KEPT);
    [kept.join(PLACE), kept.join(MOVING), kept].iter().try_for_each(|path| remove(path))
}

#[cfg(unix)]
fn read_place(file: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    fs::read(file).ok().map(|bytes| std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn read_place(file: &Path) -> Option<PathBuf> {
    fs::read_to_string(file).ok().map(PathBuf::from)
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), PackageError> {
    make_dir(to)?;
    let mut left: Vec<(PathBuf, PathBuf, usize)> = vec![(from.to_owned(), to.to_owned(), 0)];
    while let Some((from, to, depth)) = left.pop() {
        for path in entries(&from)? {
            if depth == 0 && is_ours(&path) {
                continue;
            }
            let to = to.join(path.file_name().unwrap_or_default());
            let kind = path.symlink_metadata().map_err(io("read", &path))?.file_type();
            if kind.is_dir() {
                make_dir(&to)?;
                left.push((path, to, depth + 1));
            } else {
                copy_entry(&path, &to, depth > COPIED_DEPTH).map_err(io("keep a copy of", &path))?;
            }
        }
    }
    Ok(())
}

/// A hard link where it may be one and the file system has them.
fn copy_entry(from: &Path, to: &Path, may_be_link: bool) -> std::io::Result<()> {
    let kind = from.symlink_metadata()?.file_type();
    if kind.is_symlink() {
        return symlink(&fs::read_link(from)?, to);
    }
    if may_be_link && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    // Sockets and the like are of no package.
    if kind.is_file() { fs::copy(from, to).map(drop) } else { Ok(()) }
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_target: &Path, _link: &Path) -> std::io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, PackageError> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(io("read", dir))?,
    };
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(io("read", dir))).collect()
}

fn is_ours(path: &Path) -> bool {
    path.file_name().is_some_and(|name| OURS.iter().any(|ours| name == *ours))
}

/// Removes a directory, a file or a link, if it is there.
fn remove(path: &Path) -> Result<(), PackageError> {
    let removed = match path.symlink_metadata() {
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io("remove", path)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of packages as npm leaves it, and what is in it as lines.
    fn root() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in ["package.json", ".gitignore", LOCK, "node_modules/.package-lock.json", "node_modules/a/lib/x.js"] {
            write(&root.path().join(file), "old");
        }
        std::os::unix::fs::symlink("../a/lib/x.js", root.path().join("node_modules/link")).unwrap();
        root
    }

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn lines(dir: &Path) -> Vec<String> {
        let mut lines = Vec::new();
        let mut left = vec![dir.to_owned()];
        while let Some(at) = left.pop() {
            for path in entries(&at).unwrap() {
                let name = path.strip_prefix(dir).unwrap().display().to_string();
                match fs::read_link(&path) {
                    Ok(target) => lines.push(format!("{name} -> {}", target.display())),
                    Err(_) if path.is_dir() => left.push(path),
                    Err(_) => lines.push(format!("{name}: {}", fs::read_to_string(&path).unwrap())),
                }
            }
        }
        lines.sort();
        lines
    }

    /// What npm does when it is killed in the middle of an update.
    fn break_off(root: &Path) {
        fs::write(root.join("package.json"), "ne").unwrap();
        fs::write(root.join("node_modules/.package-lock.json"), "").unwrap();
        fs::rename(root.join("node_modules/a"), root.join("node_modules/.a-Xy")).unwrap();
        fs::create_dir_all(root.join("node_modules/a/half")).unwrap();
        fs::remove_file(root.join("node_modules/link")).unwrap();
        write(&root.join("package-lock.json"), "new");
    }

    #[tokio::test]
    async fn work_that_was_not_done_leaves_nothing() {
        for settled in [true, false] {
            let root = root();
            let before = lines(root.path());
            let kept = Before::of(root.path(), root.path()).await.unwrap();
            break_off(root.path());
            match settled {
                true => assert!(kept.settle(Err::<(), _>(PackageError::Cancelled)).await.unwrap_err().is_cancelled()),
                // Killed.
                false => {
                    drop(kept);
                    put_back(root.path()).unwrap();
                }
            }
            assert_eq!(lines(root.path()), before);
        }
    }

    #[tokio::test]
    async fn work_that_was_done_stays() {
        let root = root();
        let kept = Before::of(root.path(), root.path()).await.unwrap();
        break_off(root.path());
        let after = lines(root.path()).into_iter().filter(|line| !line.starts_with(KEPT)).collect::<Vec<_>>();
        kept.settle(Ok(())).await.unwrap();
        assert_eq!(lines(root.path()), after);
    }

    #[tokio::test]
    async fn what_is_back_already_is_not_taken_for_new() {
        let root = root();
        let before = lines(root.path());
        drop(Before::of(root.path(), root.path()).await.unwrap());
        let kept = root.path().join(KEPT);
        fs::rename(kept.join(PLACE), kept.join(MOVING)).unwrap();
        fs::rename(kept.join(TREE).join("package.json"), root.path().join("package.json")).unwrap();
        put_back(root.path()).unwrap();
        assert_eq!(lines(root.path()), before);
    }

    #[tokio::test]
    async fn a_copy_that_is_not_complete_is_not_put_back() {
        let root = root();
        let before = lines(root.path());
        drop(Before::of(&root.path().join("node_modules/a"), root.path()).await.unwrap());
        fs::remove_file(root.path().join(KEPT).join(PLACE)).unwrap();
        fs::remove_dir_all(root.path().join(KEPT).join(TREE)).unwrap();
        put_back(root.path()).unwrap();
        assert_eq!(lines(root.path()), before);
    }

    #[tokio::test]
    async fn a_directory_below_is_put_back_alone() {
        let root = root();
        let dir = root.path().join("node_modules/a");
        let kept = Before::of(&dir, root.path()).await.unwrap();
        fs::remove_dir_all(&dir).unwrap();
        write(&root.path().join("node_modules/b/y.js"), "other");
        let _ = kept.settle(Err::<(), _>(PackageError::Cancelled)).await;
        let after = lines(root.path());
        assert!(after.contains(&"node_modules/a/lib/x.js: old".to_owned()), "{after:?}");
        assert!(after.contains(&"node_modules/b/y.js: other".to_owned()), "{after:?}");
    }
}
