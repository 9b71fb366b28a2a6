//! Words failures as clients expect them: a prefix for the kind of exception, then the service's text.

use http::HeaderMap;
use serde_json::Value;

use crate::api::http_error::{self, ErrorShape};

/// Names the exception of a refused request; what follows a colon is a link.
const ERROR_TYPE: &str = "x-amzn-errortype";
/// Exceptions by name. Overflow detection knows some of the prefixes.
const PREFIXES: [(&str, &str); 5] = [
    ("InternalServerException", "Internal server error"),
    ("ModelStreamErrorException", "Model stream error"),
    ("ValidationException", "Validation error"),
    ("ThrottlingException", "Throttling error"),
    ("ServiceUnavailableException", "Service unavailable"),
];
const NAMELESS: &str = "Unknown exception";
const RETENTION: &str = "data retention mode";
const RETENTION_HELP: &str = " See https://docs.aws.amazon.com/bedrock/latest/userguide/data-retention.html for \
                              supported data retention modes.";

/// The text for a response with an error status.
pub(super) fn of_response(status: u16, headers: &HeaderMap, body: &str) -> String {
    let json: Value = serde_json::from_str(body).unwrap_or_default();
    let in_header = headers.get(ERROR_TYPE).and_then(|value| value.to_str().ok());
    let name = in_header.or_else(|| json["code"].as_str()).or_else(|| json["__type"].as_str()).map(bare_name);
    match (name.filter(|name| !name.is_empty()), message_of(&json)) {
        (Some(name), Some(message)) => of_exception(name, message),
        (Some(name), None) => of_exception(name, &format!("status {status}")),
        (None, _) => with_help(http_error::text(status, body, ErrorShape::Body)),
    }
}

/// The text for an exception inside the stream, whose payload is JSON or, for failures of the framing, plain text.
pub(super) fn in_stream(name: &str, payload: &str) -> String {
    let json: Value = serde_json::from_str(payload).unwrap_or_default();
    let message = message_of(&json).unwrap_or(payload.trim());
    of_exception(&capitalised(name), if message.is_empty() { "no reason given" } else { message })
}

fn of_exception(name: &str, message: &str) -> String {
    let known = PREFIXES.iter().find(|(known, _)| *known == name);
    with_help(format!("{}: {message}", known.map_or(name, |(_, prefix)| prefix)))
}

fn with_help(mut text: String) -> String {
    if text.contains(RETENTION) {
        text.push_str(RETENTION_HELP);
    }
    text
}

fn message_of(json: &Value) -> Option<&str> {
    let message = json["message"].as_str().or_else(|| json["Message"].as_str());
    message.filter(|message| !message.is_empty())
}

/// `ns#Name:link,more` is the exception `Name`.
fn bare_name(name: &str) -> &str {
    let name = name.split([',', ':']).next().unwrap_or_default();
    name.rsplit('#').next().unwrap_or_default().trim()
}

/// In a stream, exceptions go by their name as a member, which begins with a small letter.
fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    match characters.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + characters.as_str(),
        None => NAMELESS.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn response(error_type: &'static str, body: &str) -> String {
        let value = HeaderValue::from_static(error_type);
        let headers = HeaderMap::from_iter((!error_type.is_empty()).then(|| (ERROR_TYPE.parse().unwrap(), value)));
        of_response(400, &headers, body)
    }

    #[test]
    fn refused_requests() {
        for (error_type, body, expected) in [
            ("ThrottlingException:http://x/", r#"{"message":"slow"}"#, "Throttling error: slow"),
            ("AccessDeniedException", r#"{"Message":"no"}"#, "AccessDeniedException: no"),
            ("ValidationException", "", "Validation error: status 400"),
            ("", r#"{"__type":"a.b#ServiceUnavailableException","message":"m"}"#, "Service unavailable: m"),
            ("", r#"{"code":"InternalServerException","message":"m"}"#, "Internal server error: m"),
            ("", r#"{"message":"m"}"#, "400 m"),
            ("", "<html>bad</html>", "400 <html>bad</html>"),
            ("", "", "400 status code (no body)"),
        ] {
            assert_eq!(response(error_type, body), expected);
        }
        let retention = response("ValidationException", r#"{"message":"unsupported data retention mode x"}"#);
        assert_eq!(retention, format!("Validation error: unsupported data retention mode x{RETENTION_HELP}"));
    }

    #[test]
    fn exceptions_of_a_stream() {
        for (name, payload, expected) in [
            ("modelStreamErrorException", r#"{"message":"m"}"#, "Model stream error: m"),
            ("throttlingException", "{}", "Throttling error: {}"),
            ("InternalFailure", "as text", "InternalFailure: as text"),
            ("serviceUnavailableException", "", "Service unavailable: no reason given"),
        ] {
            assert_eq!(in_stream(name, payload), expected);
        }
        assert_eq!(in_stream("", "text"), "Unknown exception: text");
    }
}
