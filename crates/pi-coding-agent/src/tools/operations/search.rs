//! Searching: what `grep` and `find` need.

use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use super::error::OperationResult;
use super::files::PathOperations;

/// What the `grep` tool needs.
pub trait GrepOperations: PathOperations {
    /// Searches a file, or every file below a directory.
    ///
    /// # Errors
    /// Code `ENOENT` when there is nothing at the path; else with a text for the model, such as what is wrong with the
    /// pattern and where.
    fn grep(&self, request: GrepRequest) -> OperationResult<'_, GrepReport>;
}

/// What to search for.
#[derive(Debug, Clone)]
pub struct GrepRequest {
    /// A regular expression in ripgrep's syntax, or the text itself.
    pub pattern: String,
    /// Whether the pattern is the text itself.
    pub literal: bool,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// Which files to search, in ripgrep's `--glob` syntax; all without one.
    pub glob: Option<String>,
    /// File or directory, absolute.
    pub path: PathBuf,
    /// Directory to which a `glob` with a `/` in it is relative; absolute.
    pub base: PathBuf,
    /// Lines wanted before and after each match.
    pub context: usize,
    /// Most matching lines; at least 1.
    pub limit: usize,
    /// Ends the search.
    pub cancel: CancellationToken,
}

/// What was found. A search may end early when there is far more text than a model is shown (50 KiB).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrepReport {
    /// Matching lines: files in order of their paths, lines in order of their numbers.
    pub matches: Vec<GrepMatch>,
    /// Whether the search stopped because it had as many as were asked for.
    pub limit_reached: bool,
    /// Whether the path is a directory.
    pub is_directory: bool,
    /// What the model should know about how the search was made, such as that ignore files had no effect.
    pub note: Option<String>,
}

/// A matching line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepMatch {
    /// The file, absolute.
    pub path: PathBuf,
    /// Its number, from 1.
    pub line: u64,
    /// Its text, without the line end and without carriage returns. The tool shows 500 UTF-16 code units; what is
    /// behind them may be missing, but not all of it.
    pub text: String,
    /// Lines before it in the same form, oldest first, as many as there are and were asked for.
    pub before: Vec<String>,
    /// Lines after it. An empty one follows the line end at the end of the file.
    pub after: Vec<String>,
}

/// What the `find` tool needs.
pub trait FindOperations: PathOperations {
    /// Finds files and directories below a directory by their names.
    ///
    /// # Errors
    /// Code `ENOENT` when there is nothing at the path, `ENOTDIR` when it is no directory; else with a text for the
    /// model, such as what is wrong with the pattern and where.
    fn find(&self, request: FindRequest) -> OperationResult<'_, FindReport>;
}

/// What to look for.
#[derive(Debug, Clone)]
pub struct FindRequest {
    /// A glob. One with a `/` is matched against the whole path, any other against the name.
    pub pattern: String,
    /// Directory, absolute.
    pub path: PathBuf,
    /// Most results; `None` for all.
    pub limit: Option<usize>,
    /// Ends the search.
    pub cancel: CancellationToken,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindReport {
    /// In order of their paths.
    pub found: Vec<FoundPath>,
    /// What the model should know about how the search was made, such as that ignore files had no effect.
    pub note: Option<String>,
}

/// A file or directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPath {
    /// Absolute.
    pub path: PathBuf,
    /// Whether it is a directory itself, not a link to one.
    pub is_directory: bool,
}
