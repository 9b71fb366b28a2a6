//! Subscription (OAuth) keys: the provider expects the identity and the tool names of its own client.

use std::collections::HashMap;

use crate::api::{copilot, endpoint};
use crate::context::Context;
use crate::model::Model;
use crate::options::StreamOptions;

/// First system block that the provider demands of requests with such keys.
pub(super) const IDENTITY: &str = "You are Claude Code, Anthropic's official CLI for Claude.";
/// Part of every such key.
const KEY_MARK: &str = "sk-ant-oat";

/// Tool names as the provider's client spells them.
const NAMES: [&str; 17] = [
    "Read",
    "Write",
    "Edit",
    "Bash",
    "Grep",
    "Glob",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillShell",
    "NotebookEdit",
    "Skill",
    "Task",
    "TaskOutput",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
];

/// Whether the call uses a subscription key. Gateways and Copilot have keys of their own, whatever they look like.
pub(super) fn applies(model: &Model, key: &str) -> bool {
    let direct = ![endpoint::CLOUDFLARE_GATEWAY, copilot::PROVIDER].contains(&model.provider.as_str());
    direct && key.contains(KEY_MARK)
}

/// A tool name as it is sent.
pub(super) fn outgoing(name: &str) -> &str {
    NAMES.iter().find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}

/// Maps tool names that come back to those of the context.
#[derive(Debug, Default)]
pub(super) struct ToolNames {
    /// Lower-case name to the context's spelling; empty where names are sent as they are.
    by_lower: HashMap<String, String>,
}

impl ToolNames {
    pub(super) fn new(model: &Model, context: &Context, options: &StreamOptions) -> Self {
        if !options.api_key.as_deref().is_some_and(|key| applies(model, key)) {
            return Self::default();
        }
        let mut by_lower = HashMap::new();
        for tool in &context.tools {
            by_lower.entry(tool.name.to_lowercase()).or_insert_with(|| tool.name.clone());
        }
        Self { by_lower }
    }

    /// The context's spelling of a name, or the name itself.
    pub(super) fn incoming<'a>(&'a self, name: &'a str) -> &'a str {
        self.by_lower.get(&name.to_lowercase()).map_or(name, String::as_str)
    }
}
