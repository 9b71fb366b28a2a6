//! Where an Azure deployment answers: base URL, API version, deployment name.

use http::Uri;

use crate::error::{Error, RequestError};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::without_query;

use super::options::AzureOpenAiResponsesOptions;

/// Hosts of Azure resources end like this; the API's path on them is known.
const AZURE_HOSTS: [&str; 2] = [".openai.azure.com", ".cognitiveservices.azure.com"];
/// Path of the API on those hosts.
const API_PATH: &str = "/openai/v1";
/// Paths that name only the host or only the service.
const SHORT_PATHS: [&str; 3] = ["", "/", "/openai"];
const DEFAULT_VERSION: &str = "v1";

/// What has to be set where nothing else says where to call.
const BASE_URL: &str = "AZURE_OPENAI_BASE_URL";
const RESOURCE_NAME: &str = "AZURE_OPENAI_RESOURCE_NAME";

/// The URL of a call.
///
/// # Errors
/// [`RequestError::MissingVariable`] when nothing says where to call, [`RequestError::InvalidUrl`] when it cannot be
/// parsed.
pub(super) fn url(
    model: &Model,
    options: &StreamOptions,
    explicit: &AzureOpenAiResponsesOptions,
) -> Result<String, Error> {
    let base = complete(&base_url(model, options, explicit)?, model)?;
    let version = given(explicit.azure_api_version.as_deref());
    let version = version.or_else(|| options.env_var("AZURE_OPENAI_API_VERSION"));
    let version = encode(version.as_deref().unwrap_or(DEFAULT_VERSION));
    Ok(match base.split_once('?') {
        Some((path, query)) => format!("{path}/responses?{query}&api-version={version}"),
        None => format!("{base}/responses?api-version={version}"),
    })
}

/// The name under which the model is deployed.
pub(super) fn deployment(model: &Model, options: &StreamOptions, explicit: &AzureOpenAiResponsesOptions) -> String {
    given(explicit.azure_deployment_name.as_deref())
        .or_else(|| mapped(&options.env_var("AZURE_OPENAI_DEPLOYMENT_NAME_MAP")?, &model.id))
        .unwrap_or_else(|| model.id.clone())
}

fn base_url(model: &Model, options: &StreamOptions, explicit: &AzureOpenAiResponsesOptions) -> Result<String, Error> {
    let variable = |name: &str| given(options.env_var(name).as_deref());
    let of_resource = |name: String| format!("https://{name}.openai.azure.com{API_PATH}");
    given(explicit.azure_base_url.as_deref())
        .or_else(|| variable(BASE_URL))
        .or_else(|| given(explicit.azure_resource_name.as_deref()).map(of_resource))
        .or_else(|| variable(RESOURCE_NAME).map(of_resource))
        .or_else(|| given(Some(&model.base_url)))
        .ok_or_else(|| {
            Error::Request(RequestError::MissingVariable {
                name: format!("{BASE_URL} or {RESOURCE_NAME}"),
                provider: model.provider.clone(),
            })
        })
}

/// What is given, trimmed, unless it is blank.
fn given(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The base URL without slashes at the end; with the API's path where only a resource is named.
fn complete(base: &str, model: &Model) -> Result<String, Error> {
    let uri = base.parse::<Uri>().unwrap_or_default();
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(Error::Request(RequestError::InvalidUrl {
            url: without_query(base).to_owned(),
            provider: model.provider.clone(),
            detail: "it must start with http:// or https:// and name a host.".to_owned(),
        }));
    };
    let path = uri.path().trim_end_matches('/');
    let host = authority.host().to_ascii_lowercase();
    let is_resource = AZURE_HOSTS.iter().any(|end| host.ends_with(end));
    if is_resource && SHORT_PATHS.contains(&path) {
        return Ok(format!("{scheme}://{authority}{API_PATH}"));
    }
    let query = uri.query().map_or(String::new(), |query| format!("?{query}"));
    Ok(format!("{scheme}://{authority}{path}{query}"))
}

/// The entry for a model in a list like `model=deployment,model=deployment`.
fn mapped(list: &str, id: &str) -> Option<String> {
    list.split(',').find_map(|entry| {
        let (model, deployment) = entry.split_once('=')?;
        (model.trim() == id).then(|| given(Some(deployment)))?
    })
}

/// Percent-encodes all but unreserved characters.
fn encode(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}
