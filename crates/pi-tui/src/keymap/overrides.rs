//! The bindings that a user wants, applied to those that are there.

use serde_json::{Map, Value};

use super::{Keymap, KeymapProblem};
use crate::input::Key;

/// Reads keys by name, leaving out what names none. A key that is named twice is there once.
pub(super) fn keys<'a>(
    action: &str,
    names: impl Iterator<Item = &'a str>,
    problems: &mut Vec<KeymapProblem>,
) -> Vec<Key> {
    let mut keys = Vec::new();
    for name in names {
        match name.parse() {
            Ok(key) if keys.contains(&key) => {}
            Ok(key) => keys.push(key),
            Err(problem) => problems.push(KeymapProblem::BadKey { action: action.to_owned(), problem }),
        }
    }
    keys
}

/// Gives actions the keys that are wanted.
pub(super) fn apply(keymap: &mut Keymap, wanted: &Map<String, Value>, problems: &mut Vec<KeymapProblem>) {
    // A file may name its schema.
    for (name, value) in wanted.iter().filter(|(name, _)| *name != "$schema") {
        match find(keymap, name) {
            None => problems.push(KeymapProblem::UnknownAction { name: name.clone() }),
            Some((place, is_old)) => {
                let action = keymap.bindings[place].spec.action.0;
                if is_old && wanted.contains_key(action) {
                    problems.push(KeymapProblem::Twice { old_name: name.clone(), action });
                } else {
                    bind(keymap, place, (name, value), problems);
                }
            }
        }
    }
    conflicts(keymap, problems);
}

/// Where the action of a name stands, and whether the name is an old one.
fn find(keymap: &Keymap, name: &str) -> Option<(usize, bool)> {
    let place =
        |is_it: &dyn Fn(&super::ActionSpec) -> bool| keymap.bindings.iter().position(|known| is_it(&known.spec));
    let now = place(&|spec| spec.action.0 == name).map(|place| (place, false));
    now.or_else(|| place(&|spec| !name.is_empty() && spec.old_name == name).map(|place| (place, true)))
}

fn bind(keymap: &mut Keymap, place: usize, (name, value): (&str, &Value), problems: &mut Vec<KeymapProblem>) {
    let names: Option<Vec<&str>> = match value {
        Value::String(key) => Some(vec![key]),
        Value::Array(keys) => keys.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let Some(names) = names else {
        problems.push(KeymapProblem::BadValue { action: name.to_owned() });
        return;
    };
    let keys = keys(name, names.iter().copied(), problems);
    // A mistyped key is no wish to have none.
    if !keys.is_empty() || names.is_empty() {
        keymap.bindings[place].keys = keys;
        keymap.bindings[place].is_override = true;
    }
}

/// Finds keys that do several things in one scope. What the tables say themselves is meant so.
fn conflicts(keymap: &Keymap, problems: &mut Vec<KeymapProblem>) {
    let mut seen = Vec::new();
    for binding in keymap.bindings.iter().filter(|binding| binding.is_override) {
        for key in &binding.keys {
            if seen.contains(&(*key, binding.spec.scope)) {
                continue;
            }
            seen.push((*key, binding.spec.scope));
            let owners = keymap.bindings.iter();
            let owners = owners.filter(|other| other.spec.scope == binding.spec.scope && other.keys.contains(key));
            let actions: Vec<_> = owners.map(|other| other.spec.action.0).collect();
            if actions.len() > 1 {
                problems.push(KeymapProblem::Conflict { key: key.to_string(), actions });
            }
        }
    }
}
