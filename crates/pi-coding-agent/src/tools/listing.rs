//! What `grep`, `find` and `ls` have in common: results as lines, a limit that the model may set, and notices of what
//! was left out.

use std::path::Path;

use pi_agent_core::{ToolError, ToolOutput};
use serde_json::{Map, Value, json};

use super::operations::OperationError;
use super::truncate::{MAX_BYTES, TruncationLimits, format_size, truncate_head};

/// Clients expect the largest integer of their number type where lines are not limited.
const NO_LINE_LIMIT: usize = (1 << 53) - 1;

/// The error for a path that is not what it should be, in the words that clients know; `None` for other errors.
pub(super) fn wrong_path(error: &OperationError, path: &Path) -> Option<ToolError> {
    let reason = match error.code()? {
        "ENOENT" => "Path not found",
        "ENOTDIR" => "Not a directory",
        _ => return None,
    };
    Some(ToolError::new(format!("{reason}: {}", path.display())))
}

/// A limit as the model gave it, any number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limit(pub(super) f64);

impl Limit {
    /// The count that reaches it: fractions need one more.
    pub(super) fn count(self) -> usize {
        self.0.ceil() as usize
    }

    /// The number as clients know it: without a fraction where there is none.
    pub(super) fn json(self) -> Value {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.0.fract() == 0.0 && self.0.abs() < EXACT { json!(self.0 as i64) } else { json!(self.0) }
    }

    /// The sentence for a result that ends at the limit.
    pub(super) fn notice(self, what: &str) -> String {
        format!("Stopped at {} {what}. Use limit={} for more", self.json(), Self(self.0 * 2.0).json())
    }
}

/// Notices in the order in which they are shown, each with its detail for programs.
#[derive(Debug, Default)]
pub(super) struct Notices {
    sentences: Vec<String>,
    details: Map<String, Value>,
}

impl Notices {
    pub(super) fn add(&mut self, sentence: impl Into<String>, detail: &str, value: Value) {
        self.sentences.push(sentence.into());
        self.details.insert(detail.to_owned(), value);
    }

    /// Adds what the operations have to say about the search.
    pub(super) fn note(&mut self, note: Option<&String>) {
        self.sentences.extend(note.cloned());
    }

    /// Cuts a text at 50 KiB, whole lines only, and notes it.
    pub(super) fn cut(&mut self, text: String) -> String {
        let shown = truncate_head(&text, TruncationLimits { lines: NO_LINE_LIMIT, bytes: MAX_BYTES });
        if !shown.truncated {
            return text;
        }
        let content = shown.content.clone();
        self.add(format!("Cut at {}", format_size(MAX_BYTES)), "truncation", json!(shown));
        content
    }

    /// The result: text, notices, details.
    pub(super) fn finish(self, text: String) -> ToolOutput {
        if self.sentences.is_empty() {
            return ToolOutput::text(text);
        }
        let notices = self.sentences.join(". ");
        let output = ToolOutput::text(format!("{text}\n\n[{notices}.]"));
        if self.details.is_empty() { output } else { output.with_details(Value::Object(self.details)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_shown_as_they_were_given() {
        for (limit, count, shown) in
            [(100.0, 100, "100"), (1.5, 2, "1.5"), (-3.0, 0, "-3"), (1e300, usize::MAX, "1e+300")]
        {
            assert_eq!((Limit(limit).count(), Limit(limit).json().to_string()), (count, shown.to_owned()));
        }
        assert_eq!(Limit(1.5).notice("entries"), "Stopped at 1.5 entries. Use limit=3 for more");
    }
}
