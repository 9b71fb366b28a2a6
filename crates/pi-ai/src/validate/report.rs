//! The report about arguments that do not fit. Models read it, and correct themselves by it.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ErrorIterator, ValidationError};
use serde_json::Value;

use super::convert::number_text;

/// More mismatches than this help nobody.
const MAX_ERRORS: usize = 8;
const NO_MORE_PROPERTIES: &str = "must not have additional properties";

/// One mismatch.
struct Mismatch {
    /// Where the offending value is, as a JSON pointer.
    pointer: String,
    /// Names of missing properties, when that is what is wrong.
    missing: Vec<String>,
    /// What is wrong otherwise.
    phrase: String,
}

/// Words the report. `received` are the arguments before coercion.
pub(super) fn write(tool: &str, schema: &Value, errors: ErrorIterator<'_>, received: &Value) -> String {
    let lines: String = collect(schema, errors).iter().map(|mismatch| format!("  - {}\n", mismatch.line())).collect();
    // A value is always printable; alternate formatting indents by two spaces.
    format!("Validation failed for tool \"{tool}\":\n{lines}\nReceived arguments:\n{received:#}")
}

/// The first mismatches; missing properties of one object are one mismatch.
fn collect(schema: &Value, errors: ErrorIterator<'_>) -> Vec<Mismatch> {
    let mut found: Vec<Mismatch> = Vec::new();
    for error in errors {
        let pointer = error.instance_path().as_str().to_owned();
        if let ValidationErrorKind::Required { property } = error.kind() {
            let name = property.as_str().unwrap_or_default().to_owned();
            match found.last_mut().filter(|last| last.pointer == pointer && !last.missing.is_empty()) {
                Some(last) => last.missing.push(name),
                None => found.push(Mismatch { pointer, missing: vec![name], phrase: String::new() }),
            }
        } else {
            found.push(Mismatch { pointer, missing: Vec::new(), phrase: phrase(schema, &error) });
        }
        if found.len() > MAX_ERRORS {
            break;
        }
    }
    found.truncate(MAX_ERRORS);
    found
}

impl Mismatch {
    fn line(&self) -> String {
        let mut path = self.pointer.trim_start_matches('/').replace('/', ".");
        let Some(first) = self.missing.first() else {
            return format!("{}: {}", if path.is_empty() { "root" } else { &path }, self.phrase);
        };
        if !path.is_empty() {
            path.push('.');
        }
        format!("{path}{first}: must have required properties {}", self.missing.join(", "))
    }
}

/// What a keyword wants. Clients of the reference know these words.
fn phrase(schema: &Value, error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    match error.kind() {
        Kind::Type { kind } => type_phrase(schema, error, kind),
        Kind::Enum { .. } => "must be equal to one of the allowed values".to_owned(),
        Kind::Constant { .. } => "must be equal to constant".to_owned(),
        Kind::AnyOf { .. } => "must match a schema in anyOf".to_owned(),
        Kind::OneOfMultipleValid { .. } | Kind::OneOfNotValid { .. } => {
            "must match exactly one schema in oneOf".to_owned()
        }
        Kind::MinLength { limit } => format!("must not have fewer than {limit} characters"),
        Kind::MaxLength { limit } => format!("must not have more than {limit} characters"),
        Kind::MinItems { limit } => format!("must not have fewer than {limit} items"),
        Kind::MaxItems { limit } => format!("must not have more than {limit} items"),
        Kind::MinProperties { limit } => format!("must not have fewer than {limit} properties"),
        Kind::MaxProperties { limit } => format!("must not have more than {limit} properties"),
        Kind::Pattern { pattern } => format!("must match pattern \"{pattern}\""),
        Kind::Format { format } => format!("must match format \"{format}\""),
        Kind::MultipleOf { multiple_of } => format!("must be multiple of {multiple_of}"),
        Kind::Minimum { limit } => format!("must be >= {}", limit_text(limit)),
        Kind::Maximum { limit } => format!("must be <= {}", limit_text(limit)),
        Kind::ExclusiveMinimum { limit } => format!("must be > {}", limit_text(limit)),
        Kind::ExclusiveMaximum { limit } => format!("must be < {}", limit_text(limit)),
        Kind::UniqueItems => "must not have duplicate items".to_owned(),
        Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } => NO_MORE_PROPERTIES.to_owned(),
        // How the checker reports the same when the schema declares no property at all.
        Kind::FalseSchema if error.schema_path().as_str().ends_with("/additionalProperties") => {
            NO_MORE_PROPERTIES.to_owned()
        }
        Kind::FalseSchema => "must not be given".to_owned(),
        Kind::AdditionalItems { .. } | Kind::UnevaluatedItems { .. } => "must not have additional items".to_owned(),
        Kind::Not { .. } => "must not be valid".to_owned(),
        // The value is masked: it is repeated below the list anyway, and may be long.
        _ => error.masked().to_string(),
    }
}

fn type_phrase(schema: &Value, error: &ValidationError<'_>, kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(name) => format!("must be {name}"),
        TypeKind::Multiple(set) => {
            // The set has forgotten the order in which the schema names the types.
            let listed = schema.pointer(error.schema_path().as_str()).and_then(Value::as_array);
            let listed: Vec<&str> = listed.into_iter().flatten().filter_map(Value::as_str).collect();
            let names: Vec<&str> =
                if listed.is_empty() { set.iter().map(jsonschema::JsonType::as_str).collect() } else { listed };
            format!("must be either {}", names.join(" or "))
        }
    }
}

fn limit_text(limit: &Value) -> String {
    limit.as_number().map_or_else(|| limit.to_string(), number_text)
}
