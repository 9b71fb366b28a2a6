//! What error statuses of the server mean: which are worth another try, and how they are worded for the user.

use std::sync::LazyLock;

use http::StatusCode;
use regex::RegexSet;

use crate::api::http_error::is_truthy;
use crate::classify::is_exhausted_text;
use crate::json_view::Json;
use crate::overflow::any_case;

/// Bodies of failures that often pass. Case is ignored.
const TRANSIENT: [&str; 5] =
    ["rate.?limit", "overloaded", "service.?unavailable", "upstream.?connect", "connection.?refused"];
/// Codes of a subscription that has been used up. Case is ignored.
const USED_UP: [&str; 3] = ["usage_limit_reached", "usage_not_included", "rate_limit_exceeded"];

static TRANSIENT_SET: LazyLock<RegexSet> = LazyLock::new(|| any_case(&TRANSIENT));
static USED_UP_SET: LazyLock<RegexSet> = LazyLock::new(|| any_case(&USED_UP));

/// Whether a request that was answered like this is worth another try.
pub(super) fn is_retryable(status: u16, body: &str) -> bool {
    match status {
        // A budget does not come back within seconds.
        429 => !is_exhausted_text(body),
        500 | 502 | 503 | 504 => true,
        _ => TRANSIENT_SET.is_match(body),
    }
}

/// The text for a response with an error status. `now_ms` is the Unix time in milliseconds.
pub(super) fn text(status: u16, body: &str, now_ms: i64) -> String {
    let parsed = serde_json::from_str::<Json<'_>>(body).ok();
    let error = parsed.as_ref().map(|body| &body["error"]).filter(|error| is_truthy(error));
    let worded = error.and_then(|error| {
        let message = error["message"].as_str().filter(|message| !message.is_empty()).map(str::to_owned);
        used_up(status, error, now_ms).or(message)
    });
    worded.unwrap_or_else(|| plain(status, body))
}

/// Nothing in the body is meant for users: the body itself, else the status.
fn plain(status: u16, body: &str) -> String {
    if !body.is_empty() {
        return body.to_owned();
    }
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    reason.unwrap_or("Request failed").to_owned()
}

/// What to tell users whose subscription is used up.
fn used_up(status: u16, error: &Json<'_>, now_ms: i64) -> Option<String> {
    let code = ["code", "type"].into_iter().find_map(|key| error[key].as_str().filter(|code| !code.is_empty()));
    if status != 429 && !USED_UP_SET.is_match(code.unwrap_or_default()) {
        return None;
    }
    let plan = error["plan_type"].as_str().filter(|plan| !plan.is_empty());
    let plan = plan.map(|plan| format!(" ({} plan)", plan.to_lowercase())).unwrap_or_default();
    let again = error["resets_at"].as_f64().filter(|resets_at| *resets_at != 0.0).map(|resets_at| {
        let minutes = ((resets_at * 1000.0 - now_ms as f64) / 60_000.0).round().max(0.0);
        format!(" Try again in ~{minutes} min.")
    });
    Some(format!("You have hit your ChatGPT usage limit{plan}.{}", again.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!((TRANSIENT_SET.len(), USED_UP_SET.len()), (TRANSIENT.len(), USED_UP.len()));
    }

    #[test]
    fn what_is_tried_again() {
        for (status, body, expected) in [
            (429, "slow down", true),
            (429, r#"{"error":{"code":"insufficient_quota"}}"#, false),
            (429, "Check your BILLING details", false),
            (500, "", true),
            (502, "billing", true),
            (501, "", false),
            (400, "", false),
            (400, "Upstream connect error", true),
            (403, "Rate-Limit hit", true),
            (401, "no", false),
        ] {
            assert_eq!(is_retryable(status, body), expected, "{status} {body}");
        }
    }

    #[test]
    fn wording() {
        let limit = "You have hit your ChatGPT usage limit";
        for (status, body, expected) in [
            (400, r#"{"error":{"message":"M"}}"#, "M".to_owned()),
            (400, r#"{"error":{"type":"t"}}"#, r#"{"error":{"type":"t"}}"#.to_owned()),
            (400, r#"{"detail":"D"}"#, r#"{"detail":"D"}"#.to_owned()),
            (502, "<html>", "<html>".to_owned()),
            (503, "", "Service Unavailable".to_owned()),
            (599, "", "Request failed".to_owned()),
            (429, r#"{"error":{"message":"M"}}"#, format!("{limit}.")),
            (
                403,
                r#"{"error":{"code":"usage_limit_reached","message":"M","plan_type":"Plus","resets_at":1600}}"#,
                format!("{limit} (plus plan). Try again in ~10 min."),
            ),
            (404, r#"{"error":{"type":"Usage_Not_Included","resets_at":1}}"#, format!("{limit}. Try again in ~0 min.")),
        ] {
            assert_eq!(text(status, body, 1_000_000), expected);
        }
    }
}
