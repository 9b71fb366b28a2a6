//! `tool_search`: what the model calls to find and load tools that are not declared.

use std::sync::{Arc, Weak};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{Tool, ToolError, ToolInvocation, ToolOutput};
use pi_ai::{Message, ToolDefinition};
use serde_json::{Value, json};

use crate::offers::Found;
use crate::servers::Servers;

/// Its name.
const NAME: &str = "tool_search";
/// Tools that one search loads, by default and at most.
const USUAL: u64 = 5;
const MOST: u64 = 10;

/// What is said above tools that are declared from now on,
const DECLARED: &str = "These can be called from now on:";
/// and above those that are not.
const SCRIPTED: &str = "Scripts that you give to codemode can call these, as tools.NAME(arguments); the schema of the arguments stands below each:";

/// The tool.
pub(crate) struct ToolSearch {
    servers: Weak<Servers>,
    definition: Arc<ToolDefinition>,
}

impl ToolSearch {
    /// `about` has a line for each server whose tools can be found.
    pub(crate) fn new(servers: &Arc<Servers>, about: &str) -> Self {
        // Short: it is part of every request.
        let description = format!(
            "Finds tools that are not listed here; you can call them from your next step on. They belong to these servers:\n\
             {about}"
        );
        let parameters = json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What the tool has to do, in a few words"},
                "limit": {"type": "integer", "minimum": 1, "maximum": MOST},
            },
            "required": ["query"],
        });
        let definition = ToolDefinition { name: NAME.to_owned(), description, parameters };
        Self { servers: Arc::downgrade(servers), definition: Arc::new(definition) }
    }

    fn search(&self, arguments: &Value) -> Result<ToolOutput, ToolError> {
        let query = arguments["query"].as_str().unwrap_or_default();
        let limit = arguments["limit"].as_u64().unwrap_or(USUAL).clamp(1, MOST);
        let servers = self.servers.upgrade().ok_or_else(|| ToolError::new("The servers of this session have ended"))?;
        let loaded = servers.load(query, usize::try_from(limit).unwrap_or(1));
        if loaded.is_empty() {
            let text = format!("No tool fits \"{query}\". Try other words, such as what it works on.");
            return Ok(ToolOutput::text(text));
        }
        let (scripted, declared): (Vec<_>, Vec<_>) = loaded.iter().partition(|found| found.for_scripts.is_some());
        let names: Vec<&String> = declared.iter().map(|found| &found.name).collect();
        let text = [list(DECLARED, &declared), list(SCRIPTED, &scripted)].into_iter().flatten().collect::<Vec<_>>();
        Ok(ToolOutput::text(text.join("\n\n")).with_details(json!({ "loaded": names })))
    }
}

/// A line for each tool, where there are some.
fn list(title: &str, tools: &[&Found]) -> Option<String> {
    let line = |found: &&Found| {
        let schema = found.for_scripts.as_ref().map(|schema| format!("\n  {schema}")).unwrap_or_default();
        format!("\n- {}: {}{schema}", found.name, found.about)
    };
    (!tools.is_empty()).then(|| format!("{title}{}", tools.iter().map(line).collect::<String>()))
}

impl std::fmt::Debug for ToolSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolSearch").finish_non_exhaustive()
    }
}

impl Tool for ToolSearch {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn label(&self) -> &str {
        "Tool search"
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        std::future::ready(self.search(&call.arguments)).boxed()
    }
}

/// Names of the tools that searches of a conversation have loaded, in their order: they are declared again when it goes on.
pub(crate) fn loaded_names<'a>(messages: impl IntoIterator<Item = &'a Arc<Message>>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for message in messages {
        let Message::ToolResult(result) = &**message else { continue };
        let loaded = result.details.as_ref().filter(|_| result.tool_name == NAME);
        let loaded = loaded.and_then(|details| details["loaded"].as_array()).into_iter().flatten();
        for name in loaded.filter_map(Value::as_str) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// The first line of a description, for a list.
pub(crate) fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_loaded_is_read_from_results_of_searches() {
        let message = |tool: &str, details: Value| -> Arc<Message> {
            let value = json!({"role": "toolResult", "toolCallId": "1", "toolName": tool, "isError": false, "timestamp": 1,
                "content": [{"type": "text", "text": ""}], "details": details});
            Arc::new(serde_json::from_value(value).unwrap())
        };
        let messages = [
            message(NAME, json!({"loaded": ["b", "a"]})),
            message("read", json!({"loaded": ["c"]})),
            message(NAME, Value::Null),
            message(NAME, json!({"loaded": ["a", "d", 7]})),
        ];
        assert_eq!(loaded_names(&messages), ["b", "a", "d"]);
    }
}
