//! Where a request goes: with an API key to the global endpoint, else to a project and a location.

use std::sync::LazyLock;

use regex::Regex;

use crate::api::google::METHOD;
use crate::error::{Error, RequestError};
use crate::model::Model;
use crate::options::StreamOptions;

use super::options::GoogleVertexOptions;

const GLOBAL: &str = "https://aiplatform.googleapis.com";
const VERSION: &str = "v1";
/// Locations that comprise several regions, with hosts of their own.
const MULTI_REGIONS: [&str; 2] = ["us", "eu"];

static VERSION_SEGMENT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^v\d+(beta\d*)?$").ok());

/// The URL of a call.
///
/// # Errors
/// [`RequestError::MissingSetting`] when no project or location is known and both are needed.
pub(super) fn url(
    model: &Model,
    options: &StreamOptions,
    explicit: Option<&GoogleVertexOptions>,
    has_key: bool,
) -> Result<String, Error> {
    let resource = resource(&model.id);
    if let Some(base) = custom_base(model) {
        return Ok(format!("{}/{resource}{METHOD}", with_version(base)));
    }
    if has_key {
        return Ok(format!("{GLOBAL}/{VERSION}/{resource}{METHOD}"));
    }
    let given = |value: Option<&String>| value.filter(|value| !value.is_empty()).cloned();
    let project = given(explicit.and_then(|explicit| explicit.project.as_ref()));
    let project =
        project.or_else(|| options.env_var("GOOGLE_CLOUD_PROJECT")).or_else(|| options.env_var("GCLOUD_PROJECT"));
    let project = project.ok_or_else(|| missing("project ID", "GOOGLE_CLOUD_PROJECT/GCLOUD_PROJECT", "project"))?;
    let location = given(explicit.and_then(|explicit| explicit.location.as_ref()));
    let location = location.or_else(|| options.env_var("GOOGLE_CLOUD_LOCATION"));
    let location = location.ok_or_else(|| missing("location", "GOOGLE_CLOUD_LOCATION", "location"))?;
    let host = host(&location);
    if resource.starts_with("projects/") {
        return Ok(format!("{host}/{VERSION}/{resource}{METHOD}"));
    }
    Ok(format!("{host}/{VERSION}/projects/{project}/locations/{location}/{resource}{METHOD}"))
}

/// Clients know the two sentences.
fn missing(what: &str, variables: &str, option: &str) -> Error {
    Error::Request(RequestError::MissingSetting {
        message: format!("Vertex AI requires a {what}. Set {variables} or pass {option} in options."),
    })
}

/// A base URL that was chosen by somebody, not the catalogue's template.
fn custom_base(model: &Model) -> Option<&str> {
    let base = model.base_url.trim().trim_end_matches('/');
    (!base.is_empty() && !base.contains("{location}")).then_some(base)
}

/// The base URL with a version of the API in its path.
fn with_version(base: &str) -> String {
    let path = base.split_once("://").map_or(base, |(_, rest)| rest);
    let is_version = |segment: &str| VERSION_SEGMENT.as_ref().is_some_and(|pattern| pattern.is_match(segment));
    if path.split('/').skip(1).any(is_version) { base.to_owned() } else { format!("{base}/{VERSION}") }
}

fn host(location: &str) -> String {
    match location {
        "global" => GLOBAL.to_owned(),
        _ if MULTI_REGIONS.contains(&location) => format!("https://aiplatform.{location}.rep.googleapis.com"),
        region => format!("https://{region}-aiplatform.googleapis.com"),
    }
}

/// The path of a model: Google's own unless its id says otherwise, as in `anthropic/claude` or a whole path.
pub(super) fn resource(id: &str) -> String {
    if ["publishers/", "projects/", "models/"].iter().any(|kind| id.starts_with(kind)) {
        return id.to_owned();
    }
    match id.split_once('/') {
        Some((publisher, name)) => format!("publishers/{publisher}/models/{name}"),
        None => format!("publishers/google/models/{id}"),
    }
}
