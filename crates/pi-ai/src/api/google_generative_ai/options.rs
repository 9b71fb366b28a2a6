//! Options that only `google-generative-ai` has.

use serde_json::Value;
use typed_builder::TypedBuilder;

use crate::api::google::GoogleThinking;
use crate::options::StreamOptions;

/// Options of one call. Thinking is set here in the provider's own terms; `base.reasoning` is not looked at.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct GoogleOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Thinking; `None` leaves it to the provider. Ignored for models that cannot think.
    #[builder(setter(strip_option))]
    pub thinking: Option<GoogleThinking>,
    /// Forces or forbids tool calls: `auto`, `none`, `any`, or a `functionCallingConfig`. Wins over `base`; ignored
    /// without tools.
    #[builder(setter(strip_option))]
    pub tool_choice: Option<Value>,
}

impl Default for GoogleOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}
