//! What is known of a sub-agent, from the lines that it prints. Processes are elsewhere.

use pi_agent_core::{ToolError, ToolOutput};
use serde::Serialize;
use serde_json::Value;

/// The state of a sub-agent; what programs see of it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Progress {
    task: String,
    model: String,
    /// How often its model answered.
    answers: u64,
    /// The tools that it called, in order.
    calls: Vec<String>,
    /// Tokens, as the provider counts them.
    input: u64,
    output: u64,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    failure: Option<String>,
}

impl Progress {
    /// Nothing has happened yet.
    pub(crate) fn new(task: String, model: String) -> Self {
        Self { task, model, ..Self::default() }
    }

    /// Takes a line; whether it changed anything that is worth a report.
    pub(crate) fn take(&mut self, line: &str) -> bool {
        // A program of another kind may print other things in between.
        let Ok(event) = serde_json::from_str::<Value>(line) else { return false };
        let message = &event["message"];
        if event["type"] != "message_end" || message["role"] != "assistant" {
            return false;
        }
        self.answers += 1;
        self.input += message["usage"]["input"].as_u64().unwrap_or_default();
        self.output += message["usage"]["output"].as_u64().unwrap_or_default();
        let blocks = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let calls = blocks.iter().filter(|block| block["type"] == "toolCall");
        self.calls.extend(calls.filter_map(|call| call["name"].as_str()).map(str::to_owned));
        let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        self.text = texts.join("\n").trim().to_owned();
        // A later answer makes up for one that failed: it was asked again.
        self.failure = match message["stopReason"].as_str() {
            Some("error" | "aborted") => {
                Some(message["errorMessage"].as_str().unwrap_or("no reason was given").to_owned())
            }
            _ => None,
        };
        true
    }

    /// How far it is.
    pub(crate) fn report(&self) -> ToolOutput {
        let text = match self.calls.as_slice() {
            [] => "The sub-agent is at work.".to_owned(),
            calls => format!("The sub-agent is at work: {}", calls.join(", ")),
        };
        self.output_of(&text)
    }

    /// What came of it. `ending` tells how the process ended if that was not well.
    pub(crate) fn result(&self, ending: Option<&str>) -> Result<ToolOutput, ToolError> {
        match (&self.failure, ending, self.text.as_str()) {
            (Some(failure), _, _) => Err(format!("The sub-agent failed: {failure}").into()),
            (None, Some(ending), _) => Err(format!("The sub-agent ended too early: {ending}").into()),
            (None, None, "") => Err("The sub-agent ended without an answer.".into()),
            (None, None, text) => Ok(self.output_of(text)),
        }
    }

    fn output_of(&self, text: &str) -> ToolOutput {
        ToolOutput::text(text).with_details(serde_json::to_value(self).unwrap_or_default())
    }
}
