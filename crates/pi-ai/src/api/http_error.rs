//! Words an error status as clients expect it: the status, then what the body says.

use crate::json_view::Json;

/// Which part of an error body holds the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorShape {
    /// The whole body.
    Body,
    /// The field `error` of the body; a JSON body without it counts as empty.
    ErrorField,
}

/// The text for a response with an error status.
pub(crate) fn text(status: u16, body: &str, shape: ErrorShape) -> String {
    let detail = match serde_json::from_str::<Json<'_>>(body) {
        Ok(body) if is_truthy(&body) => match shape {
            ErrorShape::Body => describe(&body),
            ErrorShape::ErrorField => body.get("error").and_then(describe_with_metadata),
        },
        _ => (!body.is_empty()).then(|| body.to_owned()),
    };
    match detail {
        Some(detail) => format!("{status} {detail}"),
        // Overflow detection knows this wording.
        None => format!("{status} status code (no body)"),
    }
}

/// As many UTF-16 units of a body does [`raw_text`] show.
const SHOWN: usize = 4000;

/// The text for a response with an error status where the whole body is shown, introduced by the API's name.
pub(crate) fn raw_text(api: &str, status: u16, content_type: &str, body: &str) -> String {
    let detail = match body {
        "" => format!("API error occurred: Status {status} Content-Type \"{content_type}\". Body: \"\""),
        body => shortened(body),
    };
    format!("{api} API error ({status}): {detail}")
}

/// The beginning of a long text, and how much is missing.
fn shortened(text: &str) -> String {
    let mut units = 0;
    let fits = text.char_indices().find(|(_, letter)| {
        units += letter.len_utf16();
        units > SHOWN
    });
    let Some((end, _)) = fits else { return text.to_owned() };
    let (shown, rest) = text.split_at(end);
    format!("{shown}... [truncated {} chars]", rest.encode_utf16().count())
}

/// The message of an error object, else the whole of it as JSON; `None` when there is nothing to say.
pub(crate) fn describe(error: &Json<'_>) -> Option<String> {
    if !is_truthy(error) {
        return None;
    }
    Some(match error.get("message").filter(|message| is_truthy(message)) {
        Some(Json::String(message)) => message.clone().into_owned(),
        Some(other) => other.to_string(),
        None => error.to_string(),
    })
}

/// As [`describe`], followed by the upstream's own words where a router passes them on.
pub(crate) fn describe_with_metadata(error: &Json<'_>) -> Option<String> {
    let mut text = describe(error)?;
    if let Some(raw) = Some(&error["metadata"]["raw"]).filter(|raw| is_truthy(raw)) {
        text.push('\n');
        match raw {
            Json::String(raw) => text.push_str(raw),
            other => text.push_str(&other.to_string()),
        }
    }
    Some(text)
}

/// Truth as JavaScript sees it: `null`, `false`, `0` and `""` are false.
pub(crate) fn is_truthy(value: &Json<'_>) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(value) => *value,
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        Json::Array(_) | Json::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording_by_shape() {
        for (status, body, whole, field) in [
            (400, r#"{"error":{"message":"M","type":"t"}}"#, r#"400 {"error":{"message":"M","type":"t"}}"#, "400 M"),
            (400, r#"{"message":"M"}"#, "400 M", "400 status code (no body)"),
            (400, r#"{"detail":"D"}"#, r#"400 {"detail":"D"}"#, "400 status code (no body)"),
            (500, r#"{"error":"S"}"#, r#"500 {"error":"S"}"#, r#"500 "S""#),
            (429, r#"{"error":{"code":5}}"#, r#"429 {"error":{"code":5}}"#, r#"429 {"code":5}"#),
            (502, "<html>bad</html>", "502 <html>bad</html>", "502 <html>bad</html>"),
            (413, "", "413 status code (no body)", "413 status code (no body)"),
            (
                400,
                r#"{ "error": { "message": "M", "metadata": {"raw": "upstream"} } }"#,
                r#"400 {"error":{"message":"M","metadata":{"raw":"upstream"}}}"#,
                "400 M\nupstream",
            ),
        ] {
            assert_eq!(text(status, body, ErrorShape::Body), whole);
            assert_eq!(text(status, body, ErrorShape::ErrorField), field);
        }
    }

    #[test]
    fn raw_bodies_are_shown_up_to_a_limit() {
        assert_eq!(raw_text("X", 500, "", "{\"detail\": 1}"), "X API error (500): {\"detail\": 1}");
        let empty = "X API error (413): API error occurred: Status 413 Content-Type \"\". Body: \"\"";
        assert_eq!(raw_text("X", 413, "", ""), empty);
        let fits = "é".repeat(SHOWN);
        assert_eq!(raw_text("X", 400, "", &fits), format!("X API error (400): {fits}"));
        let long = format!("{}\u{1F600}tail", "a".repeat(SHOWN - 1));
        let expected = format!("X API error (400): {}... [truncated 6 chars]", "a".repeat(SHOWN - 1));
        assert_eq!(raw_text("X", 400, "", &long), expected);
    }
}
