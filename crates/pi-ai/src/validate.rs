//! Tool arguments against the tool's schema: coercion of near misses, then validation with a report for the model.
//!
//! Models send `"5"` for `5` and `null` for "not given". [`ToolValidator`] repairs what has one obvious meaning
//! (`coerce.rs`, on the scalar conversions of `convert.rs`), checks the rest, and words what does not fit
//! (`report.rs`). A schema is compiled once, when the validator is made. Nothing here runs a tool.

mod coerce;
mod convert;
mod report;

use serde_json::{Value, json};

use crate::context::ToolDefinition;
use crate::error::Error;
use coerce::Plan;

/// How far arguments may be from their schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoercionMode {
    /// For the schemas of the built-in tools, and others that are written with it in mind: first generous
    /// conversions (single values become one-element lists, `"True"` and `"1"` become `true`, fractions are cut to
    /// integers), then those of [`CoercionMode::Plain`].
    Lenient,
    /// For schemas that others wrote: only conversions that lose nothing.
    Plain,
}

/// The compiled schema of one tool. Make it once and keep it with the tool.
#[derive(Debug)]
pub struct ToolValidator {
    name: String,
    schema: Value,
    mode: CoercionMode,
    compiled: jsonschema::Validator,
    plan: Plan,
}

impl ToolValidator {
    /// Compiles the tool's schema.
    ///
    /// # Errors
    /// [`Error::InvalidSchema`] when `parameters` is no JSON Schema, or refers to one outside itself.
    pub fn new(definition: &ToolDefinition, mode: CoercionMode) -> Result<Self, Error> {
        let name = definition.name.clone();
        let schema = definition.parameters.clone();
        let compiled = options(&schema).build(&schema).map_err(|error| invalid_schema(&name, &error))?;
        let plan = Plan::new(&schema).map_err(|error| invalid_schema(&name, &error))?;
        Ok(Self { name, schema, mode, compiled, plan })
    }

    /// Returns the arguments as the schema wants them.
    ///
    /// # Errors
    /// [`Error::InvalidArguments`] with up to eight mismatches and the arguments as they came.
    pub fn validate(&self, arguments: &Value) -> Result<Value, Error> {
        let coerced = self.plan.coerce(arguments.clone(), self.mode);
        if self.compiled.is_valid(&coerced) {
            return Ok(coerced);
        }
        let errors = self.compiled.iter_errors(&coerced);
        Err(Error::InvalidArguments { message: report::write(&self.name, &self.schema, errors, arguments) })
    }
}

fn invalid_schema(name: &str, error: &jsonschema::ValidationError<'_>) -> Error {
    Error::InvalidSchema { tool: name.to_owned(), detail: error.to_string() }
}

/// Compiler options: formats are checked, nothing is fetched, and lists of item schemas are what they were before
/// draft 2020-12, unless the schema names its draft.
fn options(schema: &Value) -> jsonschema::ValidationOptions<'static> {
    let options = jsonschema::options().should_validate_formats(true).offline();
    let named = schema.get("$schema").is_some();
    if !named && has_item_lists(schema) { options.with_draft(jsonschema::Draft::Draft201909) } else { options }
}

fn has_item_lists(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.get("items").is_some_and(Value::is_array) || map.values().any(has_item_lists),
        Value::Array(list) => list.iter().any(has_item_lists),
        _ => false,
    }
}

/// The schema of a string that is one of `values`, in the form that every provider accepts. Empty descriptions and
/// defaults are left out.
#[doc(alias = "StringEnum")]
pub fn string_enum(values: &[&str], description: Option<&str>, default: Option<&str>) -> Value {
    let mut schema = json!({ "type": "string", "enum": values });
    for (key, value) in [("description", description), ("default", default)] {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            schema[key] = value.into();
        }
    }
    schema
}
