//! The repository that a directory belongs to. What is in it is no business of this module.

use std::fs;
use std::path::{Path, PathBuf};

/// The nearest directory upwards that holds a repository; whatever is called `.git` counts. Some keep their whole home in
/// one: `home` and what is above it is never the top of a project. Both paths are without links.
pub(crate) fn repository_top(dir: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let below_home = |dir: &&Path| home.is_none_or(|home| !home.starts_with(dir));
    let mut candidates = dir.ancestors().take_while(below_home);
    candidates.find(|dir| fs::symlink_metadata(dir.join(".git")).is_ok()).map(Path::to_owned)
}
