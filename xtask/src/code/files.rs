//! The files of the checkout. Nothing here looks into them.

use std::process::Command;

use anyhow::{Context, Result};

use crate::workspace::{output_of, root};

/// A file of the checkout.
#[derive(Debug)]
pub(crate) struct File {
    /// Path from the workspace root, with forward slashes.
    pub(crate) path: String,
    /// Its content.
    pub(crate) text: String,
}

/// Reads every text file that git tracks or would add.
///
/// # Errors
/// When the files cannot be listed or read.
pub(crate) fn read_files() -> Result<Vec<File>> {
    let root = root()?;
    let mut git = Command::new("git");
    git.current_dir(&root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let names = output_of(&mut git)?;
    let mut files = Vec::new();
    for path in names.split('\0').filter(|path| !path.is_empty()) {
        let full = root.join(path);
        // A deleted file is still listed, and a link may lead to a directory.
        if !full.is_file() {
            continue;
        }
        let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
        // What is not text (images of fixtures) has no rules.
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(File { path: path.to_owned(), text });
        }
    }
    anyhow::ensure!(!files.is_empty(), "git lists no files in {}", root.display());
    Ok(files)
}

/// Test modules lie beside the sources or among them.
pub(crate) fn is_test(file: &File) -> bool {
    let mut parts = file.path.split('/');
    !file.path.contains("/src/") || parts.any(|part| part == "tests" || part == "tests.rs")
}
