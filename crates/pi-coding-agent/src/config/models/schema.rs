//! Checks JSON against a small table language and says where it does not fit.

use serde_json::{Map, Value};

/// What a value must look like.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// A string with at least one character.
    Text,
    /// Any string.
    AnyText,
    /// A string or `null`.
    TextOrNull,
    Switch,
    Number,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A list of this.
    List(&'static Shape),
    /// An object whose values all look like this.
    Record(&'static Shape),
    /// An object with these fields, all optional unless marked, and any others.
    Object(&'static [Field]),
    /// At least one of these.
    Either(&'static [Shape]),
    /// A string, number, boolean or `null`.
    Scalar,
}

/// A field of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: &'static Shape,
    pub(super) required: bool,
}

/// One line per mismatch: `  - path: message`.
pub(super) fn check(value: &Value, shape: &Shape) -> Vec<String> {
    let mut problems = Vec::new();
    shape.check(value, "", &mut problems);
    problems.into_iter().map(|(path, message)| format!("  - {path}: {message}")).collect()
}

type Problems = Vec<(String, String)>;

impl Shape {
    fn check(&self, value: &Value, path: &str, problems: &mut Problems) {
        match (self, value) {
            (Self::List(item), Value::Array(items)) => {
                for (index, value) in items.iter().enumerate() {
                    item.check(value, &join(path, &index.to_string()), problems);
                }
            }
            (Self::Record(item), Value::Object(object)) => {
                for (key, value) in object {
                    item.check(value, &join(path, key), problems);
                }
            }
            (Self::Object(fields), Value::Object(object)) => check_fields(fields, object, path, problems),
            (Self::Either(shapes), value) => check_either(shapes, value, path, problems),
            _ => {
                if let Some(message) = self.simple_mismatch(value) {
                    problems.push((if path.is_empty() { "root".to_owned() } else { path.to_owned() }, message));
                }
            }
        }
    }

    fn simple_mismatch(&self, value: &Value) -> Option<String> {
        let (fits, expected) = match self {
            Self::Text if value.as_str() == Some("") => return Some("must not be empty".to_owned()),
            Self::Text | Self::AnyText => (value.is_string(), "a string".to_owned()),
            Self::TextOrNull => (value.is_string() || value.is_null(), "a string or null".to_owned()),
            Self::Switch => (value.is_boolean(), "true or false".to_owned()),
            Self::Number => (value.is_number(), "a number".to_owned()),
            Self::OneOf(names) => {
                (value.as_str().is_some_and(|text| names.contains(&text)), format!("one of {}", names.join(", ")))
            }
            Self::Scalar => (!value.is_array() && !value.is_object(), "a plain value".to_owned()),
            Self::List(_) => (false, "a list".to_owned()),
            Self::Record(_) | Self::Object(_) | Self::Either(_) => (false, "an object".to_owned()),
        };
        (!fits).then(|| format!("must be {expected}"))
    }
}

fn check_fields(fields: &[Field], object: &Map<String, Value>, path: &str, problems: &mut Problems) {
    for field in fields {
        let place = join(path, field.name);
        match object.get(field.name) {
            Some(value) => field.shape.check(value, &place, problems),
            None if field.required => problems.push((place, "is required".to_owned())),
            None => {}
        }
    }
}

/// Reports the mismatches of the alternative that comes closest.
fn check_either(shapes: &[Shape], value: &Value, path: &str, problems: &mut Problems) {
    let mismatches = shapes.iter().map(|shape| {
        let mut problems = Problems::new();
        shape.check(value, path, &mut problems);
        problems
    });
    problems.extend(mismatches.min_by_key(Vec::len).unwrap_or_default());
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
