//! Options that only `openai-responses` has.

use typed_builder::TypedBuilder;

use crate::api::responses::reasoning::Wish;
use crate::options::StreamOptions;
use crate::thinking::ThinkingLevel;

/// Options of one call. The effort is set here; `base.reasoning` is not looked at.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct OpenAiResponsesOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Reasoning effort, sent even if the model is not said to support the level; `off` asks for none. Ignored for
    /// models that cannot think.
    pub reasoning_effort: ThinkingLevel,
    /// How reasoning is summarised: `auto` (the default of a call with an effort), `concise` or `detailed`. Without an
    /// effort it asks for a medium one.
    #[builder(setter(strip_option))]
    pub reasoning_summary: Option<String>,
    /// Service tier: `auto`, `default`, `flex` (half the price, slower) or `priority` (twice the price or more, faster).
    /// The cost of an answer is that of the tier that served it.
    #[builder(setter(strip_option))]
    pub service_tier: Option<String>,
}

impl Default for OpenAiResponsesOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl OpenAiResponsesOptions {
    /// What is asked of a model that can think.
    pub(super) fn wish(&self) -> Wish<'_> {
        Wish { effort: self.reasoning_effort.enabled(), summary: self.reasoning_summary.as_deref() }
    }
}
