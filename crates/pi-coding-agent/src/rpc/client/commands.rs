//! One method per command.

use pi_agent_core::QueueMode;
use pi_ai::{Model, ThinkingLevel};
use serde_json::{Value, json};

use super::{RpcClient, RpcClientError, RpcCommandInfo, RpcEvent, RpcHistory, RpcMessage, RpcReplaced};
use crate::agent_session::{
    BashResult, CompactionOutcome, CycleDirection, ModelCycle, PromptDisposition, QueuedTexts, SessionStats,
};
use crate::rpc::{EventDetail, RpcState, ShutdownMode};

pub(super) type Answer<T> = Result<T, RpcClientError>;

/// Each method sends the command of its name; `docs/rpc.md` has what it does and when it is answered. Errors are those of
/// [`call`](RpcClient::call), and [`RpcClientError::Response`].
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

    /// Stops the current run.
    pub async fn abort(&self) -> Answer<()> {
        self.connection.send("abort", &()).await
    }

    /// Empties the queues; returns what was in them.
    pub async fn clear_queue(&self) -> Answer<QueuedTexts> {
        self.connection.ask("clear_queue", &()).await
    }

    /// Goes to a new session; `parent` is the path that its file names as its parent.
    pub async fn new_session(&self, parent: Option<&str>) -> Answer<RpcReplaced> {
        self.connection.ask("new_session", &optional("parentSession", parent)).await
    }

    /// The commands that read messages and entries.
    pub fn history(&self) -> RpcHistory<'_> {
        RpcHistory(&self.connection)
    }

    /// Describes the session.
    pub async fn get_state(&self) -> Answer<RpcState> {
        self.connection.ask("get_state", &()).await
    }

    /// Counts messages, tokens and cost.
    pub async fn get_session_stats(&self) -> Answer<SessionStats> {
        self.connection.ask("get_session_stats", &()).await
    }

    /// Selects a model.
    pub async fn set_model(&self, provider: &str, model: &str) -> Answer<Model> {
        self.connection.ask("set_model", &json!({"provider": provider, "modelId": model})).await
    }

    /// Goes on to another model; `None` when there is no other.
    pub async fn cycle_model(&self, direction: CycleDirection) -> Answer<Option<ModelCycle>> {
        self.connection.ask("cycle_model", &json!({"direction": direction})).await
    }

    /// The models that are ready to use.
    pub async fn get_available_models(&self) -> Answer<Vec<Model>> {
        self.connection.ask_for("get_available_models", "models").await
    }

    /// Selects a thinking level.
    pub async fn set_thinking_level(&self, level: ThinkingLevel) -> Answer<()> {
        self.connection.send("set_thinking_level", &json!({"level": level})).await
    }

    /// Goes on to the next thinking level; `None` when the model cannot think.
    pub async fn cycle_thinking_level(&self) -> Answer<Option<ThinkingLevel>> {
        self.connection.ask_for("cycle_thinking_level", "level").await
    }

    /// The thinking levels that the model supports.
    pub async fn get_available_thinking_levels(&self) -> Answer<Vec<ThinkingLevel>> {
        self.connection.ask_for("get_available_thinking_levels", "levels").await
    }

    /// Chooses how much of the steering queue a turn takes.
    pub async fn set_steering_mode(&self, mode: QueueMode) -> Answer<()> {
        self.connection.send("set_steering_mode", &json!({"mode": mode})).await
    }

    /// Chooses how much of the follow-up queue a stop takes.
    pub async fn set_follow_up_mode(&self, mode: QueueMode) -> Answer<()> {
        self.connection.send("set_follow_up_mode", &json!({"mode": mode})).await
    }

    /// Summarises older history.
    pub async fn compact(&self, instructions: Option<&str>) -> Answer<CompactionOutcome> {
        self.connection.ask("compact", &optional("customInstructions", instructions)).await
    }

    /// Switches automatic compaction on or off.
    pub async fn set_auto_compaction(&self, enabled: bool) -> Answer<()> {
        self.connection.send("set_auto_compaction", &json!({"enabled": enabled})).await
    }

    /// Switches retries on or off.
    pub async fn set_auto_retry(&self, enabled: bool) -> Answer<()> {
        self.connection.send("set_auto_retry", &json!({"enabled": enabled})).await
    }

    /// Ends the pause before a retry.
    pub async fn abort_retry(&self) -> Answer<()> {
        self.connection.send("abort_retry", &()).await
    }

    /// Runs a shell command of the user; what came of it is shown to the model with the next prompt.
    pub async fn bash(&self, command: &str) -> Answer<BashResult> {
        self.connection.ask("bash", &json!({"command": command})).await
    }

    /// Runs a shell command of the user that the model does not see.
    pub async fn bash_unseen(&self, command: &str) -> Answer<BashResult> {
        self.connection.ask("bash", &json!({"command": command, "excludeFromContext": true})).await
    }

    /// Kills the shell command that was started last.
    pub async fn abort_bash(&self) -> Answer<()> {
        self.connection.send("abort_bash", &()).await
    }

    /// Makes a page of the session; returns its path, as the program sees it.
    pub async fn export_html(&self, path: Option<&str>) -> Answer<String> {
        self.connection.read("export_html", &optional("outputPath", path), Some("path")).await
    }

    /// Goes to the session in a file.
    pub async fn switch_session(&self, path: &str) -> Answer<RpcReplaced> {
        self.connection.ask("switch_session", &json!({"sessionPath": path})).await
    }

    /// Goes to a new session that ends in front of what the user said in this entry.
    pub async fn fork(&self, entry: &str) -> Answer<RpcReplaced> {
        self.connection.ask("fork", &json!({"entryId": entry})).await
    }

    /// Goes to a copy of the current branch: the command `clone`.
    pub async fn clone_session(&self) -> Answer<RpcReplaced> {
        self.connection.ask("clone", &()).await
    }

    /// Names the session.
    pub async fn set_session_name(&self, name: &str) -> Answer<()> {
        self.connection.send("set_session_name", &json!({"name": name})).await
    }

    /// What prompts can begin with behind a slash.
    pub async fn get_commands(&self) -> Answer<Vec<RpcCommandInfo>> {
        self.connection.ask_for("get_commands", "commands").await
    }

    /// Chooses how much of a growing message its events show.
    pub async fn set_event_detail(&self, detail: EventDetail) -> Answer<()> {
        self.connection.send("set_event_detail", &json!({"partial": detail})).await
    }

    /// Asks the program to end; [`wait`](RpcClient::wait) until it has.
    pub async fn shutdown(&self, mode: ShutdownMode) -> Answer<()> {
        self.connection.send("shutdown", &json!({"mode": mode})).await
    }
}

/// A field that is absent rather than null.
pub(super) fn optional(name: &str, value: Option<&str>) -> Value {
    let fields = value.map(|value| (name.to_owned(), value.into()));
    Value::Object(fields.into_iter().collect())
}
