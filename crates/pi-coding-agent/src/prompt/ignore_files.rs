//! Files in a directory that say what to leave out of it.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

const NAMES: [&str; 3] = [".gitignore", ".ignore", ".fdignore"];

/// The rules of one directory; those of directories above and below are not among them.
pub(super) fn rules_of(dir: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(dir);
    for file in NAMES.map(|name| dir.join(name)).into_iter().filter(|file| file.is_file()) {
        // A line that is no pattern is skipped, as git does.
        let _ = builder.add(file);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
