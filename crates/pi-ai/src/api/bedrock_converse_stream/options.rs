//! Options that only `bedrock-converse-stream` has.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use typed_builder::TypedBuilder;

use crate::options::StreamOptions;
use crate::thinking::ThinkingLevel;

/// Options of one call. Thinking is set here; `base.reasoning` is not looked at, `base.thinking_budgets` is.
#[derive(Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct BedrockOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Region such as `eu-central-1`; before `AWS_REGION`, after one in the model id.
    #[builder(setter(strip_option))]
    pub region: Option<String>,
    /// Profile of `~/.aws` whose keys sign the request; before `AWS_PROFILE`, after keys in the environment.
    #[builder(setter(strip_option))]
    pub profile: Option<String>,
    /// API key of the service, sent instead of a signature; before `AWS_BEARER_TOKEN_BEDROCK`.
    #[builder(setter(strip_option))]
    pub bearer_token: Option<String>,
    /// Forces or forbids tool calls: `auto`, `any`, `none`, `{"type": "tool", "name": …}`, or an object of the wire
    /// format. Wins over `base`.
    #[builder(setter(strip_option))]
    pub tool_choice: Option<Value>,
    /// Thinking level; only Claude models have one here. The output limit is not raised by the budget.
    pub reasoning: ThinkingLevel,
    /// Whether the model may think between tool calls.
    #[builder(default = true)]
    pub interleaved_thinking: bool,
    /// How the provider shows thinking: `summarized` (when absent) or `omitted`.
    #[builder(setter(strip_option))]
    pub thinking_display: Option<String>,
    /// Labels for the account's invocation logs.
    pub request_metadata: BTreeMap<String, String>,
}

impl Default for BedrockOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl fmt::Debug for BedrockOptions {
    /// Leaves out everything that may hold a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BedrockOptions")
            .field("base", &self.base)
            .field("region", &self.region)
            .field("profile", &self.profile)
            .field("reasoning", &self.reasoning)
            .finish_non_exhaustive()
    }
}
