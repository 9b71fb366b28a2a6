//! What a handler changed in an event: the JSON texts of the fields as it left them, compared with what it was given.

use std::collections::HashMap;

use pi_script::{TooDeep, parse_json};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// The fields that a handler changed; `None` where there are none. `before` is the event that it was given, and `left` are
/// the fields as it left them, as JSON of the script.
///
/// # Errors
/// When what it left is nested too deeply.
pub(super) fn changed(
    before: &str,
    left: impl Iterator<Item = (&'static str, Option<String>)>,
) -> Result<Option<Value>, TooDeep> {
    let mut fields = None;
    let mut changed = Map::new();
    for (field, text) in left {
        // A field that is gone is as good as unchanged: there is no value to take its place.
        let Some(text) = text else { continue };
        if is_last(before, field, &text) {
            continue;
        }
        let fields = fields.get_or_insert_with(|| fields_of(before));
        let before = fields.get(field).map(|raw| raw.get());
        if before == Some(text.as_str()) {
            continue;
        }
        let after = parse_json(&text)?;
        if !before.is_some_and(|before| is_same_in_script(before, &after)) {
            changed.insert(field.to_owned(), after);
        }
    }
    Ok((!changed.is_empty()).then_some(Value::Object(changed)))
}

/// Whether the event ends with this text as this field, as most do whose fields can be changed: nothing is parsed then.
fn is_last(before: &str, field: &str, text: &str) -> bool {
    let name =
        before.strip_suffix('}').and_then(|rest| rest.strip_suffix(text)).and_then(|rest| rest.strip_suffix("\":"));
    name.and_then(|rest| rest.strip_suffix(field)).is_some_and(|rest| rest.ends_with(",\""))
}

fn fields_of(event: &str) -> HashMap<String, &RawValue> {
    serde_json::from_str(event).unwrap_or_default()
}

/// Whether a script sees no difference: it has one kind of number, and writes numbers in its own way.
fn is_same_in_script(before: &str, after: &Value) -> bool {
    fn is_same(before: &Value, after: &Value) -> bool {
        match (before, after) {
            (Value::Number(before), Value::Number(after)) => before.as_f64() == after.as_f64(),
            (Value::Array(before), Value::Array(after)) => {
                before.len() == after.len() && before.iter().zip(after).all(|(before, after)| is_same(before, after))
            }
            (Value::Object(before), Value::Object(after)) => {
                let is_same = |(key, value)| after.get(key).is_some_and(|after| is_same(value, after));
                before.len() == after.len() && before.iter().all(is_same)
            }
            (before, after) => before == after,
        }
    }
    serde_json::from_str(before).is_ok_and(|before: Value| is_same(&before, after))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn left<const N: usize>(before: &str, fields: [(&'static str, Option<&str>); N]) -> Result<Option<Value>, TooDeep> {
        changed(before, fields.into_iter().map(|(field, text)| (field, text.map(str::to_owned))))
    }

    const CALL: &str = r#"{"type":"tool_call","toolCallId":"1","input":{"a":1.0,"input":{},"big":9007199254740993}}"#;

    #[test]
    fn what_a_script_writes_in_its_own_way_is_no_change() {
        let same = r#"{"a":1,"input":{},"big":9007199254740992}"#;
        let words = r#"{"a":1.0,"input":{},"big":9007199254740993}"#;
        for text in [Some(same), Some(words), None] {
            assert_eq!(left(CALL, [("input", text)]), Ok(None), "{text:?}");
        }
    }

    #[test]
    fn a_part_of_what_was_is_a_change() {
        // The text is at the end of the event, as part of something else.
        for (before, text) in [
            (CALL, "{}"),
            (r#"{"type":"x","input":{"b":{"input":{}}}}"#, "{}"),
            (r#"{"type":"x","input":"a\"b\""}"#, r#""b""#),
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(left(before, [("input", Some(text))]), Ok(Some(json!({"input": value}))), "{before}");
        }
    }

    #[test]
    fn only_what_was_changed_counts() {
        let before = r#"{"type":"tool_result","content":[{"type":"text","text":"a"}],"isError":false}"#;
        let fields = |content, details, is_error| {
            left(before, [("content", Some(content)), ("details", details), ("isError", Some(is_error))])
        };
        let content = r#"[{"type":"text","text":"a"}]"#;
        assert_eq!(fields(content, None, "false"), Ok(None));
        assert_eq!(fields(content, Some("{\"b\":2}"), "true"), Ok(Some(json!({"details": {"b": 2}, "isError": true}))));
        assert_eq!(fields(r#"["\ud800"]"#, None, "false"), Ok(Some(json!({"content": ["\u{fffd}"]}))));
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert_eq!(fields(&deep, None, "false"), Err(TooDeep));
    }
}
