//! Instructions that projects and users keep in files: `AGENTS.md` and its relatives.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::host::{self, FileKind, SymlinkGuard};
use crate::resources::locate::source::{Found, ResourcePlaces};

/// Names that count, the first existing one per directory.
const NAMES: [&str; 5] = ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"];

/// A file of instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextFile {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// What it says, verbatim.
    pub content: String,
}

/// Reads the user's file, then those from the root of the file system down to the working directory. They need no
/// trust, but without it those of the repository must not be links out of it; those above it are the user's. A file that
/// cannot be read is reported, and the next name of its directory is tried.
pub fn load_context_files(places: &ResourcePlaces) -> Found<ContextFile> {
    let mut found = Found::default();
    let mut seen = HashSet::from([places.agent_dir.as_path()]);
    load_from(&places.agent_dir, None, &mut found);
    let fence = places.fence();
    let ancestors: Vec<&Path> = places.cwd.ancestors().collect();
    for dir in ancestors.into_iter().rev() {
        if seen.insert(dir) {
            load_from(dir, fence.as_ref(), &mut found);
        }
    }
    found
}

/// The fence counts for directories inside of it.
fn load_from(dir: &Path, fence: Option<&SymlinkGuard>, found: &mut Found<ContextFile>) {
    // Most directories have none: one look at each name has to do for those.
    for path in NAMES.map(|name| dir.join(name)).into_iter().filter(|path| host::has_entry(path)) {
        let fence = fence.filter(|fence| fence.has_inside(&path));
        let unreadable = match host::read_file(&path, FileKind::Context, fence) {
            Ok(bytes) => return add(path, &bytes, found),
            Err(error) if error.kind() == ErrorKind::NotFound => host::dangling(&path).map(|link| link.to_string()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = unreadable {
            found.warn(&path, format!("cannot read this context file: {reason}"));
        }
    }
}

fn add(path: PathBuf, bytes: &[u8], found: &mut Found<ContextFile>) {
    let size = bytes.len() as u64;
    if FileKind::Context.remarkable().is_some_and(|most| size > most) {
        let size = host::shown_size(size);
        let message =
            format!("this context file has {size}, and every request carries it; shorten it, or go without: -nc");
        found.warn(&path, message);
    }
    found.items.push(ContextFile { path, content: host::decoded(bytes) });
}
