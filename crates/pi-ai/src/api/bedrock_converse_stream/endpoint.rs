//! Where a request goes: region, host, path.

use std::sync::LazyLock;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use regex::Regex;

use crate::auth::aws::domain;

/// The region when nothing names one.
pub(super) const DEFAULT_REGION: &str = "us-east-1";
/// Before and after the model's id in the path.
const MODEL: &str = "/model/";
const ACTION: &str = "/converse-stream";
/// What a path segment holds unescaped.
const SEGMENT: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

static ARN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^arn:aws(?:-[a-z0-9-]+)?:bedrock:([a-z0-9-]+):").ok());
static STANDARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^https?://bedrock-runtime(-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?/*$").ok()
});

/// Where the requests of a model go.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    host: Host,
    /// The region, unless only the profile in force knows it.
    pub(super) region: Option<String>,
}

/// What the caller and the environment say about the region.
#[derive(Debug)]
pub(super) struct Named {
    /// The region that they name.
    pub(super) region: Option<String>,
    /// Whether the environment names a profile, which may have a region of its own.
    pub(super) has_profile: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Host {
    /// The base URL of the model, whatever the region.
    Pinned(String),
    /// The service's own host in the region in force.
    Standard {
        fips: bool,
        /// The region that the base URL names.
        region: Option<String>,
    },
}

impl Endpoint {
    /// From the model's id, its base URL and what the call says. The region in the id counts first, then what the caller and the
    /// environment say, then the host of the base URL.
    pub(super) fn of(id: &str, base_url: &str, named: Named) -> Self {
        let host = Host::of(base_url);
        let known = region_of_arn(id).or(named.region);
        let assumed = || (!named.has_profile).then(|| host.default_region());
        let region = known.or_else(assumed);
        Self { host, region }
    }

    /// The region when neither the call nor the profile in force names one.
    pub(super) fn default_region(&self) -> String {
        self.host.default_region()
    }

    /// The URL of a call to a model in a region.
    pub(super) fn url(&self, region: &str, id: &str) -> String {
        let path = path(id);
        match &self.host {
            Host::Pinned(base) => base.trim_end_matches('/').to_owned() + &path,
            Host::Standard { fips, .. } => {
                let fips = if *fips { "-fips" } else { "" };
                format!("https://bedrock-runtime{fips}.{region}.{}{path}", domain(region))
            }
        }
    }
}

/// The model that a URL names.
pub(super) fn model_id(url: &str) -> Option<String> {
    let (_, id) = url.strip_suffix(ACTION)?.rsplit_once(MODEL)?;
    Some(percent_decode_str(id).decode_utf8().ok()?.into_owned())
}

/// The same URL for another model.
pub(super) fn with_model_id(url: &str, id: &str) -> String {
    let base = url.strip_suffix(ACTION).and_then(|url| url.rsplit_once(MODEL));
    base.map_or_else(|| url.to_owned(), |(base, _)| base.to_owned() + &path(id))
}

fn path(id: &str) -> String {
    format!("{MODEL}{}{ACTION}", utf8_percent_encode(id, &SEGMENT))
}

impl Host {
    fn of(base_url: &str) -> Self {
        if base_url.is_empty() {
            return Self::Standard { fips: false, region: None };
        }
        match STANDARD.as_ref().and_then(|pattern| pattern.captures(base_url)) {
            Some(found) => Self::Standard { fips: found.get(1).is_some(), region: Some(found[2].to_lowercase()) },
            None => Self::Pinned(base_url.to_owned()),
        }
    }

    fn default_region(&self) -> String {
        match self {
            Self::Standard { region: Some(region), .. } => region.clone(),
            Self::Standard { .. } | Self::Pinned(_) => DEFAULT_REGION.to_owned(),
        }
    }
}

fn region_of_arn(id: &str) -> Option<String> {
    Some(ARN.as_ref()?.captures(id)?[1].to_owned())
}
