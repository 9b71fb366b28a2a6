//! Figures of a session: messages, tokens, cost, size of the context.

use serde::{Deserialize, Serialize};

use super::limit::LimitStatus;
use crate::compaction::EstimateError;
use crate::session::MessageTotals;

/// Counts over the messages of the current context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionStats {
    /// The session's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_file: Option<String>,
    /// The session id.
    pub session_id: String,
    /// What the messages add up to.
    #[serde(flatten)]
    pub totals: MessageTotals,
    /// How full the context is; absent when the model's window is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_usage: Option<ContextUsage>,
    /// The limits in force and what is left of them; absent where nothing is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitStatus>,
    /// How far our estimates of message sizes are from what the providers reported. Not part of the JSON form.
    #[serde(skip)]
    pub estimate_error: EstimateError,
}

/// Size of the context against the model's window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextUsage {
    /// Tokens in the context; `None` right after a compaction, until the model answers again.
    pub tokens: Option<u64>,
    /// The window in tokens.
    pub context_window: u64,
    /// Share in percent.
    pub percent: Option<f64>,
}
