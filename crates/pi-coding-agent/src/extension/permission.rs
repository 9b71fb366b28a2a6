//! A question whether a call may run, as every user is asked who can be asked anything; an editor has a form of its own for it.

use std::sync::Arc;

use serde_json::Value;

/// The question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionRequest {
    /// What is asked.
    pub title: String,
    /// The call that waits.
    pub tool_call_id: String,
    /// The tool that it calls.
    pub tool_name: String,
    /// Its arguments, as it would run with them.
    pub input: Arc<Value>,
    /// The answer that allows it for good, where there is one.
    pub always: Option<String>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PermissionAnswer {
    /// This time.
    Once,
    /// For good.
    Always,
    /// Not; with what the model is told.
    Reject(Option<String>),
}
