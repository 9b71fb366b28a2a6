//! Options that only `anthropic-messages` has.

use serde_json::Value;
use typed_builder::TypedBuilder;

use crate::options::StreamOptions;

/// Options of one call. Thinking is set here in the provider's own terms; `base.reasoning` is not looked at.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct AnthropicOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Switches thinking on or off; `None` leaves it to the provider. Ignored for models that cannot think.
    #[builder(setter(strip_option))]
    pub thinking: Option<bool>,
    /// Thinking budget in tokens, for models with explicit budgets; 1024 when absent or 0.
    #[builder(setter(strip_option))]
    pub thinking_budget: Option<u64>,
    /// Effort, for models that decide by themselves how much to think: `low`, `medium`, `high`, …
    #[builder(setter(strip_option))]
    pub effort: Option<String>,
    /// How the provider shows thinking: `summarized` (when absent) or `omitted`.
    #[builder(setter(strip_option))]
    pub thinking_display: Option<String>,
    /// Whether the model may think between tool calls.
    #[builder(default = true)]
    pub interleaved_thinking: bool,
    /// Forces or forbids tool calls: `auto`, `any`, `none`, or an object of the wire format. Wins over `base`.
    #[builder(setter(strip_option))]
    pub tool_choice: Option<Value>,
}

impl Default for AnthropicOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}
