//! A question whether a call may run, as every user is asked who can be asked anything; an editor has a form of its own for it.

/// The question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionRequest {
    /// What is asked.
    pub title: String,
    /// The call that waits.
    pub tool_call_id: String,
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
