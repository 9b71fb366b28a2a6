//! Tool arguments against the tool's schema: coercion of near misses, then validation with a report for the model.
//!
//! Models send `"5"` for `5` and `null` for "not given". [`ToolValidator`] repairs what has one obvious meaning
//! (`coerce.rs`, on the scalar conversions of `convert.rs`), checks the rest (`schema/`), and words what does not fit
//! (`report.rs`). A schema is compiled once, when the validator is made. Nothing here runs a tool. Behind the feature
//! `validate`: a model call checks nothing, and regular expressions of schemas need an engine of their own.

#[cfg(test)]
mod agreement_tests;
mod coerce;
mod convert;
mod report;
mod schema;

use std::borrow::Cow;

use serde_json::Value;

use crate::context::ToolDefinition;
use crate::error::{Error, ValidationError};
use coerce::Plan;
use schema::{Compiler, NodeId, Schema};

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
    mode: CoercionMode,
    schema: Schema,
    root: NodeId,
    plan: Plan,
}

impl ToolValidator {
    /// Compiles the tool's schema.
    ///
    /// # Errors
    /// [`ValidationError::InvalidSchema`] when `parameters` is no JSON Schema, or refers to one outside itself.
    pub fn new(definition: &ToolDefinition, mode: CoercionMode) -> Result<Self, Error> {
        let name = definition.name.clone();
        match compile(&definition.parameters) {
            Ok((schema, root, plan)) => Ok(Self { name, mode, schema, root, plan }),
            Err(detail) => Err(Error::Validation(ValidationError::InvalidSchema { tool: name, detail })),
        }
    }

    /// Returns the arguments as the schema wants them.
    ///
    /// # Errors
    /// [`ValidationError::InvalidArguments`] with up to eight mismatches and the arguments as they came.
    pub fn validate(&self, arguments: &Value) -> Result<Value, Error> {
        self.validated(arguments).map(Cow::into_owned)
    }

    /// As [`Self::validate`], without a copy of arguments that fit as they are.
    ///
    /// # Errors
    /// As [`Self::validate`].
    pub fn validate_owned(&self, arguments: Value) -> Result<Value, Error> {
        let coerced = match self.validated(&arguments)? {
            Cow::Owned(coerced) => Some(coerced),
            Cow::Borrowed(_) => None,
        };
        Ok(coerced.unwrap_or(arguments))
    }

    fn validated<'v>(&self, arguments: &'v Value) -> Result<Cow<'v, Value>, Error> {
        let coerced = self.plan.coerce(arguments, self.mode, &self.schema);
        if self.schema.accepts(self.root, &coerced) {
            return Ok(coerced);
        }
        let mismatches = self.schema.mismatches(self.root, &coerced);
        Err(Error::Validation(ValidationError::InvalidArguments {
            message: report::write(&self.name, mismatches, arguments),
        }))
    }
}

fn compile(parameters: &Value) -> Result<(Schema, NodeId, Plan), String> {
    let mut compiler = Compiler::new(parameters)?;
    let root = compiler.root()?;
    let plan = Plan::new(parameters, &mut compiler);
    Ok((compiler.finish(), root, plan))
}
