//! How an error status is worded: the body as JSON, as the provider's SDK has it.

use serde_json::json;

use crate::api::http_error::is_truthy;
use crate::json_view::Json;

/// The text for a response with an error status. A body that is not JSON is wrapped like the provider's own errors.
pub(in crate::api) fn http_error(status: u16, body: &str) -> String {
    match serde_json::from_str::<Json<'_>>(body) {
        Ok(body) if is_truthy(&body) => body.to_string(),
        _ => {
            let reason = http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
            json!({"error": {"message": body, "code": status, "status": reason.unwrap_or("")}}).to_string()
        }
    }
}

/// The text for an error object inside of an accepted answer; `chunk` is the object that holds it.
pub(super) fn in_stream(chunk: &Json<'_>) -> String {
    let status = match &chunk["error"]["status"] {
        Json::String(status) => status.clone().into_owned(),
        Json::Null => chunk["error"]["code"].to_string(),
        other => other.to_string(),
    };
    format!("got status: {status}. {chunk}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording() {
        for (status, body, expected) in [
            (400, r#"{ "error": {"message":"M","code":400} }"#, r#"{"error":{"message":"M","code":400}}"#),
            (400, r#"{"message":"M"}"#, r#"{"message":"M"}"#),
            (500, r#"{"error":"S"}"#, r#"{"error":"S"}"#),
            (502, "<html>x", r#"{"error":{"message":"<html>x","code":502,"status":"Bad Gateway"}}"#),
            (413, "", r#"{"error":{"message":"","code":413,"status":"Payload Too Large"}}"#),
            (599, "", r#"{"error":{"message":"","code":599,"status":""}}"#),
        ] {
            assert_eq!(http_error(status, body), expected);
        }
        for (chunk, status) in [
            (r#"{"error":{"code":503,"status":"UNAVAILABLE"}}"#, "UNAVAILABLE"),
            (r#"{"error":{"code":503}}"#, "503"),
            (r#"{"error":"S"}"#, "null"),
        ] {
            assert_eq!(in_stream(&serde_json::from_str(chunk).unwrap()), format!("got status: {status}. {chunk}"));
        }
    }
}
