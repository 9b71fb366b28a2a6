//! Limits that are reached, and what is left of them.

use serde::{Deserialize, Serialize};

use crate::config::settings::Limit;

/// A limit of the session is reached: no model call is made any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "Stopped: the limit of {allowed} is reached ({}). Raise it with --{} or in settings.json; pi --continue goes on where the session stopped.",
    .limit.as_str(), .limit.as_str()
)]
pub struct LimitReached {
    /// Which one.
    pub limit: Limit,
    /// The limit itself, in words.
    pub allowed: String,
}

/// The limits in force, and what is left of each. Fields of limits that are not set are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LimitStatus {
    /// Turns that were allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u64>,
    /// Turns that are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns_left: Option<u64>,
    /// Dollars that were allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// Dollars that are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_left: Option<f64>,
    /// Milliseconds that were allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Milliseconds that are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_left_ms: Option<u64>,
    /// The limit that ended the last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<Limit>,
}
