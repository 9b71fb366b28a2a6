//! Files in a directory that say what to leave out of it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::host::{self, FileKind};

const NAMES: [&str; 3] = [".gitignore", ".ignore", ".fdignore"];

/// The rules of one directory; those of directories above and below are not among them. What cannot be read has none, and
/// is named.
pub(in crate::resources) fn rules_of(dir: &Path) -> (Gitignore, Vec<(PathBuf, String)>) {
    let mut builder = GitignoreBuilder::new(dir);
    let mut problems = Vec::new();
    for file in NAMES.map(|name| dir.join(name)) {
        match host::read_bytes(&file, FileKind::Ignore) {
            Ok(bytes) => add(&mut builder, &file, &host::decoded(&bytes)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory) => {}
            Err(error) => problems.push((file, format!("cannot read this ignore file: {error}"))),
        }
    }
    (builder.build().unwrap_or_else(|_| Gitignore::empty()), problems)
}

/// A line that is no pattern is skipped, as git does.
fn add(builder: &mut GitignoreBuilder, file: &Path, text: &str) {
    for line in text.lines() {
        let _ = builder.add_line(Some(file.to_owned()), line);
    }
}
