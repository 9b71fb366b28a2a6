//! The report about arguments that do not fit. Models read it, and correct themselves by it.

use serde_json::Value;

use super::convert::number_text;
use super::schema::{self, Problem};

/// More mismatches than this help nobody.
const MAX_ERRORS: usize = 8;

/// One line of the report.
struct Line {
    /// Where the offending value is, as a JSON pointer.
    pointer: String,
    /// Names of missing properties, when that is what is wrong.
    missing: Vec<String>,
    /// What is wrong otherwise.
    phrase: String,
}

/// Words the report. `received` are the arguments before coercion.
pub(super) fn write(tool: &str, mismatches: Vec<schema::Mismatch>, received: &Value) -> String {
    let lines: String = collect(mismatches).iter().map(|line| format!("  - {}\n", line.text())).collect();
    // A value is always printable; alternate formatting indents by two spaces.
    format!("Validation failed for tool \"{tool}\":\n{lines}\nReceived arguments:\n{received:#}")
}

/// The first mismatches; missing properties of one object are one line.
fn collect(mismatches: Vec<schema::Mismatch>) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    for schema::Mismatch { pointer, problem } in mismatches {
        if let Problem::Missing(name) = problem {
            match found.last_mut().filter(|last| last.pointer == pointer && !last.missing.is_empty()) {
                Some(last) => last.missing.push(name),
                None => found.push(Line { pointer, missing: vec![name], phrase: String::new() }),
            }
        } else {
            found.push(Line { pointer, missing: Vec::new(), phrase: phrase(&problem) });
        }
        if found.len() > MAX_ERRORS {
            break;
        }
    }
    found.truncate(MAX_ERRORS);
    found
}

impl Line {
    fn text(&self) -> String {
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
pub(super) fn phrase(problem: &Problem) -> String {
    match problem {
        Problem::Type(names) => match names.as_slice() {
            [name] => format!("must be {name}"),
            names => format!("must be either {}", names.join(" or ")),
        },
        Problem::Enum(_) => "must be equal to one of the allowed values".to_owned(),
        Problem::Constant(_) => "must be equal to constant".to_owned(),
        Problem::AnyOf => "must match a schema in anyOf".to_owned(),
        Problem::OneOf => "must match exactly one schema in oneOf".to_owned(),
        Problem::MinLength(limit) => format!("must not have fewer than {limit} characters"),
        Problem::MaxLength(limit) => format!("must not have more than {limit} characters"),
        Problem::MinItems(limit) => format!("must not have fewer than {limit} items"),
        Problem::MaxItems(limit) => format!("must not have more than {limit} items"),
        Problem::MinProperties(limit) => format!("must not have fewer than {limit} properties"),
        Problem::MaxProperties(limit) => format!("must not have more than {limit} properties"),
        Problem::Pattern(pattern) => format!("must match pattern \"{pattern}\""),
        Problem::Format(format) => format!("must match format \"{format}\""),
        Problem::MultipleOf(unit) => format!("must be multiple of {unit}"),
        Problem::Minimum(limit) => format!("must be >= {}", limit_text(limit)),
        Problem::Maximum(limit) => format!("must be <= {}", limit_text(limit)),
        Problem::ExclusiveMinimum(limit) => format!("must be > {}", limit_text(limit)),
        Problem::ExclusiveMaximum(limit) => format!("must be < {}", limit_text(limit)),
        Problem::Unique => "must not have duplicate items".to_owned(),
        Problem::UnknownMembers => "must not have additional properties".to_owned(),
        Problem::UnknownItems => "must not have additional items".to_owned(),
        Problem::Never => "must not be given".to_owned(),
        Problem::Not => "must not be valid".to_owned(),
        Problem::Contains => "None of value are valid under the given schema".to_owned(),
        Problem::Missing(name) => format!("must have required properties {name}"),
        Problem::Name(words) => words.clone(),
    }
}

pub(super) fn limit_text(limit: &Value) -> String {
    limit.as_number().map_or_else(|| limit.to_string(), number_text)
}
