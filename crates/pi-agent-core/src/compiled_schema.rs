//! The argument schema of a tool in the form that checks arguments.

use std::sync::OnceLock;

use pi_ai::{CoercionMode, Error, ToolDefinition, ToolValidator};

/// The schema of a tool, compiled when the tool is called for the first time.
#[derive(Debug, Default)]
pub struct CompiledSchema(OnceLock<Box<Result<ToolValidator, Error>>>);

impl CompiledSchema {
    /// Not compiled yet.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The validator of the tool with this definition.
    pub(crate) fn of(&self, definition: &ToolDefinition, mode: CoercionMode) -> Result<&ToolValidator, String> {
        let compile = || Box::new(ToolValidator::new(definition, mode));
        (**self.0.get_or_init(compile)).as_ref().map_err(ToString::to_string)
    }
}
