//! Schemas of arguments as every provider takes them: one object without references, `const` and the keywords of a draft.

use serde_json::{Map, Value, json};

/// References inside references are followed this far: schemas may hold themselves.
const DEEPEST: usize = 8;
/// Keys that mean nothing to a model and are refused by some provider.
const DROPPED: [&str; 9] =
    ["$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "$dynamicAnchor", "$vocabulary", "examples"];

/// The schema of a tool's arguments.
pub(crate) fn sanitized(schema: &Map<String, Value>) -> Value {
    let root = Value::Object(schema.clone());
    let mut clean = match clean(&root, &root, 0) {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    // Some servers describe the object by alternatives only: they are left as they are, beside its type.
    clean.insert("type".to_owned(), "object".into());
    clean.entry("properties").or_insert_with(|| json!({}));
    Value::Object(clean)
}

fn clean(schema: &Value, root: &Value, depth: usize) -> Value {
    let Value::Object(object) = schema else { return schema.clone() };
    if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
        return followed(reference, object, root, depth);
    }
    let mut result = Map::new();
    for (key, value) in object {
        match key.as_str() {
            key if DROPPED.contains(&key) => {}
            "const" => {
                result.insert("enum".to_owned(), json!([value]));
            }
            "properties" | "patternProperties" => {
                result.insert(key.clone(), of_members(value, |member| clean(member, root, depth)));
            }
            "items" | "additionalProperties" | "not" | "if" | "then" | "else" | "contains" | "propertyNames" => {
                result.insert(key.clone(), clean(value, root, depth));
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                let list = value.as_array().map(|list| list.iter().map(|item| clean(item, root, depth)).collect());
                result.insert(key.clone(), list.map_or(value.clone(), Value::Array));
            }
            _ => {
                result.insert(key.clone(), value.clone());
            }
        }
    }
    Value::Object(result)
}

/// What a reference means, with what stands beside it. One that leads nowhere, or too deep, allows anything.
fn followed(reference: &str, beside: &Map<String, Value>, root: &Value, depth: usize) -> Value {
    let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer)).filter(|_| depth < DEEPEST);
    let mut merged = match target.map(|target| clean(target, root, depth + 1)) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    };
    let rest: Map<String, Value> =
        beside.iter().filter(|(key, _)| *key != "$ref").map(|(key, value)| (key.clone(), value.clone())).collect();
    if let Value::Object(rest) = clean(&Value::Object(rest), root, depth) {
        merged.extend(rest);
    }
    Value::Object(merged)
}

fn of_members(members: &Value, change: impl Fn(&Value) -> Value) -> Value {
    match members {
        Value::Object(object) => {
            Value::Object(object.iter().map(|(name, value)| (name.clone(), change(value))).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &Value, expected: &Value) {
        let Value::Object(object) = schema else { panic!("no object") };
        assert_eq!(&sanitized(object), expected, "{schema}");
    }

    #[test]
    fn references_and_constants_are_written_out() {
        check(&json!({}), &json!({"type": "object", "properties": {}}));
        check(
            &json!({
                "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A", "description": "mine"}, "b": {"const": 1}, "$ref": {"type": "string"}},
                "$defs": {"A": {"type": "string", "enum": ["x"]}},
            }),
            &json!({
                "type": "object",
                "properties": {
                    "a": {"type": "string", "enum": ["x"], "description": "mine"}, "b": {"enum": [1]},
                    "$ref": {"type": "string"},
                },
            }),
        );
        check(
            &json!({"properties": {"a": {"anyOf": [{"$ref": "#/definitions/Gone"}, {"type": "null"}]}}}),
            &json!({"properties": {"a": {"anyOf": [{}, {"type": "null"}]}}, "type": "object"}),
        );
    }

    #[test]
    fn a_schema_that_holds_itself_ends() {
        let tree = json!({"type": "object", "properties": {"child": {"$ref": "#"}}});
        let Value::Object(object) = &tree else { panic!("no object") };
        let text = sanitized(object).to_string();
        assert_eq!(text.matches("child").count(), DEEPEST + 1);
    }
}
