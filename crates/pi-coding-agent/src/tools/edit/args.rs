//! What models send to `edit`, older shapes included.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::text::normalise_line_ends;

/// Arguments of a call.
#[derive(Debug, Deserialize)]
pub(super) struct EditArgs {
    pub(super) path: String,
    pub(super) edits: Vec<Replacement>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement {
    pub(super) old_text: String,
    pub(super) new_text: String,
}

impl Replacement {
    /// The same replacement for a text with LF line ends.
    pub(super) fn normalised(&self) -> Self {
        Self { old_text: normalise_line_ends(&self.old_text), new_text: normalise_line_ends(&self.new_text) }
    }
}

/// Turns `edits` given as a JSON string into an array, and top-level `oldText`/`newText` into a further edit.
pub(super) fn prepare(arguments: Value) -> Value {
    match arguments {
        Value::Object(mut fields) => {
            parse_edits(&mut fields);
            fold_legacy(&mut fields);
            Value::Object(fields)
        }
        other => other,
    }
}

/// Arguments whose `edits` are a JSON string, with the array that it stands for.
pub(super) fn corrected(arguments: &Value) -> Option<Value> {
    let mut fields = arguments.as_object()?.clone();
    parse_edits(&mut fields).then_some(Value::Object(fields))
}

/// Whether there was something to parse.
fn parse_edits(fields: &mut Map<String, Value>) -> bool {
    if let Some(edits) = fields.get_mut("edits")
        && let Some(parsed @ Value::Array(_)) = edits.as_str().and_then(|text| serde_json::from_str(text).ok())
    {
        *edits = parsed;
        return true;
    }
    false
}

fn fold_legacy(fields: &mut Map<String, Value>) {
    let (Some(Value::String(old)), Some(Value::String(new))) = (fields.get("oldText"), fields.get("newText")) else {
        return;
    };
    let edit = json!({ "oldText": old, "newText": new });
    fields.shift_remove("oldText");
    fields.shift_remove("newText");
    match fields.get_mut("edits") {
        Some(Value::Array(edits)) => edits.push(edit),
        _ => _ = fields.insert("edits".to_owned(), Value::Array(vec![edit])),
    }
}
