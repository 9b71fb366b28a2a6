//! What a call is to the gate: what the user is asked about it, and what allows it for good.

use std::path::Path;

use serde_json::Value;

use super::GateMode;
use super::allowed::AllowedKey;
use super::single_command::words;
use crate::extension::events::ToolCallEvent;
use crate::host::without_links;
use crate::tools::PathBase;

/// Letters of arguments that a question shows.
const ARGUMENTS: usize = 400;
/// Tools that change nothing.
const READING: [&str; 5] = ["read", "grep", "find", "ls", "tool_search"];

/// A call that is asked about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GatedCall {
    /// The question.
    pub(super) title: String,
    /// What allows it for good, where something can.
    pub(super) key: Option<AllowedKey>,
    /// That as an answer.
    pub(super) always: Option<String>,
}

impl GatedCall {
    /// What is asked about a call; nothing where it may just run.
    pub(super) fn of(mode: GateMode, event: &ToolCallEvent, cwd: &Path) -> Option<Self> {
        let (name, input) = (event.tool_name.as_str(), &*event.input);
        match (mode, name) {
            (GateMode::Never, _) => None,
            // Its calls are asked about.
            _ if event.makes_calls => None,
            (_, name) if READING.contains(&name) => None,
            (GateMode::Commands, "edit" | "write") => None,
            (GateMode::Edits, "edit" | "write") => Some(Self::edit(name, input, cwd)),
            (_, "bash") => Some(Self::command(input)),
            (_, name) => Some(Self::tool(name, input)),
        }
    }

    fn command(input: &Value) -> Self {
        let command = input["command"].as_str().unwrap_or_default().trim();
        let title = format!("Run this command?\n\n{command}");
        let key = words(command).map(AllowedKey::Command);
        let always = key.is_some().then(|| format!("Always allow `{command}` in this project"));
        Self { title, key, always }
    }

    fn edit(name: &str, input: &Value, cwd: &Path) -> Self {
        let path = input["path"].as_str().unwrap_or_default();
        let verb = if name == "write" { "Write" } else { "Edit" };
        let file = PathBase::new(cwd).resolve(path).ok().map(|file| without_links(&file));
        let key = file.map(|file| AllowedKey::Path(file.to_string_lossy().into_owned()));
        let always = key.is_some().then(|| format!("Always allow changes of {path}"));
        Self { title: format!("{verb} {path}?"), key, always }
    }

    fn tool(name: &str, input: &Value) -> Self {
        let mut arguments: String = input.to_string();
        if let Some((end, _)) = arguments.char_indices().nth(ARGUMENTS) {
            arguments.truncate(end);
            arguments.push('…');
        }
        let title = format!("Run the tool {name}?\n\n{arguments}");
        let always = Some(format!("Always allow the tool {name} in this project"));
        Self { title, key: Some(AllowedKey::Tool(name.to_owned())), always }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pi_agent_core::ToolAnnotations;
    use serde_json::json;

    use super::*;

    fn call(mode: GateMode, name: &str, input: Value) -> Option<GatedCall> {
        let (tool_call_id, tool_name) = ("1".to_owned(), name.to_owned());
        let (parent_tool_call_id, input) = (None, Arc::new(input));
        let (annotations, makes_calls) = (ToolAnnotations::default(), false);
        let event = ToolCallEvent { tool_call_id, tool_name, parent_tool_call_id, input, annotations, makes_calls };
        GatedCall::of(mode, &event, Path::new("/nowhere/project"))
    }

    #[test]
    fn modes_say_what_is_asked_about() {
        use GateMode::{Commands, Edits, Never};
        for (name, expected) in [
            ("read", [false, false, false]),
            ("ls", [false, false, false]),
            ("bash", [false, true, true]),
            ("edit", [false, false, true]),
            ("write", [false, false, true]),
            ("mcp__files__delete", [false, true, true]),
        ] {
            let asked = [Never, Commands, Edits].map(|mode| call(mode, name, json!({})).is_some());
            assert_eq!(asked, expected, "{name}");
        }
    }

    #[test]
    fn what_is_asked_and_what_would_allow_it() {
        let found = call(GateMode::Edits, "bash", json!({"command": " cargo  test 'a b' "})).unwrap();
        assert_eq!(found.title, "Run this command?\n\ncargo  test 'a b'");
        let words = ["cargo", "test", "a b"].map(str::to_owned).to_vec();
        assert_eq!(found.key, Some(AllowedKey::Command(words)));
        let found = call(GateMode::Edits, "bash", json!({"command": "make; rm -rf /"})).unwrap();
        assert_eq!((found.key, found.always), (None, None));
        let found = call(GateMode::Edits, "write", json!({"path": "src/../a.rs"})).unwrap();
        assert_eq!(found.key, Some(AllowedKey::Path("/nowhere/project/a.rs".to_owned())));
        let found = call(GateMode::Commands, "deploy", json!({"to": "x".repeat(500)})).unwrap();
        assert!(found.title.starts_with("Run the tool deploy?\n\n{\"to\":\"xxx") && found.title.ends_with('…'));
    }
}
