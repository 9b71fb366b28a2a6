//! Which files take part in a search: the rules of `rg --hidden` and of `fd --hidden`, which models and users know.
//!
//! Both include hidden files and the content of `.git`, follow no symbolic link and obey `.ignore`, `.git/info/exclude`
//! and the user's global ignore file. They differ in `.gitignore` outside of repositories: `grep` leaves it alone there,
//! `find` obeys it.

use std::fs;
use std::io;
use std::path::Path;

use etcetera::BaseStrategy;
use ignore::WalkBuilder;
use ignore::overrides::Override;
use rustix::io::Errno;

use crate::tools::operations::OperationError;

/// A walk by the rules of `rg --hidden`. `base` is the directory that anchored patterns of the global ignore file mean.
pub(super) fn for_grep(root: &Path, base: &Path, overrides: Override) -> WalkBuilder {
    let mut walk = WalkBuilder::new(root);
    walk.hidden(false).overrides(overrides).current_dir(base).add_custom_ignore_filename(".rgignore");
    walk
}

/// A walk by the rules of `fd --hidden`.
pub(super) fn for_find(root: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(root);
    walk.hidden(false).require_git(is_in_repository(root)).add_custom_ignore_filename(".fdignore");
    if let Ok(dirs) = etcetera::choose_base_strategy() {
        let global = dirs.config_dir().join("fd").join("ignore");
        if global.is_file() {
            // Lines that are no pattern are left out; the others hold.
            _ = walk.add_ignore(global);
        }
    }
    walk
}

fn is_in_repository(dir: &Path) -> bool {
    dir.ancestors().any(|ancestor| ancestor.join(".git").exists())
}

/// The kind of thing at a path.
///
/// # Errors
/// Code `ENOENT` when there is nothing, also below a file.
pub(super) fn kind_of(path: &Path) -> Result<fs::FileType, OperationError> {
    let metadata = fs::metadata(path).map_err(|e| {
        // For the system a path below a file is a mistake of another sort, for the model there is nothing.
        let missing = e.kind() == io::ErrorKind::NotADirectory;
        let e = if missing { Errno::NOENT.into() } else { e };
        OperationError::from_io(&e, "stat", Some(path))
    });
    metadata.map(|metadata| metadata.file_type())
}

/// Checks that there is a directory.
///
/// # Errors
/// Code `ENOENT` when there is nothing, `ENOTDIR` when there is something else.
pub(super) fn check_directory(path: &Path) -> Result<(), OperationError> {
    if kind_of(path)?.is_dir() {
        return Ok(());
    }
    Err(OperationError::from_io(&Errno::NOTDIR.into(), "scandir", Some(path)))
}

/// Why the root of a walk could not be read.
pub(super) fn unreadable(error: &ignore::Error, root: &Path) -> OperationError {
    match error.io_error() {
        Some(e) => OperationError::from_io(e, "scandir", Some(root)),
        None => OperationError::new(error.to_string()),
    }
}
