//! Signature version 4 over a finished request, by way of `aws-sigv4`.

use std::borrow::Cow;
use std::time::{Duration, UNIX_EPOCH};

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{PayloadChecksumKind, SignableBody, SignableRequest, SigningSettings, sign as signature};
use aws_sigv4::sign::v4::SigningParams;
use http::{HeaderName, HeaderValue};

use super::Keys;
use crate::error::Error;
use crate::transport::HttpRequest;

/// Headers that a proxy may change on the way, so that a signature must not cover them.
const UNSIGNED: [&str; 13] = [
    "authorization",
    "cache-control",
    "connection",
    "expect",
    "from",
    "keep-alive",
    "max-forwards",
    "pragma",
    "referer",
    "te",
    "transfer-encoding",
    "user-agent",
    "x-amzn-trace-id",
];
/// Unix time in seconds of the last second that a signature can be dated with, the end of the year 9999.
const LAST_SECOND: u64 = 253_402_300_799;

/// For which service, where and when a signature holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) region: &'a str,
    pub(crate) service: &'a str,
    /// Unix time in milliseconds.
    pub(crate) now_ms: i64,
}

/// Adds the headers of the signature: `authorization`, `x-amz-date`, `x-amz-content-sha256`, and the session token.
///
/// # Errors
/// [`CredentialError::Unavailable`](crate::CredentialError::Unavailable) when the request or the keys cannot be signed
/// with.
pub(crate) fn sign(mut request: HttpRequest, keys: &Keys, scope: Scope<'_>) -> Result<HttpRequest, Error> {
    let failure = |detail: &dyn std::fmt::Display| super::failure(format!("the request cannot be signed: {detail}"));
    let token = keys.session_token.clone();
    let identity = Credentials::new(&keys.access_key_id, &keys.secret_access_key, token, None, "pi").into();
    let seconds = u64::try_from(scope.now_ms / 1000).unwrap_or(0).min(LAST_SECOND);
    let params = SigningParams::builder()
        .identity(&identity)
        .region(scope.region)
        .name(scope.service)
        .time(UNIX_EPOCH + Duration::from_secs(seconds))
        .settings(settings())
        .build()
        .map_err(|error| failure(&error))?
        .into();
    // A value that is not text stays unsigned; that is allowed.
    let headers = request.headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
    let body = SignableBody::Bytes(&request.body);
    let signable = SignableRequest::new(request.method.as_str(), request.url.as_str(), headers, body);
    let signed = signature(signable.map_err(|error| failure(&error))?, &params).map_err(|error| failure(&error))?;
    let (added, _) = signed.into_parts().0.into_parts();
    for header in added {
        let mut value = HeaderValue::from_str(header.value())
            .map_err(|_| failure(&"a key has a character that no header can hold"))?;
        value.set_sensitive(header.sensitive() || header.name() == "authorization");
        request.headers.insert(HeaderName::from_static(header.name()), value);
    }
    Ok(request)
}

fn settings() -> SigningSettings {
    let mut settings = SigningSettings::default();
    settings.payload_checksum_kind = PayloadChecksumKind::XAmzSha256;
    settings.excluded_headers = Some(UNSIGNED.map(Cow::Borrowed).to_vec());
    settings
}
