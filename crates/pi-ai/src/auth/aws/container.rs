//! Keys that a container's host hands out over HTTP.

use std::net::IpAddr;
use std::path::Path;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Method, Uri};

use super::fetch::fetch;
use super::lookup::Lookup;
use super::{Keys, failure};
use crate::error::Error;
use crate::transport::HttpRequest;

/// Where relative addresses lead.
const HOST: &str = "http://169.254.170.2";
/// Hosts that are asked without TLS, besides loopback.
const LINK_LOCAL: [&str; 3] = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"];
const RELATIVE: &str = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
const FULL: &str = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
const TOKEN: &str = "AWS_CONTAINER_AUTHORIZATION_TOKEN";
const TOKEN_FILE: &str = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";

/// The container's keys; `None` where the environment names no place to ask.
pub(super) async fn keys(lookup: &Lookup<'_>) -> Result<Option<Keys>, Error> {
    let Some(url) = url(lookup)? else { return Ok(None) };
    let mut headers = HeaderMap::new();
    if let Some(token) = token(lookup).await? {
        let illegal = |_| failure(format!("the value of {TOKEN} has a character that no header can hold"));
        let mut value = HeaderValue::from_str(token.trim()).map_err(illegal)?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    let request = HttpRequest { method: Method::GET, url: url.clone(), headers, body: Bytes::new() };
    let (status, body) = fetch(lookup.transport()?, request, "the container's keys").await?;
    if status != 200 {
        return Err(failure(format!("{url} refused the container's keys with status {status}")));
    }
    let json = serde_json::from_str(&body).unwrap_or_default();
    Keys::from_json(&json).map(Some).ok_or_else(|| failure(format!("{url} did not answer with keys")))
}

fn url(lookup: &Lookup<'_>) -> Result<Option<String>, Error> {
    if let Some(path) = lookup.var(RELATIVE) {
        return Ok(Some(format!("{HOST}/{}", path.trim_start_matches('/'))));
    }
    let Some(url) = lookup.var(FULL) else { return Ok(None) };
    if is_trusted(&url) {
        return Ok(Some(url));
    }
    Err(failure(format!("{FULL} must be an https URL, or http to this machine or its container service")))
}

/// Whoever answers gets to choose the keys, so that without TLS only the host itself is asked.
fn is_trusted(url: &str) -> bool {
    let Ok(url) = url.parse::<Uri>() else { return false };
    let host = url.host().unwrap_or("").trim_matches(['[', ']']);
    match url.scheme_str() {
        Some("https") => true,
        Some("http") => {
            let is_loopback = host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
            is_loopback || host.eq_ignore_ascii_case("localhost") || LINK_LOCAL.contains(&host)
        }
        _ => false,
    }
}

async fn token(lookup: &Lookup<'_>) -> Result<Option<String>, Error> {
    match lookup.var(TOKEN_FILE) {
        Some(path) => lookup.read(Path::new(&path), TOKEN_FILE).await.map(Some),
        None => Ok(lookup.var(TOKEN)),
    }
}

#[cfg(test)]
mod tests {
    use super::is_trusted;

    #[test]
    fn plain_http_goes_to_this_machine_only() {
        for url in ["https://keys.example/x", "http://127.0.0.1:9/x", "http://[::1]/x", "http://169.254.170.23/v1"] {
            assert!(is_trusted(url), "{url}");
        }
        for url in ["http://keys.example/x", "ftp://127.0.0.1/", "http://127.0.0.1.evil.example/", "", "/v1"] {
            assert!(!is_trusted(url), "{url}");
        }
    }
}
