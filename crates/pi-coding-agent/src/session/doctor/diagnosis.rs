//! What the doctor says about a file.

use std::path::PathBuf;

use super::finding::{Finding, Severity};
use super::kind_table::FindingKind;
use crate::session::header::SessionHeader;

/// The state of a session file.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnosis {
    /// The file.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its length in lines.
    pub lines: u64,
    /// The header, if there is one anywhere in the file.
    pub header: Option<SessionHeader>,
    /// The version that the file has; older ones were migrated to be looked at.
    pub version: Option<u64>,
    /// Number of entries that can be read.
    pub entries: usize,
    /// How many of them are messages.
    pub messages: usize,
    /// Everything that was found, in the order of the file; what concerns the whole file comes first.
    pub findings: Vec<Finding>,
    /// How many more findings there are: of each kind only the first hundred are listed.
    pub omitted: usize,
    /// Number of errors, those not listed included.
    pub errors: usize,
    /// Number of warnings, those not listed included.
    pub warnings: usize,
}

impl Diagnosis {
    /// Whether nothing is lost and all programs read the same.
    pub fn is_sound(&self) -> bool {
        self.errors == 0
    }

    /// Whether the file holds anything that a repair could save.
    pub fn is_repairable(&self) -> bool {
        self.entries > 0 || self.header.is_some()
    }

    /// The findings about what a reader of the session does not see: lines, contents and parents that are lost.
    pub(crate) fn holes(&self) -> impl Iterator<Item = &Finding> {
        let is_hole =
            |finding: &&Finding| finding.severity() == Severity::Error || finding.kind == FindingKind::OddShape;
        self.findings.iter().filter(is_hole)
    }

    /// The findings of one severity.
    pub fn of(&self, severity: Severity) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.severity() == severity)
    }
}
