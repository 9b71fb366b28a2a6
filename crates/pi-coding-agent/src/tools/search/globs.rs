//! The globs of `grep` and `find`, and what is said when one is no glob.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use globset::{ErrorKind, Glob, GlobBuilder, GlobMatcher};
use ignore::overrides::{Override, OverrideBuilder};
use memchr::memrchr;

use crate::tools::operations::{GrepRequest, OperationError};

/// The files that `rg --glob` would choose. A glob with a `/` is relative to the request's base, or to the searched
/// directory where that is elsewhere.
///
/// # Errors
/// When it is no glob.
pub(in crate::tools) fn file_filter(request: &GrepRequest) -> Result<Override, OperationError> {
    let Some(glob) = &request.glob else { return Ok(Override::empty()) };
    let root = if request.path.starts_with(&request.base) { &request.base } else { &request.path };
    let mut builder = OverrideBuilder::new(root);
    let built = builder.add(glob).and_then(|builder| builder.build());
    built.map_err(|e| invalid(glob, &e.to_string()))
}

/// What `find` matches: names, or whole paths when the pattern has a `/`.
#[derive(Debug, Clone)]
pub(in crate::tools) struct NamePattern {
    /// `None` matches everything.
    glob: Option<GlobMatcher>,
    whole_path: bool,
}

impl NamePattern {
    /// A pattern with the meaning that `fd --glob` gives it: `*` stops at a `/`, and a pattern without a capital letter
    /// matches both cases. One with a `/` may start at any directory, unless it starts with `/` itself.
    ///
    /// # Errors
    /// When it is no glob.
    pub(in crate::tools) fn new(pattern: &str) -> Result<Self, OperationError> {
        let whole_path = pattern.contains('/');
        // fd finds nothing for `./src/*.rs`; what is meant is plain.
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        if pattern.is_empty() {
            return Ok(Self { glob: None, whole_path });
        }
        // As the model wrote it, for the sake of the error.
        let named = compile(pattern)?;
        let glob = if whole_path && !is_placed(pattern) { compile(&format!("**/{pattern}"))? } else { named };
        Ok(Self { glob: Some(glob), whole_path })
    }

    /// Whether it chooses what is at this path.
    pub(in crate::tools) fn matches(&self, path: &Path) -> bool {
        let Some(glob) = &self.glob else { return true };
        if self.whole_path {
            return glob.is_match(path);
        }
        // Paths of a walk end in a name, so that there is no need to take them apart by the rules.
        let bytes = path.as_os_str().as_bytes();
        glob.is_match(OsStr::from_bytes(memrchr(b'/', bytes).map_or(bytes, |at| &bytes[at + 1..])))
    }

    /// The glob for `fd --glob`, and whether it is about whole paths; `None` when everything matches.
    #[cfg(any(feature = "container", feature = "ssh"))]
    pub(in crate::tools) fn for_fd(&self) -> Option<(&str, bool)> {
        self.glob.as_ref().map(|glob| (glob.glob().glob(), self.whole_path))
    }
}

/// Whether a pattern of several names says itself where it starts.
fn is_placed(pattern: &str) -> bool {
    pattern.starts_with('/') || pattern.starts_with("**/") || pattern == "**"
}

fn compile(pattern: &str) -> Result<GlobMatcher, OperationError> {
    let any_case = !pattern.contains(char::is_uppercase);
    let glob = GlobBuilder::new(pattern).literal_separator(true).case_insensitive(any_case).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|e| invalid(pattern, &e.to_string()))
}

/// What is wrong, where, and what to do. `reason` is for what only the library understands.
fn invalid(glob: &str, reason: &str) -> OperationError {
    let reason = match Glob::new(glob) {
        Err(e) => explain(e.kind()),
        Ok(_) => reason.to_owned(),
    };
    // The library does not say where; it is at the first character with which no glob begins.
    let culprit = glob.char_indices().find(|(at, c)| Glob::new(&glob[..at + c.len_utf8()]).is_err());
    let before = culprit.map_or(0, |(at, _)| glob[..at].chars().count());
    let place = format!("character {}:\n  {glob}\n  {}^", before + 1, " ".repeat(before));
    OperationError::new(format!(
        "Invalid glob: {reason}, at {place}\nPut \\ before a character that stands for itself, such as \\[ or \\{{."
    ))
}

fn explain(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnclosedClass => "a [ without its ]".to_owned(),
        ErrorKind::UnclosedAlternates => "a { without its }".to_owned(),
        ErrorKind::UnopenedAlternates => "a } without its {".to_owned(),
        ErrorKind::DanglingEscape => "a \\ with nothing behind it".to_owned(),
        ErrorKind::InvalidRange(from, to) => format!("a range that ends before it starts, {from}-{to}"),
        other => other.to_string(),
    }
}
