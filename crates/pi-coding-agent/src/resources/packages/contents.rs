//! What was installed must be inside the package: a link that leads out of it could show the model, or run, anything.

use std::fs;
use std::path::{Path, PathBuf};

use crate::host::paths::absolute;

/// The first link below `dir` that leads out of `root`; an error of the system counts as one. The administration of git is
/// left out: it is git's own.
pub(super) fn link_that_leaves(dir: &Path, root: &Path) -> Option<PathBuf> {
    let Ok(real_root) = fs::canonicalize(root) else { return Some(root.to_owned()) };
    if !fs::canonicalize(dir).is_ok_and(|real| real.starts_with(&real_root)) {
        return Some(dir.to_owned());
    }
    let mut left = vec![dir.to_owned()];
    while let Some(dir) = left.pop() {
        let Ok(entries) = fs::read_dir(&dir) else { return Some(dir) };
        for entry in entries {
            let Ok(entry) = entry else { return Some(dir) };
            let (path, kind) = (entry.path(), entry.file_type().ok());
            if kind.is_some_and(|kind| kind.is_symlink()) {
                if leaves(&path, root, &real_root) {
                    return Some(path);
                }
            } else if kind.is_none_or(|kind| kind.is_dir()) && entry.file_name() != ".git" {
                left.push(path);
            }
        }
    }
    None
}

/// A link that leads nowhere is judged by its text: what it names may come later.
fn leaves(link: &Path, root: &Path, real_root: &Path) -> bool {
    match (fs::canonicalize(link), fs::read_link(link)) {
        (Ok(real), _) => !real.starts_with(real_root),
        (Err(_), Ok(target)) => {
            let named = absolute(link.parent().unwrap_or(root), &target);
            !named.starts_with(root) && !named.starts_with(real_root)
        }
        (Err(_), Err(_)) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_to_where_they_lead() {
        for (target, leads_out) in [
            ("inner/file", false),
            ("./inner", false),
            ("gone", false),
            ("../outside", true),
            ("../gone", true),
            ("/etc/passwd", true),
            ("inner/up/../../../outside", true),
        ] {
            let root = tempfile::tempdir().unwrap();
            let package = root.path().join("package");
            fs::create_dir_all(package.join("inner/deep")).unwrap();
            fs::create_dir_all(root.path().join("outside")).unwrap();
            fs::write(package.join("inner/file"), "").unwrap();
            std::os::unix::fs::symlink("deep", package.join("inner/up")).unwrap();
            assert_eq!(link_that_leaves(&package, &package), None);
            let link = package.join("inner/deep").join("../../link");
            std::os::unix::fs::symlink(target, &link).unwrap();
            let found = link_that_leaves(&package, &package);
            assert_eq!(found, leads_out.then(|| package.join("link")), "{target}");
        }
    }
}
