//! Options that only `openai-completions` has.

use serde_json::Value;
use typed_builder::TypedBuilder;

use crate::options::StreamOptions;
use crate::thinking::ThinkingLevel;

/// Options of one call. The effort is set here; `base.reasoning` is not looked at.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct OpenAiCompletionsOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Reasoning effort, sent in the endpoint's dialect even if the model is not said to support the level; `off`
    /// asks for none. Ignored for models that cannot think.
    pub reasoning_effort: ThinkingLevel,
    /// Forces or forbids tool calls: `auto`, `none`, `required`, or an object of the wire format. Wins over `base`.
    #[builder(setter(strip_option))]
    pub tool_choice: Option<Value>,
}

impl Default for OpenAiCompletionsOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}
