//! What is done with an example: `fixtures/extension_examples/scripts.json`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use pi_test_kit::{Reply, answer, tool_calls};

/// A scripted run. Without anything it is one prompt that the model answers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Script {
    /// Files of the project.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// Shell commands that are run in the project before the program starts.
    #[serde(default)]
    pub(crate) setup: Option<String>,
    /// More arguments of the program.
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
    /// More variables of its environment.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// What the model answers, in order.
    #[serde(default = "one_answer")]
    pub(crate) model: Vec<Answer>,
    /// What the user answers to questions, in order.
    #[serde(default)]
    pub(crate) user: Vec<Value>,
    /// What the client does.
    #[serde(default = "one_prompt")]
    pub(crate) steps: Vec<Step>,
    /// The order of lines within a step is not compared: it depends on what is ready first.
    #[serde(default)]
    pub(crate) any_order: bool,
}

/// An answer of the model.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    Text(String),
    /// Calls of tools: name and arguments of each.
    Calls(Vec<(String, Value)>),
}

/// Something that the client does.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Step {
    /// A prompt; what it begins is waited for.
    Run(String),
    /// A prompt that begins no run: only its response is waited for.
    Say(String),
    /// Any other command.
    Command(Value),
    /// So many more runs end.
    Runs(usize),
    /// A line of this type, or a request with this method or this message, has come since the step before began, or comes
    /// now. What is said until then belongs to that step.
    Until(String),
    /// A shell command in the project.
    Shell(String),
    /// `ENTRY` in the following commands is the entry of the first user message.
    Fork,
}

fn one_answer() -> Vec<Answer> {
    vec![Answer::Text("Hello.".to_owned())]
}

fn one_prompt() -> Vec<Step> {
    vec![Step::Run("hello".to_owned())]
}

impl Script {
    /// The script of the unit.
    pub(crate) fn of(unit: &str) -> Self {
        let all = super::recordings::read("scripts.json");
        serde_json::from_value(all.get(unit).cloned().unwrap_or_else(|| serde_json::json!({}))).unwrap()
    }
}

impl Answer {
    pub(crate) fn reply(&self) -> Reply {
        match self {
            Self::Text(text) => answer(text),
            Self::Calls(calls) => {
                let ids: Vec<String> = (1..=calls.len()).map(|number| format!("call_{number}")).collect();
                let calls = calls
                    .iter()
                    .zip(&ids)
                    .map(|((name, arguments), id)| (id.as_str(), name.as_str(), arguments.clone()));
                tool_calls(&calls.collect::<Vec<_>>())
            }
        }
    }
}
