//! What came of a run, collected from its events: for the one object that scripts get, and for the closing line on a
//! terminal. Nothing is printed here.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::AssistantMessage;
use pi_guard::lock;
use serde_json::{Value, json};

use pi_coding_agent::agent_session::{AgentSession, SessionEvent};
use pi_coding_agent::session::MessageTotals;

/// Follows a session.
#[derive(Debug, Clone)]
pub(super) struct RunFollower {
    collected: Arc<Mutex<Collected>>,
    began: Instant,
}

#[derive(Debug, Default)]
struct Collected {
    totals: MessageTotals,
    /// Calls under way that will have changed a file.
    writing: HashMap<String, String>,
    changed: BTreeSet<String>,
}

impl RunFollower {
    /// Counts what happens from now on.
    pub(super) fn follow(session: &AgentSession) -> Self {
        let outcome = Self { collected: Arc::default(), began: Instant::now() };
        let (collected, cwd) =
            (Arc::clone(&outcome.collected), session.store().read(|manager| manager.cwd().to_owned()));
        session.subscribe(Arc::new(move |event| {
            if let SessionEvent::Agent(event) = &event {
                lock(&collected).add(event, &cwd);
            }
            async {}.boxed()
        }));
        outcome
    }

    /// What the messages of the run add up to.
    pub(super) fn totals(&self) -> MessageTotals {
        lock(&self.collected).totals.clone()
    }

    /// Seconds since the run began.
    pub(super) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// The object for scripts. `answer` is what the mode makes of the last answer, `error` what went wrong.
    pub(super) fn as_json(&self, session: &AgentSession, structured: Option<&Value>, error: Option<&str>) -> Value {
        let last = session.messages().into_iter().rev().find(|message| message.as_assistant().is_some());
        let last = last.as_deref().and_then(|message| message.as_assistant());
        let has_answered = lock(&self.collected).totals.assistant_messages > 0;
        let answer = last.filter(|answer| has_answered && !answer.stop_reason.is_failure());
        let model = session.model();
        let totals = self.totals();
        let limits = session.limits().status();
        let mut value = json!({
            "type": "result",
            "answer": answer.map(AssistantMessage::text),
            "stopReason": last.filter(|_| has_answered).map(|answer| answer.stop_reason.as_str()),
            "error": error,
            "model": format!("{}/{}", model.provider, model.id),
            "turns": totals.assistant_messages,
            "toolCalls": totals.tool_calls,
            "usage": totals.tokens,
            "cost": totals.cost,
            "session": { "id": session.session_id(), "file": session.session_file().filter(|file| file.exists()) },
            "changedFiles": lock(&self.collected).changed,
            "durationMs": u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
        });
        if let Some(structured) = structured {
            value["structured"] = structured.clone();
        }
        if let Some(limits) = limits {
            value["limits"] = serde_json::to_value(limits).unwrap_or_default();
        }
        value
    }
}

impl Collected {
    fn add(&mut self, event: &AgentEvent, cwd: &Path) {
        match event {
            AgentEvent::MessageEnd { message } => self.totals.add(message),
            AgentEvent::ToolExecutionStart { tool_call_id, tool_name, args, .. } if changes_a_file(tool_name) => {
                if let Some(path) = args.get("path").and_then(Value::as_str) {
                    let short = Path::new(path).strip_prefix(cwd).unwrap_or(Path::new(path));
                    self.writing.insert(tool_call_id.clone(), short.display().to_string());
                }
            }
            AgentEvent::ToolExecutionEnd { tool_call_id, is_error, .. } => {
                let path = self.writing.remove(tool_call_id);
                self.changed.extend(path.filter(|_| !is_error));
            }
            _ => {}
        }
    }
}

fn changes_a_file(tool: &str) -> bool {
    matches!(tool, "write" | "edit")
}
