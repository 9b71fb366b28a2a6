//! Options that only `google-vertex` has.

use serde_json::Value;
use typed_builder::TypedBuilder;

use crate::api::google::GoogleThinking;
use crate::options::StreamOptions;

/// Options of one call. Thinking is set here in the provider's own terms; `base.reasoning` is not looked at.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct GoogleVertexOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Thinking; `None` leaves it to the provider. Ignored for models that cannot think.
    #[builder(setter(strip_option))]
    pub thinking: Option<GoogleThinking>,
    /// Forces or forbids tool calls: `auto`, `none`, `any`, or a `functionCallingConfig`. Wins over `base`; ignored
    /// without tools.
    #[builder(setter(strip_option))]
    pub tool_choice: Option<Value>,
    /// Google Cloud project; absent: `GOOGLE_CLOUD_PROJECT`, then `GCLOUD_PROJECT`. Not needed with an API key.
    #[builder(setter(strip_option))]
    pub project: Option<String>,
    /// Region such as `us-central1`, multi-region `us` or `eu`, or `global`; absent: `GOOGLE_CLOUD_LOCATION`. Not needed
    /// with an API key.
    #[builder(setter(strip_option))]
    pub location: Option<String>,
}

impl Default for GoogleVertexOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}
