//! Tool calls, and commands of the user's own.

use std::path::PathBuf;
use std::sync::Arc;

use pi_agent_core::{ToolAnnotations, ToolArguments, ToolOutput};
use pi_ai::ContentBlock;
use serde::Serialize;
use serde_json::Value;

use crate::events::BashResult;
use crate::tools::BashOperations;
use crate::wire::views::shapes;

/// The model called a tool; nothing was checked yet.
#[derive(Debug, Clone)]
pub struct ToolExecutionStartEvent {
    /// Id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// The call that made this one; `None` for calls of the model.
    pub parent_tool_call_id: Option<String>,
    /// Arguments as the model wrote them.
    pub args: ToolArguments,
}

/// A call with valid arguments is about to run. A handler that fails blocks it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallEvent {
    /// Id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// The call that made this one; `None` for calls of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
    /// Arguments after validation, with what handlers before changed.
    pub input: Arc<Value>,
    /// What the tool says of its effects.
    #[serde(skip_serializing_if = "ToolAnnotations::is_empty")]
    pub annotations: ToolAnnotations,
    /// Whether the tool does nothing but call others, whose calls come as events of their own.
    #[serde(skip)]
    pub makes_calls: bool,
}

/// What becomes of a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolCallOutcome {
    /// True: it does not run.
    pub block: bool,
    /// What the model is told then; without it, that the call was blocked.
    pub reason: Option<String>,
    /// Other arguments, which are not validated again; events and session keep what the model wrote.
    pub input: Option<Value>,
}

impl ToolCallOutcome {
    /// Lets it run.
    pub fn allow() -> Self {
        Self::default()
    }

    /// Blocks it, for a reason that the model sees.
    pub fn block(reason: impl Into<String>) -> Self {
        Self { block: true, reason: Some(reason.into()), input: None }
    }

    /// Lets it run with other arguments.
    pub fn with_input(input: Value) -> Self {
        Self { input: Some(input), ..Self::default() }
    }
}

/// A running call reported progress.
#[derive(Debug, Clone)]
pub struct ToolExecutionUpdateEvent {
    /// Id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// The call that made this one; `None` for calls of the model.
    pub parent_tool_call_id: Option<String>,
    /// Arguments as the model wrote them.
    pub args: ToolArguments,
    /// The result so far. It is made when somebody reads it: most listeners want to know that there is progress.
    pub partial_result: Arc<ToolOutput>,
}

/// A tool has run. Calls that never ran have no such event.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultEvent {
    /// Id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// The call that made this one; `None` for calls of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
    /// Arguments that the tool was given.
    pub input: Arc<Value>,
    /// The result, with what handlers before changed.
    #[serde(flatten, serialize_with = "shapes::output")]
    pub output: Arc<ToolOutput>,
    /// Whether the call failed.
    pub is_error: bool,
}

/// Parts of a result to replace; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolResultOutcome {
    /// What the model sees.
    pub content: Option<Vec<ContentBlock>>,
    /// What programs see.
    pub details: Option<Value>,
    /// Whether the call counts as failed.
    pub is_error: Option<bool>,
}

/// A call is settled.
#[derive(Debug, Clone)]
pub struct ToolExecutionEndEvent {
    /// Id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// The call that made this one; `None` for calls of the model.
    pub parent_tool_call_id: Option<String>,
    /// Its result.
    pub result: Arc<ToolOutput>,
    /// Whether it failed.
    pub is_error: bool,
}

/// The user wants to run a command of their own. Only a mode with a terminal asks.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserBashEvent {
    /// The command line.
    pub command: String,
    /// Whether the model shall not see it.
    pub exclude_from_context: bool,
    /// The session's directory.
    #[serde(serialize_with = "shapes::path")]
    pub cwd: PathBuf,
}

/// Who runs the user's command.
#[derive(Debug, Clone, Default)]
pub enum UserBashOutcome {
    /// The session, as usual.
    #[default]
    Usual,
    /// The session, with these operations.
    Operations(Arc<dyn BashOperations>),
    /// Nobody: this is the result.
    Result(BashResult),
}
