//! Going to another session, or to another place in the tree of the same one: options and outcomes.

use serde::Serialize;

use crate::session::BranchSummaryEntry;

/// Where a fork of a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ForkPosition {
    /// In front of a message of the user, which is to be written anew.
    Before,
    /// Behind an entry.
    At,
}

/// How to go to another place in the tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NavigateOptions {
    /// Whether what is left is summarised where the conversation goes on.
    pub summarize: bool,
    /// What the user wants of the summary.
    pub custom_instructions: Option<String>,
    /// Whether that stands in place of our instructions instead of behind them.
    pub replace_instructions: bool,
    /// A label for the summary, without a summary for the target.
    pub label: Option<String>,
}

/// Where that led.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigateOutcome {
    /// The text of the message that was chosen to be written anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub editor_text: Option<String>,
    /// Whether the session is where it was, because somebody wanted that.
    pub cancelled: bool,
    /// Whether that was while the summary was being made.
    pub aborted: bool,
    /// The summary, as it is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_entry: Option<BranchSummaryEntry>,
}

/// What came of leaving a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replacement {
    /// Whether an extension called it off; everything is then as it was.
    pub cancelled: bool,
    /// The text of the user's message that a fork ends in front of.
    pub selected_text: Option<String>,
}

impl Replacement {
    /// An extension called it off.
    pub(crate) fn cancelled() -> Self {
        Self { cancelled: true, selected_text: None }
    }
}
