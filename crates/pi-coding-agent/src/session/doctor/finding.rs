//! One thing that is worth knowing about a session file.

use serde::Serialize;

use super::kind_table::FindingKind;

/// Where in a file something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FindingLocation {
    /// Line number, from 1.
    pub line: u64,
    /// Offset of the first byte.
    pub start: u64,
    /// Offset behind the last byte.
    pub end: u64,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is wrong.
    Info,
    /// The session can be used, but not as its writer meant it.
    Warning,
    /// Something is lost, or programs read it differently. A repair takes it away.
    Error,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// Where; `None` for what concerns the file as a whole.
    pub place: Option<FindingLocation>,
    /// What exactly was found.
    pub detail: String,
}

impl Finding {
    pub(super) fn new(kind: FindingKind, place: FindingLocation, detail: impl Into<String>) -> Self {
        Self { kind, place: Some(place), detail: detail.into() }
    }

    pub(super) fn of_file(kind: FindingKind, detail: impl Into<String>) -> Self {
        Self { kind, place: None, detail: detail.into() }
    }

    /// Where it is and what was found.
    pub fn headline(&self) -> String {
        match self.place {
            Some(FindingLocation { line, start, end }) => {
                format!("line {line}, bytes {start} to {end}: {}", self.detail)
            }
            None => self.detail.clone(),
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }
}
