//! How this format words what its events say. Clients know these texts.

use crate::api::http_error::{describe, is_truthy};
use crate::api::responses::dialect::Dialect;
use crate::api::responses::tier::TierRule;
use crate::json_view::Json;

/// Events that came as server-sent events.
pub(super) const SSE: Dialect = Dialect {
    done_ends: true,
    tolerates_unknown_status: true,
    tiers: TierRule::RequestedOverDefault,
    unreadable: "Invalid Codex SSE JSON",
    // "ended without" is what retries look for.
    incomplete: "Codex stream ended without response.completed",
    error: error_event,
    failed: failed_response,
};

/// Events that came over a WebSocket.
pub(super) const WEBSOCKET: Dialect = Dialect { unreadable: "Invalid Codex WebSocket JSON", ..SSE };

fn error_event(event: &Json<'_>) -> String {
    let own = [&event["message"], &event["code"]].into_iter().find(|value| is_truthy(value));
    let text = match own {
        Some(Json::String(text)) => text.clone().into_owned(),
        Some(other) => other.to_string(),
        None => describe(&event["error"]).unwrap_or_else(|| event.to_string()),
    };
    format!("Codex error: {text}")
}

fn failed_response(response: &Json<'_>) -> String {
    match response["error"]["message"].as_str() {
        Some(message) if !message.is_empty() => message.to_owned(),
        _ => "Codex response failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording() {
        let parse = |text| serde_json::from_str::<Json<'_>>(text).unwrap();
        for (event, expected) in [
            (r#"{"type":"error","code":"c","message":"M"}"#, "Codex error: M"),
            (r#"{"type":"error","code":"c","message":""}"#, "Codex error: c"),
            (r#"{"type":"error","error":{"code":"c","message":"M"}}"#, "Codex error: M"),
            (r#"{"type":"error","status":400}"#, r#"Codex error: {"type":"error","status":400}"#),
        ] {
            assert_eq!(error_event(&parse(event)), expected);
        }
        assert_eq!(failed_response(&parse(r#"{"error":{"message":"M"}}"#)), "M");
        assert_eq!(failed_response(&parse(r#"{"error":{}}"#)), "Codex response failed");
    }
}
