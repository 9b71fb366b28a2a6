//! Alternatives in the place of arguments: some providers refuse them there, others pass no argument on. One object that
//! allows what any of them allows takes their place.

use serde_json::{Map, Value, json};

/// Characters of what alternatives say of themselves that are kept.
const LONGEST_WORDS: usize = 500;
/// Schemas of one argument that are told apart; if there are more, it can be anything.
const MOST_ALTERNATIVES: usize = 256;

/// The schema without `allOf`, `anyOf` and `oneOf` at its top: with the arguments of all of them. Required is what each
/// alternative requires, and what any part of a whole does.
pub(super) fn flattened(mut object: Map<String, Value>) -> Map<String, Value> {
    for key in ["allOf", "anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = object.shift_remove(key) else { continue };
        let branches: Vec<_> = branches.into_iter().filter_map(arguments).map(flattened).collect();
        if branches.is_empty() {
            continue;
        }
        let is_whole = key == "allOf";
        let words = words(&branches, if is_whole { " " } else { " / " });
        let required = required_by(&branches, is_whole);
        let mut theirs = Map::new();
        for (name, schema) in branches.into_iter().flat_map(members) {
            add(&mut theirs, name, schema, is_whole);
        }
        let own = object.entry("properties").or_insert_with(|| json!({}));
        if let Value::Object(own) = own {
            theirs.into_iter().for_each(|(name, schema)| add(own, name, schema, true));
        }
        let mut all = strings(object.get("required"));
        all.extend(required.into_iter().filter(|name| !all.contains(name)).collect::<Vec<_>>());
        if !all.is_empty() {
            object.insert("required".to_owned(), json!(all));
        }
        if let Some(words) = words {
            let own = object.get("description").and_then(Value::as_str);
            let description = own.map_or_else(|| words.clone(), |own| format!("{own} {words}"));
            object.insert("description".to_owned(), description.into());
        }
    }
    object
}

/// A branch, if it can describe arguments.
fn arguments(branch: Value) -> Option<Map<String, Value>> {
    let Value::Object(branch) = branch else { return None };
    let is_object = match branch.get("type") {
        None => true,
        Some(Value::Array(types)) => types.contains(&json!("object")),
        Some(one) => one == "object",
    };
    is_object.then_some(branch)
}

fn members(mut schema: Map<String, Value>) -> Map<String, Value> {
    match schema.shift_remove("properties") {
        Some(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

fn strings(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn required_by(branches: &[Map<String, Value>], is_whole: bool) -> Vec<String> {
    let mut lists = branches.iter().map(|branch| strings(branch.get("required")));
    let first = lists.next().unwrap_or_default();
    lists.fold(first, |mut required, list| {
        if is_whole {
            required.extend(list.into_iter().filter(|name| !required.contains(name)).collect::<Vec<_>>());
        } else {
            required.retain(|name| list.contains(name));
        }
        required
    })
}

/// What the branches say of themselves, if that is short.
fn words(branches: &[Map<String, Value>], between: &str) -> Option<String> {
    let text_of = |branch: &Map<String, Value>| {
        ["description", "title"].iter().find_map(|key| branch.get(*key)?.as_str().map(str::to_owned))
    };
    let words = branches.iter().filter_map(text_of).collect::<Vec<_>>().join(between);
    (!words.is_empty() && words.len() <= LONGEST_WORDS).then_some(words)
}

/// Adds an argument. One that is there already has to be what both say if they are parts of a whole, else what either says.
fn add(properties: &mut Map<String, Value>, name: String, schema: Value, is_whole: bool) {
    let Some(known) = properties.get_mut(&name) else {
        properties.insert(name, schema);
        return;
    };
    match (known, schema) {
        (Value::Object(known), Value::Object(schema)) if is_whole => {
            // The later part speaks of what the earlier one leaves open.
            for (key, value) in schema {
                known.entry(key).or_insert(value);
            }
        }
        (known, schema) if !is_whole => *known = either(known.take(), schema),
        _ => {}
    }
}

/// A schema for what one or the other allows. Two lists of values become one.
fn either(known: Value, other: Value) -> Value {
    if known == other {
        return known;
    }
    let (Value::Object(mut known), Value::Object(other)) = (known, other) else { return json!({}) };
    if let (Some(Value::Array(values)), Some(Value::Array(more))) = (known.get_mut("enum"), other.get("enum")) {
        values.extend(more.iter().filter(|value| !values.contains(value)).cloned().collect::<Vec<_>>());
        let has_room = values.len() <= MOST_ALTERNATIVES;
        if known.get("type") != other.get("type") {
            known.shift_remove("type");
        }
        return if has_room { Value::Object(known) } else { json!({}) };
    }
    let is_list = known.len() == 1 && known.contains_key("anyOf");
    let mut list = match known.get_mut("anyOf") {
        Some(Value::Array(list)) if is_list => std::mem::take(list),
        _ => vec![Value::Object(known)],
    };
    let other = Value::Object(other);
    if !list.contains(&other) {
        list.push(other);
    }
    if list.len() > MOST_ALTERNATIVES || list.contains(&json!({})) { json!({}) } else { json!({"anyOf": list}) }
}
