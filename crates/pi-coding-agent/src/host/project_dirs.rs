//! The project's configuration directories above the working directory: those of its repository. What is in them needs the
//! same trust as the one of the working directory, and that one wins over them.

use std::path::{Path, PathBuf};

use crate::host::paths::PROJECT_DIR;
use crate::host::{repository_top, without_links};

/// The directories `.pi` above `cwd`, up to the root of its repository, the nearest first. Outside of a repository there are
/// none. `home` is the user's: what is there is their own and no project's, even if it is the root of a repository.
pub fn outer_dirs(cwd: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let cwd = without_links(cwd);
    let Some(top) = repository_top(&cwd, home) else { return Vec::new() };
    let above = cwd.ancestors().skip(1).take_while(|dir| dir.starts_with(&top));
    above.map(|dir| dir.join(PROJECT_DIR)).filter(|dir| dir.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_repository_has_them_up_to_its_root_and_a_home_has_none() {
        let root = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        for dir in
            [".pi", "home/.pi", "home/.git", "home/a/.pi", "home/a/.git", "home/a/b/c/.pi", "home/a/b/d", "home/x/y"]
        {
            fs::create_dir_all(root.join(dir)).unwrap();
        }
        fs::write(root.join("home/a/b/d/.git"), "gitdir: elsewhere").unwrap();
        std::os::unix::fs::symlink(root.join("home"), root.join("link")).unwrap();
        for (cwd, home, expected) in [
            ("home/a/b/c", "home", &["home/a/.pi"][..]),
            ("home/a/b/c/e", "home", &["home/a/b/c/.pi", "home/a/.pi"]),
            ("home/a", "home", &[]),
            // A repository of its own.
            ("home/a/b/d", "home", &[]),
            ("home/x/y", "home", &[]),
            ("home/x/y", "link", &[]),
            ("home", "home", &[]),
            ("home/x/y", "elsewhere", &["home/.pi"]),
        ] {
            let found = outer_dirs(&root.join(cwd), Some(&root.join(home)));
            let expected: Vec<PathBuf> = expected.iter().map(|dir| root.join(dir)).collect();
            assert_eq!(found, expected, "{cwd} {home}");
        }
        fs::remove_dir(root.join("home/.git")).unwrap();
        assert_eq!(outer_dirs(&root.join("home/x/y"), None), Vec::<PathBuf>::new(), "no repository");
    }
}
