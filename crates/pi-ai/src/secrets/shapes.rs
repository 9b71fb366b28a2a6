//! Credentials of unknown value, found by their looks or by what stands around them.
//!
//! Patterns work on raw bytes, because a body may be cut anywhere and need not be text.

use std::ops::Range;
use std::sync::Arc;

use regex::bytes::Regex;

use crate::error::Error;

/// Shapes of secrets; group 1 is the secret. Words start at a boundary or after a JSON escape such as `\n`.
const SHAPES: &[&str] = &[
    // Keys with a prefix of their own.
    concat!(
        r"(?-u)(?:\b|\\[nrtbf]|\\u[0-9a-fA-F]{4})(",
        r"sk-[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|",
        r"glpat-[A-Za-z0-9_-]{16,}|xox[a-z]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|gsk_[A-Za-z0-9]{20,}|",
        r"hf_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|pplx-[A-Za-z0-9]{20,}|ya29\.[A-Za-z0-9_-]{20,}|",
        r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,})",
    ),
    r"(?i-u)\bbearer\s+([A-Za-z0-9._~+/=-]{8,})",
    // Fields and assignments, also inside JSON inside JSON.
    concat!(
        r"(?i-u)(?:api[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|id[_-]?token|client[_-]?secret|",
        r"secret[_-]?(?:access[_-]?)?key|secret|password|private[_-]?key)",
        r#"(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?([A-Za-z0-9._~+/=@!$%^&*-]{12,})"#,
    ),
    r#"(?i-u)[?&](?:key|api[_-]?key|(?:access_|auth_)?token|auth|sig|x-amz-(?:signature|credential|security-token))=([^&\s"'#\\<>]+)"#,
    r#"(?-u)://([^/\s"'@:\\]*:[^/\s"'@\\]+)@"#,
    r"(?s-u)-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END",
];

/// The compiled patterns.
#[derive(Debug, Clone)]
pub(crate) struct Shapes(Arc<[Regex]>);

impl Shapes {
    /// Compiles the patterns.
    ///
    /// # Errors
    /// [`Error::Cassette`] when one is no pattern.
    pub(crate) fn new() -> Result<Self, Error> {
        let shapes: Result<Vec<_>, _> = SHAPES.iter().map(|shape| Regex::new(shape)).collect();
        let shapes = shapes.map_err(|error| Error::Cassette { message: format!("Cannot scrub secrets: {error}") })?;
        Ok(Self(shapes.into()))
    }

    /// Where something looks like a credential, in any order.
    pub(crate) fn find(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let found = self.0.iter().flat_map(|shape| shape.captures_iter(bytes));
        found.filter_map(|found| found.get(1)).map(|secret| secret.range()).collect()
    }
}
