//! From the SDK's shape to the body that is sent. The provider's SDK does this after payload hooks, so hooks may put
//! anything into `config` that the SDK knows.

use serde_json::{Map, Value, json};

use crate::error::Error;

use super::Flavor;

/// Entries of `config` that stand beside `generationConfig`, in the order in which they are sent.
const BESIDE: [&str; 8] = [
    "serviceTier",
    "systemInstruction",
    "safetySettings",
    "tools",
    "toolConfig",
    "labels",
    "cachedContent",
    "modelArmorConfig",
];
/// Entries of `config` that are about the SDK itself.
const LOCAL: [&str; 3] = ["abortSignal", "httpOptions", "automaticFunctionCalling"];
/// Entries of `generationConfig` that come first, in this order; the thinking configuration comes last.
const SETTINGS: [&str; 5] = ["temperature", "topP", "topK", "candidateCount", "maxOutputTokens"];
const THINKING: &str = "thinkingConfig";

/// The body for a payload.
///
/// # Errors
/// [`Error::Hook`] when a hook left something that is no payload of this shape.
pub(in crate::api) fn translate(payload: Value, flavor: Flavor) -> Result<Value, Error> {
    let Value::Object(mut payload) = payload else { return Err(refused("it must be an object")) };
    let contents = contents(payload.remove("contents"), flavor)?;
    let mut config = match payload.remove("config") {
        Some(Value::Object(config)) => config,
        Some(Value::Null) | None => Map::new(),
        Some(_) => return Err(refused("its \"config\" must be an object")),
    };
    config.retain(|key, value| !value.is_null() && !LOCAL.contains(&key.as_str()));
    let mut body = Map::new();
    body.insert("contents".to_owned(), contents);
    for key in BESIDE {
        if let Some(value) = config.shift_remove(key) {
            body.insert(key.to_owned(), beside(key, value, flavor));
        }
    }
    body.insert("generationConfig".to_owned(), generation(config).into());
    Ok(Value::Object(body))
}

fn refused(detail: &str) -> Error {
    Error::Hook { hook: "on_payload", message: format!("the payload cannot be sent: {detail}.") }
}

fn contents(contents: Option<Value>, flavor: Flavor) -> Result<Value, Error> {
    match contents {
        Some(Value::Array(turns)) => Ok(turns.into_iter().map(|turn| content(turn, flavor)).collect()),
        Some(text @ Value::String(_)) => Ok(vec![content(text, flavor)].into()),
        _ => Err(refused("its \"contents\" must be a list of turns")),
    }
}

/// One turn; a mere text is a user's.
fn content(turn: Value, flavor: Flavor) -> Value {
    match turn {
        Value::String(text) => json!({"parts": [{"text": text}], "role": "user"}),
        Value::Object(mut turn) => {
            if let Some(Value::Array(parts)) = turn.get_mut("parts") {
                parts.iter_mut().for_each(|value| part(value, flavor));
            }
            ordered(turn, &["parts", "role"]).into()
        }
        other => other,
    }
}

/// Puts the fields of a part into the order of the wire.
fn part(part: &mut Value, flavor: Flavor) {
    let Value::Object(fields) = part else { return };
    if flavor == Flavor::GenerativeAi {
        reorder(fields, "functionCall", &["args", "id", "name"]);
        reorder(fields, "inlineData", &["data", "mimeType"]);
    }
    let order = ["functionCall", "functionResponse", "inlineData", "text", "thought", "thoughtSignature"];
    *fields = ordered(std::mem::take(fields), &order);
}

/// Puts an object that is a field into an order.
fn reorder(fields: &mut Map<String, Value>, key: &str, order: &[&str]) {
    if let Some(Value::Object(object)) = fields.get_mut(key) {
        *object = ordered(std::mem::take(object), order);
    }
}

/// The object with these keys first.
fn ordered(mut object: Map<String, Value>, first: &[&str]) -> Map<String, Value> {
    let mut sorted = Map::new();
    for key in first {
        if let Some(value) = object.shift_remove(*key) {
            sorted.insert((*key).to_owned(), value);
        }
    }
    sorted.append(&mut object);
    sorted
}

/// An entry that stands beside `generationConfig`.
fn beside(key: &str, mut value: Value, flavor: Flavor) -> Value {
    match key {
        "systemInstruction" => content(value, flavor),
        "tools" if flavor == Flavor::Vertex => {
            let declarations = value.as_array_mut().into_iter().flatten();
            let declarations = declarations.filter_map(|tool| tool["functionDeclarations"].as_array_mut()).flatten();
            for declaration in declarations.filter_map(Value::as_object_mut) {
                *declaration = ordered(std::mem::take(declaration), &["description", "name"]);
            }
            value
        }
        _ => value,
    }
}

fn generation(config: Map<String, Value>) -> Map<String, Value> {
    let mut generation = ordered(config, &SETTINGS);
    if let Some(model) = generation.shift_remove("modelSelectionConfig") {
        generation.insert("modelConfig".to_owned(), model);
    }
    if let Some(thinking) = generation.shift_remove(THINKING) {
        generation.insert(THINKING.to_owned(), thinking);
    }
    generation
}
