//! What becomes of schemas.

use proptest::prelude::*;

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
fn a_schema_that_holds_itself_is_open_where_it_comes_again() {
    check(
        &json!({"type": "object", "properties": {"child": {"$ref": "#"}}}),
        &json!({"type": "object", "properties": {"child": {"type": "object"}}}),
    );
    let node = json!({"description": "A filter.", "properties": {
        "and": {"type": "array", "items": {"$ref": "#/$defs/Node"}}, "not": {"$ref": "#/$defs/Node"},
        "any": {"$ref": "#/$defs/Any", "description": "mine"},
    }});
    let open = json!({"type": "object", "description": "A filter."});
    check(
        &json!({"$ref": "#/$defs/Node", "$defs": {"Node": node, "Any": {"anyOf": [{"$ref": "#/$defs/Any"}]}}}),
        &json!({"type": "object", "description": "A filter.", "properties": {
            "and": {"type": "array", "items": open}, "not": open,
            "any": {"anyOf": [{}], "description": "mine"},
        }}),
    );
}

/// Definitions of which each refers to all.
fn knot(count: usize) -> Value {
    let all: Map<String, Value> =
        (0..count).map(|at| (format!("to{at}"), json!({"$ref": format!("#/$defs/{at}")}))).collect();
    let definitions: Map<String, Value> =
        (0..count).map(|at| (at.to_string(), json!({"type": "object", "properties": all}))).collect();
    json!({"$ref": "#/$defs/0", "$defs": definitions})
}

fn assert_bounded(schema: &Value) {
    let Value::Object(object) = schema else { panic!("no object") };
    let clean = sanitized(object);
    let most = (size(schema) * MOST_GROWTH).max(SMALL);
    assert!(size(&clean) <= most + 100, "{} became {}: {schema}", size(schema), size(&clean));
    assert!(!clean.to_string().contains("\"$ref\":\""), "{schema}");
}

#[test]
fn definitions_that_refer_to_each_other_stay_small_and_arguments_stay_known() {
    for count in [1, 3, 6, 12, 100] {
        let schema = knot(count);
        assert_bounded(&schema);
        let Value::Object(object) = &schema else { panic!("no object") };
        assert_eq!(sanitized(object)["properties"].as_object().unwrap().len(), count);
    }
}

proptest! {
    /// Any graph of definitions, with any words in them.
    #[test]
    fn any_graph_of_definitions_is_written_out_in_bounded_space(
        edges in proptest::collection::vec(proptest::collection::vec(0_usize..14, 0..12), 1..14),
        words in 0_usize..3000,
    ) {
        let definition = |(at, targets): (usize, &Vec<usize>)| {
            let members: Map<String, Value> = targets.iter().enumerate()
                .map(|(name, target)| (name.to_string(), json!({"items": {"$ref": format!("#/$defs/{target}")}})))
                .collect();
            let key = ["properties", "patternProperties"][at % 2];
            (at.to_string(), json!({key: members, "description": "w".repeat(words)}))
        };
        let definitions: Map<String, Value> = edges.iter().enumerate().map(definition).collect();
        assert_bounded(&json!({"properties": {"a": {"$ref": "#/$defs/0"}}, "$defs": definitions}));
        assert_bounded(&json!({"$ref": "#/$defs/0", "$defs": definitions}));
    }
}

#[test]
fn alternatives_in_the_place_of_arguments_become_one_object() {
    let create = json!({"type": "object", "title": "Create", "required": ["action", "name"],
        "properties": {"action": {"const": "create"}, "name": {"type": "string"}, "size": {"type": "integer"}}});
    let remove = json!({"type": "object", "description": "Remove by id", "required": ["action", "id"],
        "properties": {"action": {"const": "remove"}, "id": {"type": "string"}, "size": {"type": "string"}}});
    for key in ["anyOf", "oneOf"] {
        check(
            &json!({key: [create, {"$ref": "#/$defs/Remove"}, {"type": "null"}], "description": "Files.",
                "$defs": {"Remove": remove}}),
            &json!({"type": "object", "required": ["action"], "description": "Files. Create / Remove by id", "properties": {
                "action": {"enum": ["create", "remove"]}, "name": {"type": "string"},
                "size": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "id": {"type": "string"},
            }}),
        );
    }
    check(
        &json!({"properties": {"a": {"type": "string"}}, "required": ["a"], "allOf": [
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            {"anyOf": [{"properties": {"c": {}}, "required": ["c"]}, {"properties": {"d": {}}}]},
            {"properties": {"a": {"description": "First."}}},
        ]}),
        &json!({"type": "object", "required": ["a", "b"], "properties": {
            "a": {"type": "string", "description": "First."}, "b": {"type": "string"}, "c": {}, "d": {},
        }}),
    );
}
