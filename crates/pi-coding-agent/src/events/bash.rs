//! Results of the user's own commands.

use serde::{Deserialize, Serialize};

/// What became of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BashResult {
    /// Both outputs in the order of writing, without escape sequences and control characters; of long output the end.
    pub output: String,
    /// Exit code, 128 and the number of the signal for a command that died by one; absent when it was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// Whether `output` is only the end.
    pub truncated: bool,
    /// The file with all of a long output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_output_path: Option<String>,
}
