//! Options that only `mistral-conversations` has.

use serde_json::Value;
use typed_builder::TypedBuilder;

use crate::options::StreamOptions;

/// Options of one call. Thinking is set here in the provider's own terms; `base.reasoning` is not looked at.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct MistralOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Forces or forbids tool calls: `auto`, `none`, `any`, `required`, or
    /// `{"type": "function", "function": {"name": …}}`. Wins over `base`.
    #[builder(setter(strip_option))]
    pub tool_choice: Option<Value>,
    /// `reasoning` puts the provider's own thinking instructions before the prompt: the switch of models that think in
    /// one way only.
    #[builder(setter(strip_option))]
    pub prompt_mode: Option<String>,
    /// `none` or `high`: the switch of models that think on demand.
    #[builder(setter(strip_option))]
    pub reasoning_effort: Option<String>,
}

impl Default for MistralOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}
