//! Options that only `openai-codex-responses` has.

use typed_builder::TypedBuilder;

use crate::model::Model;
use crate::options::StreamOptions;
use crate::thinking::{ThinkingLevel, clamp_level};

/// Options of one call. The effort is set here; `base.reasoning` is not looked at.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct OpenAiCodexResponsesOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Reasoning effort, sent even if the model is not said to support the level. `off` asks for none; absent leaves the
    /// choice to the server.
    #[builder(setter(strip_option))]
    pub reasoning_effort: Option<ThinkingLevel>,
    /// How reasoning is summarised: `auto` (the default), `concise` or `detailed`. Only sent with an effort.
    #[builder(setter(strip_option))]
    pub reasoning_summary: Option<String>,
    /// How much text is wanted: `low` (the default), `medium` or `high`.
    #[builder(setter(strip_option))]
    pub text_verbosity: Option<String>,
    /// Service tier, for example `flex` or `priority`. It changes the cost.
    #[builder(setter(strip_option))]
    pub service_tier: Option<String>,
}

impl Default for OpenAiCodexResponsesOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl OpenAiCodexResponsesOptions {
    /// What the general options mean here.
    pub(super) fn simple(model: &Model, options: &StreamOptions) -> Self {
        Self { reasoning_effort: clamp_level(model, options.reasoning).enabled(), ..Self::default() }
    }
}
