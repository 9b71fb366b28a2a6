//! The token service: keys of a role, for an identity token or for other keys.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::fetch::fetch;
use super::keys::element;
use super::lookup::Lookup;
use super::sign::{Scope, sign};
use super::{Keys, failure};
use crate::error::Error;
use crate::transport::HttpRequest;

const VERSION: &str = "2011-06-15";
/// Shows up in the account's logs.
const SESSION_NAME: &str = "pi";
const FORM: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A role, as a profile or the environment describes it.
#[derive(Debug, Clone, Default)]
pub(super) struct Role {
    pub(super) arn: String,
    pub(super) session_name: Option<String>,
    pub(super) external_id: Option<String>,
    pub(super) duration_seconds: Option<String>,
}

/// Keys of a role for an identity token.
pub(super) async fn with_web_identity(lookup: &Lookup<'_>, role: &Role, token: &str) -> Result<Keys, Error> {
    let own = [("WebIdentityToken", Some(token))];
    keys(lookup, request(lookup, role, "AssumeRoleWithWebIdentity", own), &role.arn).await
}

/// Keys of a role for other keys.
pub(super) async fn assume(lookup: &Lookup<'_>, role: &Role, source: &Keys) -> Result<Keys, Error> {
    let own = [("ExternalId", role.external_id.as_deref())];
    let request = request(lookup, role, "AssumeRole", own);
    let scope = Scope { region: lookup.region, service: "sts", now_ms: lookup.now_ms };
    keys(lookup, sign(request, source, scope)?, &role.arn).await
}

fn request(lookup: &Lookup<'_>, role: &Role, action: &str, own: [(&str, Option<&str>); 1]) -> HttpRequest {
    let common = [
        ("Action", Some(action)),
        ("Version", Some(VERSION)),
        ("RoleArn", Some(role.arn.as_str())),
        ("RoleSessionName", Some(role.session_name.as_deref().unwrap_or(SESSION_NAME))),
        ("DurationSeconds", role.duration_seconds.as_deref()),
    ];
    let fields = common.into_iter().chain(own).filter_map(|(name, value)| Some((name, value?)));
    let fields = fields.map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, &FORM)));
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    HttpRequest {
        method: Method::POST,
        url: endpoint(lookup),
        headers: HeaderMap::from_iter([(CONTENT_TYPE, form)]),
        body: Bytes::from(fields.collect::<Vec<_>>().join("&")),
    }
}

fn endpoint(lookup: &Lookup<'_>) -> String {
    let given = lookup.var("AWS_ENDPOINT_URL_STS");
    given.unwrap_or_else(|| format!("https://sts.{}.{}/", lookup.region, domain(lookup.region)))
}

/// The domain of the services of a region. Partitions have domains of their own.
pub(crate) fn domain(region: &str) -> &'static str {
    const PARTITIONS: [(&str, &str); 7] = [
        ("cn-", "amazonaws.com.cn"),
        ("us-isob-", "sc2s.sgov.gov"),
        ("us-isof-", "csp.hci.ic.gov"),
        ("us-iso-", "c2s.ic.gov"),
        ("eu-isoe-", "cloud.adc-e.uk"),
        ("eusc-", "amazonaws.eu"),
        ("", "amazonaws.com"),
    ];
    PARTITIONS.iter().find(|(prefix, _)| region.starts_with(prefix)).map_or("amazonaws.com", |(_, domain)| domain)
}

async fn keys(lookup: &Lookup<'_>, request: HttpRequest, role: &str) -> Result<Keys, Error> {
    let what = format!("keys of the role {role}");
    let (status, body) = fetch(lookup.transport()?, request, &what).await?;
    let complaint = || element(&body, "Message").or_else(|| element(&body, "Code")).unwrap_or("no reason given");
    let refused = || failure(format!("{what} were refused: {status} {}", complaint()));
    if status == 200 { Keys::from_xml(&body).ok_or_else(refused) } else { Err(refused()) }
}
