//! The tools of a run: look-up by name, argument schemas compiled once.

use std::sync::Arc;

use pi_ai::ToolDefinition;
use serde_json::Value;

use crate::compiled_schema::CompiledSchema;
use crate::tool::{Tool, ToolExecutionMode, ToolExposure};

/// A list of tools. Cloning is cheap; compiled schemas are shared.
#[derive(Debug, Clone, Default)]
pub struct ToolSet(Arc<[Entry]>);

#[derive(Debug)]
struct Entry {
    tool: Arc<dyn Tool>,
    schema: CompiledSchema,
}

impl ToolSet {
    /// A set of these tools; of several tools with one name, the first is called.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        Self(tools.into_iter().map(|tool| Entry { tool, schema: CompiledSchema::new() }).collect())
    }

    /// Whether both are one set, clones of each other.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The tools in order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.0.iter().map(|entry| &entry.tool)
    }

    /// The tool of a name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.entry(name).map(|entry| &entry.tool)
    }

    /// What the model is told.
    pub fn definitions(&self) -> Vec<Arc<ToolDefinition>> {
        let declared = self.iter().filter(|tool| tool.exposure() == ToolExposure::Direct);
        declared.map(|tool| Arc::clone(tool.definition())).collect()
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.tool.definition().name == name)
    }

    /// Whether the named tool must not run beside others.
    pub(crate) fn is_sequential(&self, name: &str) -> bool {
        self.get(name).and_then(|tool| tool.execution_mode()) == Some(ToolExecutionMode::Sequential)
    }

    /// Prepares, coerces and checks the arguments of a call. What the tool is given is the one copy of them that a call
    /// makes: everybody else shares those of the message.
    ///
    /// # Errors
    /// A sentence for the model: no tool has the name, or what is wrong with the arguments.
    pub fn check(&self, name: &str, raw: &Value) -> Result<(Arc<dyn Tool>, Value), String> {
        let entry = self.entry(name).ok_or_else(|| format!("Tool {name} not found"))?;
        let prepared = entry.tool.prepare_arguments(raw.clone()).map_err(|error| error.to_string())?;
        let validator = entry
            .tool
            .compiled_schema()
            .unwrap_or(&entry.schema)
            .of(entry.tool.definition(), entry.tool.coercion_mode())?;
        let arguments = validator.validate_owned(prepared).map_err(|error| error.to_string())?;
        Ok((Arc::clone(&entry.tool), arguments))
    }
}
