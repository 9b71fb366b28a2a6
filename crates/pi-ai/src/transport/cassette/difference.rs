//! The first difference of two JSON values, in words that fit on a line.

use serde_json::Value;

/// Characters of a text that are shown.
const SHOWN: usize = 60;
/// Characters in front of the first difference of two texts.
const BEFORE: usize = 20;

/// Where `now` first differs from what was recorded, and how; `None` when they are equal. Order of keys does not matter.
pub(super) fn first_difference(recorded: &Value, now: &Value) -> Option<String> {
    at("", recorded, now)
}

fn at(path: &str, recorded: &Value, now: &Value) -> Option<String> {
    match (recorded, now) {
        (Value::Object(old), Value::Object(new)) => {
            let added =
                new.iter().filter(|(key, _)| !old.contains_key(*key)).map(|(key, value)| (key, None, Some(value)));
            let all = old.iter().map(|(key, value)| (key, Some(value), new.get(key))).chain(added);
            first(all.map(|(key, old, new)| (join(path, key), old, new)))
        }
        (Value::Array(old), Value::Array(new)) => {
            let places = 0..old.len().max(new.len());
            first(places.map(|place| (format!("{path}[{place}]"), old.get(place), new.get(place))))
        }
        (Value::String(old), Value::String(new)) if old != new => {
            let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
            let from = same.saturating_sub(BEFORE);
            Some(change_sentence(path, &excerpt(old, from), &excerpt(new, from)))
        }
        _ => (recorded != now).then(|| change_sentence(path, &short(recorded), &short(now))),
    }
}

fn first<'a>(places: impl Iterator<Item = (String, Option<&'a Value>, Option<&'a Value>)>) -> Option<String> {
    let mut differences = places.filter_map(|(path, old, new)| match (old, new) {
        (Some(old), Some(new)) => at(&path, old, new),
        (old, new) => {
            Some(change_sentence(&path, &old.map_or("absent".into(), short), &new.map_or("absent".into(), short)))
        }
    });
    differences.next()
}

fn change_sentence(path: &str, old: &str, new: &str) -> String {
    let path = if path.is_empty() { "the whole" } else { path };
    format!("{path} was {old} in the recording and is {new} now")
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A text from a character on, in quotes.
fn excerpt(text: &str, from: usize) -> String {
    let shown: String = text.chars().skip(from).take(SHOWN).collect();
    let (start, end) = (if from > 0 { "…" } else { "" }, if text.chars().count() > from + SHOWN { "…" } else { "" });
    Value::String(format!("{start}{shown}{end}")).to_string()
}

fn short(value: &Value) -> String {
    match value {
        Value::String(text) => excerpt(text, 0),
        Value::Object(fields) if !fields.is_empty() => "an object".to_owned(),
        Value::Array(items) if !items.is_empty() => format!("a list of {}", items.len()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_place_and_both_sides_are_shown() {
        let long = "x".repeat(200);
        for (old, new, expected) in [
            (json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 2}]}), None),
            (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1}), None),
            (
                json!({"a": [1, {"b": 2}]}),
                json!({"a": [1, {"b": "x"}]}),
                Some("a[1].b was 2 in the recording and is \"x\" now"),
            ),
            (
                json!({"a": [1]}),
                json!({"a": [1, {"k": 1}]}),
                Some("a[1] was absent in the recording and is an object now"),
            ),
            (json!({"a": [1, [2, 3]]}), json!({}), Some("a was a list of 2 in the recording and is absent now")),
            (json!({}), json!({"n": null}), Some("n was absent in the recording and is null now")),
            (json!(1), json!(2), Some("the whole was 1 in the recording and is 2 now")),
            (
                json!({"t": format!("{long}ä{long}")}),
                json!({"t": format!("{long}\n")}),
                Some(
                    "t was \"…xxxxxxxxxxxxxxxxxxxxäxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\" in the recording and is \"…xxxxxxxxxxxxxxxxxxxx\\n\" now",
                ),
            ),
        ] {
            assert_eq!(first_difference(&old, &new).as_deref(), expected);
        }
    }
}
