//! What the Responses formats disagree about when they read events.

use crate::api::http_error::{describe, is_truthy};
use crate::json_view::Json;

use super::tier::TierRule;

/// How one format reads events.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect {
    /// Whether `response.done` ends an answer, too.
    pub(crate) done_ends: bool,
    /// What a status that this version does not know means: a plain end, or a failure.
    pub(crate) tolerates_unknown_status: bool,
    /// What a response is charged.
    pub(crate) tiers: TierRule,
    /// Begins the text about an event that is no JSON; what is wrong with it follows.
    pub(crate) unreadable: &'static str,
    /// The text about a stream without a terminal event.
    pub(crate) incomplete: &'static str,
    /// Words an event `error`, or another one that holds an error.
    pub(crate) error: fn(&Json<'_>) -> String,
    /// Words the failure that a response reports about itself.
    pub(crate) failed: fn(&Json<'_>) -> String,
}

/// `openai-responses`.
pub(crate) const OPENAI: Dialect = Dialect {
    done_ends: false,
    tolerates_unknown_status: false,
    tiers: TierRule::Reported,
    unreadable: "Could not parse an event of the OpenAI Responses stream",
    // "ended without" is what retries look for.
    incomplete: "OpenAI Responses stream ended without response.completed",
    error: error_event,
    failed: failed_response,
};

/// `azure-openai-responses`.
pub(crate) const AZURE: Dialect = Dialect { tiers: TierRule::Ignored, ..OPENAI };

fn error_event(event: &Json<'_>) -> String {
    if let Some(text) = describe(&event["error"]) {
        return text;
    }
    format!("Error Code {}: {}", text_or(&event["code"], "unknown"), text_or(&event["message"], "no message"))
}

fn failed_response(response: &Json<'_>) -> String {
    let error = &response["error"];
    if is_truthy(error) {
        return format!("{}: {}", text_or(&error["code"], "unknown"), text_or(&error["message"], "no message"));
    }
    match response["incomplete_details"]["reason"].as_str() {
        Some(reason) if !reason.is_empty() => format!("incomplete: {reason}"),
        _ => "Unknown error (no error details in response)".to_owned(),
    }
}

/// A value as text, unless it is nothing.
fn text_or(value: &Json<'_>, nothing: &str) -> String {
    match value {
        Json::String(text) if !text.is_empty() => text.clone().into_owned(),
        value if is_truthy(value) => value.to_string(),
        _ => nothing.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording() {
        for (event, expected) in [
            (r#"{"code": "rate_limit_exceeded", "message": "M"}"#, "Error Code rate_limit_exceeded: M"),
            (r#"{"code": null, "message": "M", "error": null}"#, "Error Code unknown: M"),
            ("{}", "Error Code unknown: no message"),
            (r#"{"error": {"code": "c", "message": "M"}}"#, "M"),
            (r#"{"error": {"code": "c"}}"#, r#"{"code":"c"}"#),
        ] {
            assert_eq!(error_event(&serde_json::from_str(event).unwrap()), expected);
        }
        for (response, expected) in [
            (r#"{"error": {"code": "server_error", "message": "M"}}"#, "server_error: M"),
            (r#"{"error": {}}"#, "unknown: no message"),
            (r#"{"error": null, "incomplete_details": {"reason": "R"}}"#, "incomplete: R"),
            ("null", "Unknown error (no error details in response)"),
        ] {
            assert_eq!(failed_response(&serde_json::from_str(response).unwrap()), expected);
        }
    }
}
