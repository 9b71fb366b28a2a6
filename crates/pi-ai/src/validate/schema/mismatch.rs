//! What does not fit, and where.

use serde_json::Value;

/// One mismatch.
#[derive(Debug)]
pub(in super::super) struct Mismatch {
    /// Where the value is, as a JSON pointer.
    pub(in super::super) pointer: String,
    pub(in super::super) problem: Problem,
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) enum Problem {
    /// It is of none of these types.
    Type(Vec<String>),
    Constant(Value),
    Enum(Vec<Value>),
    AnyOf,
    /// More than one fits, or none.
    OneOf,
    Minimum(Value),
    Maximum(Value),
    ExclusiveMinimum(Value),
    ExclusiveMaximum(Value),
    MultipleOf(f64),
    MinLength(u64),
    MaxLength(u64),
    MinItems(u64),
    MaxItems(u64),
    MinProperties(u64),
    MaxProperties(u64),
    Pattern(String),
    Format(String),
    Unique,
    /// A member is missing.
    Missing(String),
    /// There are members that the schema does not know.
    UnknownMembers,
    /// There are items that the schema does not know.
    UnknownItems,
    Not,
    Contains,
    /// Nothing may be here.
    Never,
    /// The name of a member does not fit, in words.
    Name(String),
}

/// As many allowed values are listed.
const LISTED: usize = 3;

impl Problem {
    /// The words for a value by itself, without a report around them.
    pub(super) fn words(&self, value: &Value) -> String {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let y = |count: u64| if count == 1 { "y" } else { "ies" };
        match self {
            Self::Type(names) => type_words(names, value),
            Self::Constant(wanted) => format!("{wanted} was expected"),
            Self::Enum(allowed) => format!("{value} is not one of {}", listed(allowed)),
            Self::AnyOf => format!("{value} is not valid under any of the schemas listed in the 'anyOf' keyword"),
            Self::OneOf => format!("{value} is not valid under any of the schemas listed in the 'oneOf' keyword"),
            Self::Minimum(limit) => format!("{value} is less than the minimum of {limit}"),
            Self::Maximum(limit) => format!("{value} is greater than the maximum of {limit}"),
            Self::ExclusiveMinimum(limit) => format!("{value} is less than or equal to the minimum of {limit}"),
            Self::ExclusiveMaximum(limit) => format!("{value} is greater than or equal to the maximum of {limit}"),
            Self::MultipleOf(unit) => format!("{value} is not a multiple of {unit}"),
            Self::MinLength(limit) => format!("{value} is shorter than {limit} character{}", plural(*limit)),
            Self::MaxLength(limit) => format!("{value} is longer than {limit} character{}", plural(*limit)),
            Self::MinItems(limit) => format!("{value} has less than {limit} item{}", plural(*limit)),
            Self::MaxItems(limit) => format!("{value} has more than {limit} item{}", plural(*limit)),
            Self::MinProperties(limit) => format!("{value} has less than {limit} propert{}", y(*limit)),
            Self::MaxProperties(limit) => format!("{value} has more than {limit} propert{}", y(*limit)),
            Self::Pattern(pattern) => format!("{value} does not match \"{pattern}\""),
            Self::Format(format) => format!("{value} is not a \"{format}\""),
            Self::Unique => format!("{value} has non-unique elements"),
            Self::Missing(name) => format!("{} is a required property", Value::from(name.as_str())),
            Self::UnknownMembers => format!("Additional properties are not allowed in {value}"),
            Self::UnknownItems => format!("Additional items are not allowed in {value}"),
            Self::Not => format!("{value} is not allowed"),
            Self::Contains => format!("None of {value} are valid under the given schema"),
            Self::Never => format!("False schema does not allow {value}"),
            Self::Name(words) => words.clone(),
        }
    }
}

fn type_words(names: &[String], value: &Value) -> String {
    match names {
        [name] => format!("{value} is not of type \"{name}\""),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            format!("{value} is not of types {}", names.join(", "))
        }
    }
}

fn listed(allowed: &[Value]) -> String {
    let shown = if allowed.len() <= LISTED { allowed.len() } else { LISTED - 1 };
    let mut parts: Vec<String> = allowed.iter().take(shown).map(Value::to_string).collect();
    let last =
        if shown < allowed.len() { Some(format!("{} other candidates", allowed.len() - shown)) } else { parts.pop() };
    match last {
        Some(last) if parts.is_empty() => last,
        Some(last) => format!("{} or {last}", parts.join(", ")),
        None => String::new(),
    }
}

/// A place in a value, from the inside out.
#[derive(Debug, Clone, Copy)]
pub(super) struct InstancePath<'a> {
    outer: Option<&'a InstancePath<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Member(&'a str),
    Item(usize),
}

impl<'a> InstancePath<'a> {
    pub(super) fn root() -> Self {
        Self { outer: None, step: Step::Root }
    }

    pub(super) fn member(&'a self, name: &'a str) -> Self {
        Self { outer: Some(self), step: Step::Member(name) }
    }

    pub(super) fn item(&'a self, index: usize) -> Self {
        Self { outer: Some(self), step: Step::Item(index) }
    }

    /// The place as a JSON pointer.
    pub(super) fn pointer(&self) -> String {
        let mut text = self.outer.map(InstancePath::pointer).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Member(name) => {
                text.push('/');
                text.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Step::Item(index) => {
                text.push('/');
                text.push_str(&index.to_string());
            }
        }
        text
    }
}
