//! The repository that a directory belongs to. What is in it is no business of this module.

use std::fs;
use std::path::{Path, PathBuf};

use super::without_links::without_links;

/// The nearest directory upwards of `dir`, a path without links, that holds a repository; whatever is called `.git`
/// counts. Some keep their whole home in one: `home` and what is above it is never the top of a project.
pub(crate) fn repository_top(dir: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let top = dir.ancestors().find(|dir| fs::symlink_metadata(dir.join(".git")).is_ok())?;
    let real_home = home.map(without_links);
    let is_of_home = real_home.is_some_and(|home| home.starts_with(top));
    (!is_of_home).then(|| top.to_owned())
}
