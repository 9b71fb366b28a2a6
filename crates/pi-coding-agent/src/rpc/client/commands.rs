//! One method per command. Most come from the declarations of `command_table.rs`; written by hand are those that do more
//! than send fields and return the answer.

use pi_agent_core::QueueMode;
use pi_ai::{Model, ThinkingLevel};
use serde_json::{Value, json};

use super::methods::{Answer, answer_type, ask, client_methods, fields, method, method_of_client};
use super::{RpcClient, RpcCommandInfo, RpcEvent, RpcHistory, RpcMessage, RpcReplaced};
use crate::agent_session::{
    BashResult, CompactionOutcome, CycleDirection, ModelCycle, PromptDisposition, QueuedTexts, SessionStats,
};
use crate::rpc::command_table::command_table;
use crate::rpc::{EventDetail, RpcState, ShutdownMode};

command_table!(client_methods);

/// Each method sends the command of its name; `docs/rpc.md` has what it does and when it is answered. Errors are those of
/// [`call`](RpcClient::call), and [`RpcClientError::Response`](super::RpcClientError::Response).
#[allow(clippy::missing_errors_doc)]
impl RpcClient {
    /// Sends a prompt. Done when it was accepted; what comes of it is told by events, the last of which
    /// [settles](RpcEvent::is_settled) it when it [started](PromptDisposition::Started) a run. A program that is older
    /// than that says `None`.
    pub async fn prompt(&self, message: impl Into<RpcMessage>) -> Answer<Option<PromptDisposition>> {
        self.connection.read("prompt", &message.into(), Some("disposition")).await
    }

    /// Sends a prompt and returns all events up to the one after which nothing follows by itself; those so far when an
    /// extension has dealt with it. Not for use while another run is in progress.
    pub async fn prompt_and_wait(&self, message: impl Into<RpcMessage>) -> Answer<Vec<RpcEvent>> {
        let mut subscription = self.subscribe();
        let mut events = Vec::new();
        let prompt = self.prompt(message);
        let mut prompt = std::pin::pin!(prompt);
        let disposition = loop {
            tokio::select! {
                // The response comes before the events of the run.
                biased;
                accepted = &mut prompt => break accepted?,
                event = subscription.next() => events.push(event.ok_or_else(|| self.connection.ended("prompt"))?),
            }
        };
        if disposition == Some(PromptDisposition::Handled) {
            return Ok(events);
        }
        // The end of an earlier run may still be on its way; that of this one comes after its start.
        let mut has_started = events.iter().any(|event| event.kind() == "agent_start");
        while let Some(event) = subscription.next().await {
            has_started |= event.kind() == "agent_start";
            let is_last = match disposition {
                None => event.is_last_of_run(),
                Some(_) => has_started && event.is_settled(),
            };
            events.push(event);
            if is_last {
                return Ok(events);
            }
        }
        Err(self.connection.ended("prompt"))
    }

    /// Queues a message for the next turn.
    pub async fn steer(&self, message: impl Into<RpcMessage>) -> Answer<()> {
        self.connection.send("steer", &message.into()).await
    }

    /// Queues a message for the end of the run.
    pub async fn follow_up(&self, message: impl Into<RpcMessage>) -> Answer<()> {
        self.connection.send("follow_up", &message.into()).await
    }

    /// Runs a shell command of the user that the model does not see.
    pub async fn bash_unseen(&self, command: &str) -> Answer<BashResult> {
        self.connection.read("bash", &json!({"command": command, "excludeFromContext": true}), None).await
    }

    /// The commands that read messages and entries.
    pub fn history(&self) -> RpcHistory<'_> {
        RpcHistory(&self.connection)
    }
}
