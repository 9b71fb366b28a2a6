//! Options that only `azure-openai-responses` has.

use typed_builder::TypedBuilder;

use crate::api::responses::reasoning::Wish;
use crate::options::StreamOptions;
use crate::thinking::ThinkingLevel;

/// Options of one call. The effort is set here; `base.reasoning` is not looked at.
///
/// What says where to call is looked up in this order: the base URL here, `AZURE_OPENAI_BASE_URL`, the resource name
/// here, `AZURE_OPENAI_RESOURCE_NAME`, the model's base URL.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(into)))]
pub struct AzureOpenAiResponsesOptions {
    /// Options that every format has.
    pub base: StreamOptions,
    /// Reasoning effort, sent even if the model is not said to support the level; `off` asks for none. Ignored for
    /// models that cannot think.
    pub reasoning_effort: ThinkingLevel,
    /// How reasoning is summarised: `auto` (the default of a call with an effort), `concise` or `detailed`. Without an
    /// effort it asks for a medium one.
    #[builder(setter(strip_option))]
    pub reasoning_summary: Option<String>,
    /// Where to call. Of an Azure resource the host is enough: `https://NAME.openai.azure.com`.
    #[builder(setter(strip_option))]
    pub azure_base_url: Option<String>,
    /// Name of the Azure resource: stands for `https://NAME.openai.azure.com/openai/v1`.
    #[builder(setter(strip_option))]
    pub azure_resource_name: Option<String>,
    /// Version of the API; else `AZURE_OPENAI_API_VERSION`, else `v1`.
    #[builder(setter(strip_option))]
    pub azure_api_version: Option<String>,
    /// Name of the deployment; else the model's entry in `AZURE_OPENAI_DEPLOYMENT_NAME_MAP`
    /// (`model=deployment,model=deployment`), else the model's id.
    #[builder(setter(strip_option))]
    pub azure_deployment_name: Option<String>,
}

impl Default for AzureOpenAiResponsesOptions {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl AzureOpenAiResponsesOptions {
    /// What is asked of a model that can think.
    pub(super) fn wish(&self) -> Wish<'_> {
        Wish { effort: self.reasoning_effort.enabled(), summary: self.reasoning_summary.as_deref() }
    }
}
