//! Changes values of a commented text and leaves everything else as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Map, Value};

use super::strip::strip_comments;

/// A text that has the values of `target` and the comments of `text`; `None` when `text` has no comments, or is no
/// object.
pub(crate) fn edit_keeping_comments(text: &str, target: &Map<String, Value>) -> Option<String> {
    let stripped = strip_comments(text);
    if stripped == text {
        return None;
    }
    let current: Map<String, Value> = serde_json::from_str(&stripped).ok()?;
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok()?;
    change(&root.object_value()?, &current, target);
    let edited = root.to_string();
    // The proof that nothing but the wanted change happened.
    let read: Map<String, Value> = serde_json::from_str(&strip_comments(&edited)).ok()?;
    (read == *target).then_some(edited)
}

/// Brings `object`, whose values are `current`, to `target`.
fn change(object: &CstObject, current: &Map<String, Value>, target: &Map<String, Value>) {
    for name in current.keys().filter(|name| !target.contains_key(*name)) {
        let gone = object.properties().into_iter().filter(|p| p.decoded_name().as_ref() == Some(name));
        gone.for_each(CstObjectProp::remove);
    }
    for (name, value) in target {
        let property = object.properties().into_iter().rfind(|p| p.decoded_name().as_ref() == Some(name));
        match (property, current.get(name)) {
            (Some(_), Some(old)) if old == value => {}
            (Some(property), Some(old)) => match (property.object_value(), old, value) {
                (Some(inner), Value::Object(old), Value::Object(new)) => change(&inner, old, new),
                _ => property.set_value(input(value)),
            },
            _ => _ = object.append(name, input(value)),
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(values) => {
            CstInputValue::Object(values.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn edited(text: &str, target: Value) -> Option<String> {
        let Value::Object(target) = target else { panic!("a case is no object") };
        edit_keeping_comments(text, &target)
    }

    #[test]
    fn comments_stay_where_they_are() {
        let text = "{\n  // mine\n  \"theme\": \"dark\", // for the night\n  \"retry\": {\n    /* twice */\n    \"maxRetries\": 2,\n  },\n}\n";
        insta::assert_snapshot!(edited(text, json!({"theme": "light", "retry": {"maxRetries": 2, "enabled": false}, "steeringMode": "all"})).unwrap(), @r#"
        {
          // mine
          "theme": "light", // for the night
          "retry": {
            /* twice */
            "maxRetries": 2,
            "enabled": false,
          },
          "steeringMode": "all",
        }
        "#);
        insta::assert_snapshot!(edited(text, json!({"retry": {"maxRetries": 2}})).unwrap(), @r#"
        {
          // mine
          "retry": {
            /* twice */
            "maxRetries": 2,
          },
        }
        "#);
    }

    #[test]
    fn a_text_without_comments_is_somebody_elses_business() {
        assert_eq!(edited("{\"a\": 1}", json!({"a": 2})), None);
        assert_eq!(edited("// only this", json!({"a": 2})), None);
    }

    fn settings() -> impl Strategy<Value = Map<String, Value>> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-z/\"\\\\ü]{0,6}".prop_map(Value::from)
        ];
        let value = leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map("[a-c]", inner, 0..3)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        });
        prop::collection::btree_map("[a-e]", value, 0..4).prop_map(|map| map.into_iter().collect())
    }

    proptest! {
        #[test]
        fn any_change_can_be_made_and_no_comment_is_lost(before in settings(), after in settings()) {
            let text = format!("// first\n{}\n// last\n", serde_json::to_string_pretty(&before).unwrap());
            let edited = edit_keeping_comments(&text, &after).unwrap();
            prop_assert!(edited.starts_with("// first\n") && edited.trim_end().ends_with("// last"), "{}", edited);
        }
    }
}
