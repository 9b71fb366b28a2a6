//! What one can look up in a session: tools, places to fork from, switches. Nothing here changes what a session says or does.

use std::sync::Arc;

use pi_agent_core::Agent;
use pi_ai::{Message, ToolDefinition};
use serde::{Deserialize, Serialize};

use super::{AgentSession, lock};
use crate::events::Error;
use crate::session::{self, SessionEntry, SessionManager, StoredEntry};

/// A message of the user to which one can go back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForkMessage {
    /// The entry that holds it.
    pub entry_id: String,
    /// Its text.
    pub text: String,
}

impl AgentSession {
    /// The agent behind the session. What is changed there directly is not recorded in the session.
    pub fn agent(&self) -> &Agent {
        &self.0.agent
    }

    /// Waits until no run, no pause before a retry and no summary goes on. Their futures have to be polled meanwhile.
    pub async fn wait_for_idle(&self) {
        self.0.activity.idle().await;
    }

    /// Keeps `prompt`, which must be the same text, in place of the session's own copy.
    pub(crate) fn share_system_prompt(&self, prompt: Arc<str>) {
        lock(&self.0.workspace).system_prompt = Arc::clone(&prompt);
        self.0.agent.set_system_prompt(prompt);
    }

    /// Texts that wait for the next turn.
    pub fn steering_messages(&self) -> Vec<String> {
        self.queued_texts().steering
    }

    /// Texts that wait for the end of the run.
    pub fn follow_up_messages(&self) -> Vec<String> {
        self.queued_texts().follow_up
    }

    /// Whether history is summarised by itself when the context is nearly full.
    pub fn auto_compaction_enabled(&self) -> bool {
        self.0.settings.compaction().enabled
    }

    /// Whether the current model can think.
    pub fn supports_thinking(&self) -> bool {
        self.model().reasoning
    }

    /// What the model is told of one tool; `None` when it may not use a tool of this name.
    pub fn tool_definition(&self, name: &str) -> Option<Arc<ToolDefinition>> {
        self.0.agent.with_state(|state| state.tools.get(name).map(|tool| Arc::clone(tool.definition())))
    }

    /// What the user said, in the order of the file, on all branches. Reads the whole file, off the runtime.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn user_messages_for_forking(&self) -> Result<Vec<ForkMessage>, Error> {
        let read = self.read_copy(|manager: &SessionManager| {
            let messages =
                manager.entries().iter().filter_map(|entry| entry.map(|entry| fork_message(&entry)).transpose());
            Ok(messages.collect::<Result<_, session::Error>>()?)
        });
        read.await
    }
}

fn fork_message(entry: &StoredEntry) -> Option<ForkMessage> {
    if entry.kind() != "message" {
        return None;
    }
    let SessionEntry::Message(stored) = entry.parse() else { return None };
    let Message::User(user) = &*stored.message else { return None };
    let message = ForkMessage { entry_id: entry.id().to_owned(), text: user.content.to_text() };
    (!message.text.is_empty()).then_some(message)
}
