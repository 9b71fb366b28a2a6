//! Instructions that projects and users keep in files: `AGENTS.md` and its relatives.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::source::{Found, read_text};

/// Names that count, the first existing one per directory.
const NAMES: [&str; 4] = ["AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];

/// A file of instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextFile {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// What it says, verbatim.
    pub content: String,
}

/// Reads the user's file, then those from the root of the file system down to the working directory. They need no
/// trust. A file that cannot be read is reported, and the next name of its directory is tried.
pub fn load_context_files(agent_dir: &Path, cwd: &Path) -> Found<ContextFile> {
    let mut found = Found::default();
    let mut seen = HashSet::new();
    let ancestors: Vec<&Path> = cwd.ancestors().collect();
    for dir in std::iter::once(agent_dir).chain(ancestors.into_iter().rev()) {
        if seen.insert(dir) {
            load_from(dir, &mut found);
        }
    }
    found
}

fn load_from(dir: &Path, found: &mut Found<ContextFile>) {
    for path in NAMES.map(|name| dir.join(name)) {
        match read_text(&path) {
            Ok(content) => return found.items.push(ContextFile { path, content }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => found.warn(&path, format!("cannot read this context file: {error}")),
        }
    }
}
