//! What keywords may look like. A schema that breaks these rules is no schema, and the first broken one is what is said.

use serde_json::{Map, Value, json};

use super::draft::Draft;
use super::mismatch::Problem;
use super::node::Type;
use super::pattern::Pattern;
use super::values::{equal, is_whole};

/// The form of a keyword's value.
enum Form {
    Schema,
    /// A schema, or in older drafts a list of them.
    SchemaOrList,
    SchemaList,
    SchemaMap,
    /// As [`Form::SchemaMap`], and the names are regular expressions.
    PatternMap,
    /// Schemas or lists of names by name.
    Dependencies,
    /// Lists of names by name.
    NameMap,
    Names,
    Count,
    Number,
    PositiveNumber,
    Bool,
    Text,
    Regex,
    List,
    Type,
}

/// Checks a schema and all schemas in it.
///
/// # Errors
/// The words for what is wrong.
pub(super) fn check(schema: &Value, draft: Draft) -> Result<(), String> {
    match schema {
        Value::Bool(_) if draft >= Draft::D6 => Ok(()),
        Value::Object(map) => map.iter().try_for_each(|(key, value)| match form(key, draft) {
            Some(form) => check_form(&form, value, draft),
            None => Ok(()),
        }),
        _ if draft >= Draft::D6 => wrong(&Problem::Type(vec!["boolean".to_owned(), "object".to_owned()]), schema),
        _ => wrong(&type_problem("object"), schema),
    }
}

fn form(key: &str, draft: Draft) -> Option<Form> {
    Some(match key {
        "additionalProperties" | "additionalItems" if draft == Draft::D4 => return None,
        "additionalProperties"
        | "additionalItems"
        | "not"
        | "contains"
        | "propertyNames"
        | "if"
        | "then"
        | "else"
        | "unevaluatedProperties"
        | "unevaluatedItems" => Form::Schema,
        "items" => Form::SchemaOrList,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Form::SchemaList,
        "properties" | "$defs" | "definitions" | "dependentSchemas" => Form::SchemaMap,
        "patternProperties" => Form::PatternMap,
        "dependencies" => Form::Dependencies,
        "dependentRequired" => Form::NameMap,
        "required" => Form::Names,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => Form::Count,
        "exclusiveMinimum" | "exclusiveMaximum" if draft == Draft::D4 => Form::Bool,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Form::Number,
        "multipleOf" => Form::PositiveNumber,
        "uniqueItems" | "readOnly" | "writeOnly" | "deprecated" => Form::Bool,
        "pattern" => Form::Regex,
        "type" => Form::Type,
        "enum" | "examples" => Form::List,
        "$ref" | "$dynamicRef" | "$recursiveRef" | "$id" | "$schema" | "$anchor" | "$dynamicAnchor" | "$comment"
        | "title" | "description" | "format" | "contentEncoding" | "contentMediaType" => Form::Text,
        _ => return None,
    })
}

fn check_form(form: &Form, value: &Value, draft: Draft) -> Result<(), String> {
    match form {
        Form::Schema => check(value, draft),
        Form::SchemaOrList => match value {
            Value::Array(list) if draft < Draft::D2020 => list.iter().try_for_each(|part| check(part, draft)),
            _ => check(value, draft),
        },
        Form::SchemaList => {
            let list = list(value)?;
            if list.is_empty() {
                return wrong(&Problem::MinItems(1), value);
            }
            list.iter().try_for_each(|part| check(part, draft))
        }
        Form::SchemaMap => map(value)?.values().try_for_each(|part| check(part, draft)),
        Form::PatternMap => map(value)?.iter().try_for_each(|(pattern, part)| {
            check_regex(&Value::from(pattern.as_str()))?;
            check(part, draft)
        }),
        Form::Dependencies => map(value)?.values().try_for_each(|rule| match rule {
            Value::Array(_) => check_names(rule),
            schema => check(schema, draft),
        }),
        Form::NameMap => map(value)?.values().try_for_each(check_names),
        Form::Names => check_names(value),
        Form::Count => check_count(value),
        Form::Number => value.is_number().then_some(()).ok_or_else(|| type_problem("number").words(value)),
        Form::PositiveNumber => match value.as_f64() {
            None => wrong(&type_problem("number"), value),
            Some(number) if number > 0.0 => Ok(()),
            Some(_) => wrong(&Problem::ExclusiveMinimum(json!(0)), value),
        },
        Form::Bool => value.is_boolean().then_some(()).ok_or_else(|| type_problem("boolean").words(value)),
        Form::Text => value.is_string().then_some(()).ok_or_else(|| type_problem("string").words(value)),
        Form::Regex => check_regex(value),
        Form::List => list(value).map(drop),
        Form::Type => check_type(value),
    }
}

fn wrong(problem: &Problem, value: &Value) -> Result<(), String> {
    Err(problem.words(value))
}

fn type_problem(name: &str) -> Problem {
    Problem::Type(vec![name.to_owned()])
}

fn list(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().ok_or_else(|| type_problem("array").words(value))
}

fn map(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| type_problem("object").words(value))
}

fn check_names(value: &Value) -> Result<(), String> {
    let names = list(value)?;
    if let Some(other) = names.iter().find(|name| !name.is_string()) {
        return wrong(&type_problem("string"), other);
    }
    if has_twins(names) { wrong(&Problem::Unique, value) } else { Ok(()) }
}

fn has_twins(list: &[Value]) -> bool {
    list.iter().enumerate().any(|(index, item)| list[..index].iter().any(|other| equal(other, item)))
}

fn check_count(value: &Value) -> Result<(), String> {
    match value.as_number() {
        Some(number) if !is_whole(number) => wrong(&type_problem("integer"), value),
        Some(number) if number.as_f64().is_some_and(|number| number < 0.0) => wrong(&Problem::Minimum(json!(0)), value),
        Some(_) => Ok(()),
        None => wrong(&type_problem("integer"), value),
    }
}

fn check_regex(value: &Value) -> Result<(), String> {
    match value.as_str() {
        None => wrong(&type_problem("string"), value),
        Some(text) if Pattern::new(text).is_none() => wrong(&Problem::Format("regex".to_owned()), value),
        Some(_) => Ok(()),
    }
}

fn check_type(value: &Value) -> Result<(), String> {
    let is_name = |value: &Value| value.as_str().and_then(Type::of_name).is_some();
    let is_list = |list: &Vec<Value>| !list.is_empty() && list.iter().all(is_name) && !has_twins(list);
    let fits = is_name(value) || value.as_array().is_some_and(is_list);
    if fits { Ok(()) } else { wrong(&Problem::AnyOf, value) }
}
