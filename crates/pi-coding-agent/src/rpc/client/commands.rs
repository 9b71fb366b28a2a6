//! One method per command.

use pi_agent_core::QueueMode;
use pi_ai::{ContentBlock, Message, Model, ThinkingLevel};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{RpcClient, RpcClientError, RpcEvent};
use crate::agent_session::{
    BashResult, CompactionOutcome, CycleDirection, ModelCycle, PromptDisposition, QueuedTexts, SessionStats,
    StreamingBehavior,
};
use crate::rpc::{EventDetail, ForkMessage, RpcState, ShutdownMode};

type Answer<T> = Result<T, RpcClientError>;

/// What the user says.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RpcMessage {
    /// The text.
    pub message: String,
    /// Images that go with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ContentBlock>,
    /// Where a prompt goes while a run is in progress; without it the prompt is refused then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streaming_behavior: Option<StreamingBehavior>,
}

impl<T: Into<String>> From<T> for RpcMessage {
    fn from(text: T) -> Self {
        Self { message: text.into(), ..Self::default() }
    }
}

/// What became of going to another session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RpcReplaced {
    /// Whether an extension did not want it.
    pub cancelled: bool,
    /// What the user said where the session was forked.
    #[serde(default)]
    pub text: Option<String>,
}

/// Entries of a session.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RpcEntries {
    /// The entries as they are in the file.
    pub entries: Vec<Value>,
    /// The entry that the next one will follow; `None` at the root.
    pub leaf_id: Option<String>,
}

/// The entries of a session as a tree.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RpcTree {
    /// Nodes, each with its `entry`, `children` and, if it has one, its `label` and `labelTimestamp`.
    pub tree: Vec<Value>,
    /// The entry that the next one will follow; `None` at the root.
    pub leaf_id: Option<String>,
}

/// Something that prompts can begin with.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RpcCommandInfo {
    /// What follows the slash.
    pub name: String,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
    /// `prompt`, `skill` or `extension`.
    pub source: String,
    /// Where it came from, as the protocol says it.
    #[serde(default)]
    pub source_info: Value,
}

/// Each method sends the command of its name; `docs/rpc.md` has what it does and when it is answered. Errors are those of
/// [`call`](RpcClient::call), and [`RpcClientError::Response`].
#[allow(clippy::missing_errors_doc)]
impl RpcClient {
    /// Sends a prompt. Done when it was accepted; what comes of it is told by events, the last of which
    /// [settles](RpcEvent::is_settled) it when it [started](PromptDisposition::Started) a run. A program that is older
    /// than that says `None`.
    pub async fn prompt(&self, message: impl Into<RpcMessage>) -> Answer<Option<PromptDisposition>> {
        self.read("prompt", &message.into(), Some("disposition")).await
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
                event = subscription.next() => events.push(event.ok_or_else(|| self.shared.ended("prompt"))?),
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
        Err(self.shared.ended("prompt"))
    }

    /// Queues a message for the next turn.
    pub async fn steer(&self, message: impl Into<RpcMessage>) -> Answer<()> {
        self.send("steer", &message.into()).await
    }

    /// Queues a message for the end of the run.
    pub async fn follow_up(&self, message: impl Into<RpcMessage>) -> Answer<()> {
        self.send("follow_up", &message.into()).await
    }

    /// Stops the current run.
    pub async fn abort(&self) -> Answer<()> {
        self.send("abort", &()).await
    }

    /// Empties the queues; returns what was in them.
    pub async fn clear_queue(&self) -> Answer<QueuedTexts> {
        self.ask("clear_queue", &()).await
    }

    /// Goes to a new session; `parent` is the path that its file names as its parent.
    pub async fn new_session(&self, parent: Option<&str>) -> Answer<RpcReplaced> {
        self.ask("new_session", &optional("parentSession", parent)).await
    }

    /// Describes the session.
    pub async fn get_state(&self) -> Answer<RpcState> {
        self.ask("get_state", &()).await
    }

    /// The messages of the context.
    pub async fn get_messages(&self) -> Answer<Vec<Message>> {
        self.ask_for("get_messages", "messages").await
    }

    /// The text of the newest answer.
    pub async fn get_last_assistant_text(&self) -> Answer<Option<String>> {
        self.ask_for("get_last_assistant_text", "text").await
    }

    /// Counts messages, tokens and cost.
    pub async fn get_session_stats(&self) -> Answer<SessionStats> {
        self.ask("get_session_stats", &()).await
    }

    /// Selects a model.
    pub async fn set_model(&self, provider: &str, model: &str) -> Answer<Model> {
        self.ask("set_model", &json!({"provider": provider, "modelId": model})).await
    }

    /// Goes on to another model; `None` when there is no other.
    pub async fn cycle_model(&self, direction: CycleDirection) -> Answer<Option<ModelCycle>> {
        self.ask("cycle_model", &json!({"direction": direction})).await
    }

    /// The models that are ready to use.
    pub async fn get_available_models(&self) -> Answer<Vec<Model>> {
        self.ask_for("get_available_models", "models").await
    }

    /// Selects a thinking level.
    pub async fn set_thinking_level(&self, level: ThinkingLevel) -> Answer<()> {
        self.send("set_thinking_level", &json!({"level": level})).await
    }

    /// Goes on to the next thinking level; `None` when the model cannot think.
    pub async fn cycle_thinking_level(&self) -> Answer<Option<ThinkingLevel>> {
        self.ask_for("cycle_thinking_level", "level").await
    }

    /// The thinking levels that the model supports.
    pub async fn get_available_thinking_levels(&self) -> Answer<Vec<ThinkingLevel>> {
        self.ask_for("get_available_thinking_levels", "levels").await
    }

    /// Chooses how much of the steering queue a turn takes.
    pub async fn set_steering_mode(&self, mode: QueueMode) -> Answer<()> {
        self.send("set_steering_mode", &json!({"mode": mode})).await
    }

    /// Chooses how much of the follow-up queue a stop takes.
    pub async fn set_follow_up_mode(&self, mode: QueueMode) -> Answer<()> {
        self.send("set_follow_up_mode", &json!({"mode": mode})).await
    }

    /// Summarises older history.
    pub async fn compact(&self, instructions: Option<&str>) -> Answer<CompactionOutcome> {
        self.ask("compact", &optional("customInstructions", instructions)).await
    }

    /// Switches automatic compaction on or off.
    pub async fn set_auto_compaction(&self, enabled: bool) -> Answer<()> {
        self.send("set_auto_compaction", &json!({"enabled": enabled})).await
    }

    /// Switches retries on or off.
    pub async fn set_auto_retry(&self, enabled: bool) -> Answer<()> {
        self.send("set_auto_retry", &json!({"enabled": enabled})).await
    }

    /// Ends the pause before a retry.
    pub async fn abort_retry(&self) -> Answer<()> {
        self.send("abort_retry", &()).await
    }

    /// Runs a shell command of the user; what came of it is shown to the model with the next prompt.
    pub async fn bash(&self, command: &str) -> Answer<BashResult> {
        self.ask("bash", &json!({"command": command})).await
    }

    /// Runs a shell command of the user that the model does not see.
    pub async fn bash_unseen(&self, command: &str) -> Answer<BashResult> {
        self.ask("bash", &json!({"command": command, "excludeFromContext": true})).await
    }

    /// Kills the shell command that was started last.
    pub async fn abort_bash(&self) -> Answer<()> {
        self.send("abort_bash", &()).await
    }

    /// Makes a page of the session; returns its path, as the program sees it.
    pub async fn export_html(&self, path: Option<&str>) -> Answer<String> {
        self.read("export_html", &optional("outputPath", path), Some("path")).await
    }

    /// Goes to the session in a file.
    pub async fn switch_session(&self, path: &str) -> Answer<RpcReplaced> {
        self.ask("switch_session", &json!({"sessionPath": path})).await
    }

    /// Goes to a new session that ends in front of what the user said in this entry.
    pub async fn fork(&self, entry: &str) -> Answer<RpcReplaced> {
        self.ask("fork", &json!({"entryId": entry})).await
    }

    /// Goes to a copy of the current branch: the command `clone`.
    pub async fn clone_session(&self) -> Answer<RpcReplaced> {
        self.ask("clone", &()).await
    }

    /// What the user said, on all branches.
    pub async fn get_fork_messages(&self) -> Answer<Vec<ForkMessage>> {
        self.ask_for("get_fork_messages", "messages").await
    }

    /// The session's entries in the order of the file, or those behind the entry `since`.
    pub async fn get_entries(&self, since: Option<&str>) -> Answer<RpcEntries> {
        self.ask("get_entries", &optional("since", since)).await
    }

    /// The session's entries as a tree.
    pub async fn get_tree(&self) -> Answer<RpcTree> {
        self.ask("get_tree", &()).await
    }

    /// Names the session.
    pub async fn set_session_name(&self, name: &str) -> Answer<()> {
        self.send("set_session_name", &json!({"name": name})).await
    }

    /// What prompts can begin with behind a slash.
    pub async fn get_commands(&self) -> Answer<Vec<RpcCommandInfo>> {
        self.ask_for("get_commands", "commands").await
    }

    /// Chooses how much of a growing message its events show.
    pub async fn set_event_detail(&self, detail: EventDetail) -> Answer<()> {
        self.send("set_event_detail", &json!({"partial": detail})).await
    }

    /// Asks the program to end; [`wait`](RpcClient::wait) until it has.
    pub async fn shutdown(&self, mode: ShutdownMode) -> Answer<()> {
        self.send("shutdown", &json!({"mode": mode})).await
    }

    /// A command without data.
    async fn send(&self, command: &str, fields: &impl Serialize) -> Answer<()> {
        self.read::<Value>(command, fields, None).await.map(drop)
    }

    /// A command with data.
    async fn ask<T: DeserializeOwned>(&self, command: &str, fields: &impl Serialize) -> Answer<T> {
        self.read(command, fields, None).await
    }

    /// A command without fields, of whose data one field counts.
    async fn ask_for<T: DeserializeOwned>(&self, command: &str, field: &str) -> Answer<T> {
        self.read(command, &(), Some(field)).await
    }

    async fn read<T: DeserializeOwned>(
        &self,
        command: &str,
        fields: &impl Serialize,
        field: Option<&str>,
    ) -> Answer<T> {
        let unreadable = |source| RpcClientError::Response { command: command.to_owned(), source };
        let fields = match serde_json::to_value(fields).map_err(unreadable)? {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let mut data = self.call(command, fields).await?;
        if let Some(field) = field {
            data = data.get_mut(field).map(Value::take).unwrap_or_default();
        }
        serde_json::from_value(data).map_err(unreadable)
    }
}

/// A field that is absent rather than null.
fn optional(name: &str, value: Option<&str>) -> Value {
    let fields = value.map(|value| (name.to_owned(), value.into()));
    Value::Object(fields.into_iter().collect())
}
