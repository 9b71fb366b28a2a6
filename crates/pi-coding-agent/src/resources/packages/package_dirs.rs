//! Where packages are on disk: below a configuration directory, and nowhere else.

use std::fs;
use std::path::{Path, PathBuf};

use crate::host::env::Env;
use crate::host::paths::{absolute, expand};
use crate::resources::PackageError;
use crate::resources::locate::package_source::PackageSource;

/// Nothing of a package belongs into the repository of a project.
const GITIGNORE: &str = "*\n!.gitignore\n";
/// What makes the directory of npm packages one that npm installs to.
const NPM_ROOT: &str = "{\n  \"name\": \"pi-extensions\",\n  \"private\": true\n}\n";

/// Below this configuration directory, npm installs.
pub(super) fn npm_root(base: &Path) -> PathBuf {
    base.join("npm")
}

/// Below this configuration directory, repositories are cloned.
pub(super) fn git_root(base: &Path) -> PathBuf {
    base.join("git")
}

/// Where a package is that the settings in `base` name.
pub(super) fn package_dir(source: &PackageSource, base: &Path, env: &Env) -> PathBuf {
    match source {
        PackageSource::Npm(npm) => npm_root(base).join("node_modules").join(&npm.name),
        PackageSource::Git(git) => git_root(base).join(&git.host).join(&git.path),
        PackageSource::Local(path) => absolute(base, &expand(path, env)),
    }
}

/// Makes the directory in which npm installs, or repositories are cloned.
///
/// # Errors
/// [`PackageError::Outside`], [`PackageError::Io`].
pub(super) fn prepare(root: &Path, base: &Path) -> Result<(), PackageError> {
    make_dir(base)?;
    confine(root, base)?;
    make_dir(root)?;
    write_new(&root.join(".gitignore"), GITIGNORE)?;
    if root == npm_root(base) {
        write_new(&root.join("package.json"), NPM_ROOT)?;
    }
    Ok(())
}

/// Refuses a path that leads out of `base` by a link: what is in a project may be somebody else's.
///
/// # Errors
/// [`PackageError::Outside`], [`PackageError::Io`].
pub(super) fn confine(path: &Path, base: &Path) -> Result<(), PackageError> {
    let real_base = real(base)?;
    // A link that leads nowhere exists, too.
    let there = path.ancestors().find(|dir| dir.symlink_metadata().is_ok()).unwrap_or(base);
    let is_inside = fs::canonicalize(there).is_ok_and(|real| real.starts_with(&real_base));
    if is_inside {
        return Ok(());
    }
    Err(PackageError::Outside { path: path.to_owned(), base: base.to_owned() })
}

/// A path as a settings file in `base` has it: relative, with `/`.
pub(super) fn relative(path: &Path, base: &Path) -> String {
    let common = path.components().zip(base.components()).take_while(|(a, b)| a == b).count();
    let up = base.components().skip(common).map(|_| "..".into());
    let down = path.components().skip(common).map(|part| part.as_os_str().to_string_lossy());
    let parts: Vec<_> = up.chain(down).collect();
    match parts.first().map(AsRef::as_ref) {
        None => ".".to_owned(),
        Some("..") => parts.join("/"),
        // A name alone might begin with what makes a source something else.
        Some(_) => format!("./{}", parts.join("/")),
    }
}

/// Removes a directory, and those above it that have become empty, up to `root`.
///
/// # Errors
/// [`PackageError::Io`].
pub(super) fn remove_dir(dir: &Path, root: &Path) -> Result<(), PackageError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io("remove", dir)(error)),
        _ => {}
    }
    for parent in dir.ancestors().skip(1).take_while(|parent| parent.starts_with(root) && *parent != root) {
        // One that is not empty stays, and so do those above it.
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
    Ok(())
}

pub(super) fn make_dir(dir: &Path) -> Result<(), PackageError> {
    fs::create_dir_all(dir).map_err(io("make", dir))
}

/// What the system said about a file or directory, with its name.
pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> PackageError {
    let path = path.to_owned();
    move |source| PackageError::Io { action, path, source }
}

/// Work on files, away from the threads of the runtime.
pub(super) async fn in_background(
    work: impl FnOnce() -> Result<(), PackageError> + Send + 'static,
) -> Result<(), PackageError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(io("look at", Path::new("the package"))(std::io::Error::other(error))))
}

fn real(base: &Path) -> Result<PathBuf, PackageError> {
    fs::canonicalize(base).map_err(io("read", base))
}

fn write_new(path: &Path, text: &str) -> Result<(), PackageError> {
    if path.exists() {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| {
        // On a full disk it would stay, and be empty.
        let _ = fs::remove_file(path);
        io("write", path)(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_settings_are_relative() {
        for (path, expected) in [
            ("/home/u/pkg", "../../pkg"),
            ("/home/u/.pi/agent/own", "./own"),
            ("/home/u/.pi/agent", "."),
            ("/srv/pkg", "../../../../srv/pkg"),
        ] {
            let relative = relative(Path::new(path), Path::new("/home/u/.pi/agent"));
            assert_eq!(relative, expected);
            assert_eq!(absolute(Path::new("/home/u/.pi/agent"), Path::new(&relative)), Path::new(path));
        }
    }

    #[test]
    fn links_do_not_lead_out() {
        let root = tempfile::tempdir().unwrap();
        let (base, outside) = (root.path().join("base"), root.path().join("outside"));
        fs::create_dir_all(&base).unwrap();
        fs::create_dir_all(&outside).unwrap();
        for (link, target) in [("out", "../outside"), ("nowhere", "../gone"), ("in", ".")] {
            std::os::unix::fs::symlink(target, base.join(link)).unwrap();
        }
        for (path, fits) in
            [("git/a/b", true), ("out", false), ("out/a/b", false), ("nowhere/a", false), ("in/a", true)]
        {
            assert_eq!(confine(&base.join(path), &base).is_ok(), fits, "{path}");
        }
    }

    #[test]
    fn empty_directories_go_with_the_package() {
        let root = tempfile::tempdir().unwrap();
        for dir in ["git/host/a/one", "git/host/b"] {
            fs::create_dir_all(root.path().join(dir)).unwrap();
        }
        let git = root.path().join("git");
        remove_dir(&git.join("host/a/one"), &git).unwrap();
        assert!(!git.join("host/a").exists() && git.join("host/b").exists());
        remove_dir(&git.join("host/b"), &git).unwrap();
        assert!(!git.join("host").exists() && git.exists());
        remove_dir(&git.join("host/b"), &git).unwrap();
    }
}
