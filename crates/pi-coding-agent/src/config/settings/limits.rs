//! Limits of a session: how many turns, how much money and how much time it may take. Counting is the session's.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a session may take; nothing is limited by default.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    /// Answers of the model.
    pub max_turns: Option<u64>,
    /// Dollars, by the prices of the catalogue.
    pub max_cost: Option<f64>,
    /// Time from the first prompt on.
    pub timeout: Option<Duration>,
    /// Whether turns and time begin anew with each prompt, as servers want it. Cost never does.
    pub per_prompt: bool,
}

/// One of the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// [`Limits::max_turns`].
    MaxTurns,
    /// [`Limits::max_cost`].
    MaxCost,
    /// [`Limits::timeout`].
    Timeout,
}

impl Limits {
    /// Whether nothing is limited.
    pub fn is_none(&self) -> bool {
        self.max_turns.is_none() && self.max_cost.is_none() && self.timeout.is_none()
    }
}

impl Limit {
    /// The name of its option, without dashes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MaxTurns => "max-turns",
            Self::MaxCost => "max-cost",
            Self::Timeout => "timeout",
        }
    }
}
