//! Kinds of values: what a setting takes, and what a warning calls it. How a value is read stands in `readers.rs`.

use serde_json::Value;

use super::readers::{limit_ms, whole_number};

/// The kind of value that a setting takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Text,
    Switch,
    Number,
    /// A number; one outside of these limits counts as the nearer one.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests that write the page and the schema read the limits"))]
    Range(u64, u64),
    Texts,
    OneOf(&'static [&'static str]),
    /// Milliseconds: a number, a numeric text or `disabled`.
    Limit,
    /// Sources of packages; each entry is checked when it is read.
    Packages,
    /// A number above 0.
    Positive,
    /// A whole number above 0.
    Count,
    /// A whole number, 0 included.
    Whole,
    /// An object of numbers with these names.
    Numbers(&'static [&'static str]),
    /// Under names of models, objects of whole numbers with these names.
    PerModel(&'static [&'static str]),
    /// Under any name, a list of these words: what an extension is granted.
    Grants(&'static [&'static str]),
}

use Kind::{
    Count, Grants, Limit, Number, Numbers, OneOf, Packages, PerModel, Positive, Range, Switch, Text, Texts, Whole,
};

impl Kind {
    /// Whether a value is of this kind. What is inside an object is not looked at.
    pub(super) fn takes(self, value: &Value) -> bool {
        match self {
            Text => value.is_string(),
            Switch => value.is_boolean(),
            Number | Range(..) => value.is_number(),
            Packages => value.is_array(),
            Positive => value.as_f64().is_some_and(|number| number > 0.0),
            Count => value.as_u64().is_some_and(|number| number > 0),
            Whole => whole_number(value).is_some(),
            Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            OneOf(names) => value.as_str().is_some_and(|text| names.contains(&text)),
            Limit => limit_ms(value).is_some(),
            Numbers(_) | PerModel(_) | Grants(_) => value.is_object(),
        }
    }

    /// What a value must be, for warnings.
    pub(super) fn describe(self) -> String {
        match self {
            Text => "a text".to_owned(),
            Switch => "true or false".to_owned(),
            Number | Range(..) => "a number".to_owned(),
            Packages => "a list".to_owned(),
            Positive => "a number above 0".to_owned(),
            Count => "a whole number above 0".to_owned(),
            Whole => "a whole number, 0 or more".to_owned(),
            Texts => "a list of texts".to_owned(),
            OneOf(names) => format!("one of {}", names.join(", ")),
            Limit => "a number of milliseconds or \"disabled\"".to_owned(),
            Numbers(_) | PerModel(_) | Grants(_) => "an object".to_owned(),
        }
    }
}
