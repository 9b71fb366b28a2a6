//! The lines that a whole run adds to a cassette.

use pi_agent_core::{ToolError, ToolOutput};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Kind of the first line of a whole run.
pub(super) const RUN: &str = "run";
/// Kind of the line of a tool call.
pub(super) const TOOL: &str = "tool";

/// How the run began.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunLine {
    /// Unix time in milliseconds.
    pub(super) started: i64,
    /// What ids follow from.
    pub(super) seed: u64,
    /// Seconds that the user's time is ahead of UTC: the system prompt names the day.
    #[serde(default)]
    pub(super) utc_offset: i32,
}

/// A tool call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CallLine {
    /// Number of the call in the order of the beginnings, from 1.
    pub(super) n: u64,
    pub(super) name: String,
    /// What the tool was given.
    pub(super) arguments: Value,
    pub(super) began: Moment,
    /// Progress that the tool reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) updates: Vec<Update>,
    /// Absent when nobody waited for the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<CallEnd>,
}

/// When something happened.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Moment {
    /// Place among everything that the tools of the run did, from 1.
    pub(super) step: u64,
    /// Unix time in milliseconds.
    pub(super) at: i64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Update {
    pub(super) step: u64,
    pub(super) output: ToolOutput,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CallEnd {
    #[serde(flatten)]
    pub(super) moment: Moment,
    #[serde(flatten)]
    pub(super) result: CallResult,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CallResult {
    Output(ToolOutput),
    Error(String),
}

impl CallResult {
    pub(super) fn of(result: &Result<ToolOutput, ToolError>) -> Self {
        match result {
            Ok(output) => Self::Output(output.clone()),
            Err(error) => Self::Error(error.to_string()),
        }
    }

    pub(super) fn into_result(self) -> Result<ToolOutput, ToolError> {
        match self {
            Self::Output(output) => Ok(output),
            Self::Error(message) => Err(ToolError::new(message)),
        }
    }
}
