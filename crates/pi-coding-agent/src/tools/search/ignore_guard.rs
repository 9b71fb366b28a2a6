//! Ignore files that a search must not read. The walk reads them itself, and takes what it finds for a small file: a pipe
//! would hold it up for ever, a device fill the memory. So each directory is looked at before the walk enters it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::WalkBuilder;
use pi_guard::Unpoisoned;

use crate::host::{self, FileKind};
use crate::tools::operations::OperationError;

/// What the walk reads in a directory, beside the repository's own rules.
const NAMES: [&str; 4] = [".gitignore", ".ignore", ".rgignore", ".fdignore"];

/// So many are named.
const NAMED: usize = 5;

/// What was left out of a walk.
#[derive(Debug, Clone, Default)]
pub(super) struct IgnoreGuard(Arc<Mutex<Vec<String>>>);

impl IgnoreGuard {
    /// Keeps a walk below `root` out of directories whose ignore files cannot be read.
    ///
    /// # Errors
    /// When such a file lies in `root` or above it, where its rules would count for everything.
    pub(super) fn of(walk: &mut WalkBuilder, root: &Path) -> Result<Self, OperationError> {
        if let Some(problem) = root.ancestors().find_map(problem_in) {
            return Err(OperationError::new(format!("{problem}. Remove it, or search with bash.")));
        }
        let guard = Self::default();
        let left_out = guard.clone();
        walk.filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
            let problem = if is_dir { problem_in(entry.path()) } else { None };
            let is_fine = problem.is_none();
            left_out.0.lock().unpoisoned().extend(problem);
            is_fine
        });
        Ok(guard)
    }

    /// What the model is told of directories that were left out.
    pub(super) fn note(&self) -> Option<String> {
        let mut problems = std::mem::take(&mut *self.0.lock().unpoisoned());
        // Looked at once in order, and again by all cores.
        problems.sort_unstable();
        problems.dedup();
        let named = problems.len().min(NAMED);
        let more = match problems.len() - named {
            0 => String::new(),
            more => format!(" (and {more} more like these)"),
        };
        let not_searched = if problems.len() > 1 { "Their directories were" } else { "Its directory was" };
        (named > 0).then(|| format!("{}{more}. {not_searched} not searched", problems[..named].join("; ")))
    }
}

/// An ignore file in this directory that cannot be read, in words.
fn problem_in(dir: &Path) -> Option<String> {
    NAMES.iter().find_map(|name| problem_of(&dir.join(name))).or_else(|| problem_of_repository(dir))
}

/// The same for the rules that a repository keeps to itself, and for the files that lead to them in a worktree.
fn problem_of_repository(dir: &Path) -> Option<String> {
    let git = dir.join(".git");
    let metadata = fs::metadata(&git).ok()?;
    if !metadata.is_file() {
        return problem_of(&git.join("info/exclude"));
    }
    if let Some(problem) = problem_of(&git) {
        return Some(problem);
    }
    // Where the walk goes next, it takes from their first lines.
    let git_dir = PathBuf::from(first_line(&git)?.strip_prefix("gitdir: ")?);
    let common = git_dir.join("commondir");
    problem_of(&common).or_else(|| problem_of(&git_dir.join(first_line(&common)?).join("info/exclude")))
}

fn first_line(file: &Path) -> Option<String> {
    host::read_text(file, FileKind::Ignore).ok()?.lines().next().map(str::to_owned)
}

/// What is not there is no problem, nor is what the system refuses to open.
fn problem_of(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    let limit = FileKind::Ignore.limit();
    let shown = host::plain_path(file);
    if metadata.is_dir() || (metadata.is_file() && (1..=limit).contains(&metadata.len())) {
        return None;
    }
    if metadata.is_file() && metadata.len() > limit {
        return Some(format!("{shown} has {}, too much for an ignore file", host::shown_size(metadata.len())));
    }
    // A file that says that it is empty may be one of the kernel, which has no end, or none yet.
    match host::read_bytes(file, FileKind::Ignore) {
        Ok(bytes) if bytes.is_empty() => None,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
        Ok(_) => Some(format!("{shown} is no ordinary file")),
        Err(error) => match host::kind_name(metadata.file_type()) {
            Some(what) => Some(format!("{shown} is {what}, not a regular file")),
            None => Some(format!("{shown} is no ordinary file ({error})")),
        },
    }
}
