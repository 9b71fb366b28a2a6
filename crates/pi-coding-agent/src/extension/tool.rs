//! Tools that extensions bring: a tool of the agent core, with what the system prompt and a screen should say of it.

use std::fmt;
use std::sync::Arc;

use pi_agent_core::{Tool, ToolOutput};
use serde_json::Value;

use super::renderer::RenderOptions;

/// A call that is drawn: its head, or where there is a result that.
#[derive(Debug, Clone, Copy)]
pub struct ToolView<'a> {
    /// The call's id. Empty while a provider has not said it yet.
    pub call_id: &'a str,
    /// The arguments so far.
    pub arguments: &'a Value,
    /// Whether the arguments are complete.
    pub is_complete: bool,
    /// Whether the tool runs, or has run.
    pub has_begun: bool,
    /// The result so far and whether the call failed, where the result is to be drawn; nothing for the head.
    pub result: Option<(&'a ToolOutput, bool)>,
}

/// Draws calls; `None` leaves it to the default. Headless modes never call it.
pub type ToolRenderer = dyn Fn(ToolView<'_>, RenderOptions) -> Option<Vec<String>> + Send + Sync;

/// A tool with what is said of it.
#[derive(Clone)]
pub struct ToolRegistration {
    /// The tool.
    pub tool: Arc<dyn Tool>,
    /// One line for the system prompt's list of tools; without it the tool is not in that list.
    pub prompt_snippet: Option<String>,
    /// Rules for the system prompt, while the tool is active.
    pub prompt_guidelines: Vec<String>,
    /// How calls look on a screen.
    pub renderer: Option<Arc<ToolRenderer>>,
    /// Whether the renderer's lines stand in the box that calls have. Without it, and without lines, a call is not seen.
    pub is_boxed: bool,
}

impl ToolRegistration {
    /// A tool of which the system prompt says nothing.
    pub fn new(tool: impl Tool + 'static) -> Self {
        Self::shared(Arc::new(tool))
    }

    /// The same for a shared tool.
    pub fn shared(tool: Arc<dyn Tool>) -> Self {
        Self { tool, prompt_snippet: None, prompt_guidelines: Vec::new(), renderer: None, is_boxed: true }
    }

    /// Puts the tool on the system prompt's list.
    #[must_use]
    pub fn prompt_snippet(mut self, text: impl Into<String>) -> Self {
        self.prompt_snippet = Some(text.into());
        self
    }

    /// Adds a rule to the system prompt.
    #[must_use]
    pub fn prompt_guideline(mut self, text: impl Into<String>) -> Self {
        self.prompt_guidelines.push(text.into());
        self
    }

    /// Name that the model calls.
    pub fn name(&self) -> &str {
        &self.tool.definition().name
    }
}

impl fmt::Debug for ToolRegistration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRegistration").field("name", &self.name()).finish_non_exhaustive()
    }
}
