//! Warnings about values that their settings cannot use. A wrong value is never fatal: the default takes its place.

use serde_json::{Map, Value};

use super::kind::Kind;
use super::spec::Spec;
use super::table::ALL;

/// Every key that this version reads, nested ones as `object.key`, in no particular order.
pub fn known_keys() -> Vec<String> {
    let names = |spec: &Spec| match spec.kind {
        Kind::Numbers(names) => names.iter().map(|name| format!("{}.{name}", spec.key)).collect(),
        _ => vec![spec.key.to_owned()],
    };
    ALL.iter().flat_map(names).collect()
}

/// One sentence per value that cannot be used. Unknown keys are allowed: newer versions may define them.
pub(super) fn check(settings: &Map<String, Value>) -> Vec<String> {
    let mut problems: Vec<String> = Vec::new();
    for spec in ALL {
        match find(settings, spec) {
            Ok(None) => {}
            Ok(Some(value)) => problems.extend(check_value(spec, value)),
            Err(outer) => {
                let problem = refused(outer, "an object");
                // Settings inside of one object stand together in the table: it is reported once.
                if problems.last() != Some(&problem) {
                    problems.push(problem);
                }
            }
        }
    }
    problems
}

/// The value of a setting, unless it is absent or `null`. The error is the key of something that should be an object and is
/// none.
fn find<'a>(settings: &'a Map<String, Value>, spec: &Spec) -> Result<Option<&'a Value>, &'static str> {
    let mut object = settings;
    for (end, dot) in spec.key.match_indices('.') {
        let outer = &spec.key[..end];
        let name = outer.rsplit(dot).next().unwrap_or(outer);
        object = match object.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Object(inner)) => inner,
            Some(_) => return Err(outer),
        };
    }
    let name = spec.path().last().unwrap_or(spec.key);
    Ok(object.get(name).filter(|value| !value.is_null()))
}

fn check_value(spec: &Spec, value: &Value) -> Vec<String> {
    match (spec.kind, value) {
        (Kind::Numbers(names), Value::Object(numbers)) => check_inside(numbers, names, Kind::Number, spec.key),
        (Kind::PerModel(names), Value::Object(models)) => check_models(models, names, spec.key),
        (Kind::Grants(words), Value::Object(grants)) => check_grants(grants, words, spec.key),
        (kind, value) if kind.takes(value) => Vec::new(),
        (kind, _) => vec![refused(spec.key, &kind.describe())],
    }
}

fn refused(key: &str, wanted: &str) -> String {
    format!("\"{key}\" must be {wanted}; it is ignored")
}

/// A name that no model can have is a mistake, too.
fn check_models(models: &Map<String, Value>, names: &[&str], path: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (model, value) in models {
        let inner = format!("{path}.{model}");
        match value {
            _ if !model.contains('/') => {
                problems.push(format!("\"{inner}\" is not the name of a model, provider/id; it is ignored"));
            }
            Value::Object(figures) => problems.extend(check_inside(figures, names, Kind::Whole, &inner)),
            _ => problems.push(refused(&inner, "an object")),
        }
    }
    problems
}

fn check_inside(object: &Map<String, Value>, names: &[&str], kind: Kind, path: &str) -> Vec<String> {
    let given = names.iter().filter_map(|name| Some((name, object.get(*name).filter(|value| !value.is_null())?)));
    let wrong = given.filter(|(_, value)| !kind.takes(value));
    wrong.map(|(name, _)| refused(&format!("{path}.{name}"), &kind.describe())).collect()
}

/// A list that cannot be read was written to refuse something: it is not ignored.
fn check_grants(grants: &Map<String, Value>, words: &[&str], path: &str) -> Vec<String> {
    let is_word = |value: &Value| value.as_str().is_some_and(|word| words.contains(&word));
    let is_list = |value: &Value| value.as_array().is_some_and(|list| list.iter().all(is_word));
    let wrong = grants.iter().filter(|(_, value)| !is_list(value));
    let problem = |extension: &String| {
        let words = words.join(", ");
        format!("\"{path}.{extension}\" must be a list of {words}; what is not among these is refused")
    };
    wrong.map(|(extension, _)| problem(extension)).collect()
}
