//! What crates look like inside: their modules, who imports whom, and the checks that follow from it: no circle between
//! folders (`circles.rs`), no import upwards between floors (`floors.rs`), no type with too many methods (`methods.rs`), no
//! error enum with too many variants (`errors.rs`).

use anyhow::Result;

use super::floors_table::Floors;
use super::{circles, errors, floors, methods};
use crate::code::{File, Imports, Tree, imports, roots};

/// A library or a program of one of our crates.
pub(super) struct Target {
    /// The crate.
    pub(super) krate: String,
    /// Its modules.
    pub(super) tree: Tree,
    /// What they import.
    pub(super) imports: Imports,
}

/// Reads every crate of the checkout.
///
/// # Errors
/// When a file is missing or is no Rust.
pub(super) fn read(files: &[File]) -> Result<Vec<Target>> {
    let mut targets = Vec::new();
    for krate in crates(files) {
        for root in roots(&krate, files) {
            let tree = Tree::read(&root, files)?;
            let imports = imports(&tree);
            let name = krate.rsplit('/').next().unwrap_or(&krate).to_owned();
            targets.push(Target { krate: name, tree, imports });
        }
    }
    Ok(targets)
}

/// Directories of our crates. Each is named like its crate.
fn crates(files: &[File]) -> Vec<String> {
    let manifests = files.iter().filter_map(|file| file.path.strip_suffix("/Cargo.toml"));
    let is_ours = |path: &&str| *path == "xtask" || (path.starts_with("crates/") && path.matches('/').count() == 1);
    manifests.filter(is_ours).map(str::to_owned).collect()
}

/// Runs the checks and returns the broken rules.
pub(super) fn check(targets: &[Target], files: &[File], floors: &Floors) -> Vec<String> {
    let mut problems = methods::check(targets);
    problems.extend(errors::check(targets));
    problems.extend(circles::check(targets));
    problems.extend(floors::check(targets, floors));
    if let Some(target) = targets.iter().find(|target| target.krate == floors.krate) {
        problems.extend(floors::too_large(&floors::extents(target, files), floors));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::files_of;

    #[test]
    fn crates_are_found_by_their_manifests() {
        let files = files_of(&[
            ("Cargo.toml", ""),
            ("crates/a/Cargo.toml", ""),
            ("crates/a/fuzz/Cargo.toml", ""),
            ("crates/a/src/lib.rs", ""),
            ("crates/a/src/main.rs", ""),
            ("xtask/Cargo.toml", ""),
            ("xtask/src/main.rs", ""),
        ]);
        assert_eq!(crates(&files), ["crates/a", "xtask"]);
        let targets = read(&files).unwrap();
        let names: Vec<&str> = targets.iter().map(|target| target.krate.as_str()).collect();
        assert_eq!(names, ["a", "a", "xtask"]);
    }
}
