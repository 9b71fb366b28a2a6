//! Events of a session as updates of the protocol, in their order.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use agent_client_protocol_schema::v1::{
    AvailableCommandsUpdate, CompactionId, CompactionStatus, CompactionUpdate, ConfigOptionUpdate, ContentBlock,
    ContentChunk, Cost, MessageId, Notice, NoticeSeverity, SessionId, SessionInfoUpdate, SessionUpdate, UsageUpdate,
};
use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_ai::{AssistantMessageEvent, Message, StopReason};
use pi_guard::lock;
use tokio::time::timeout;

use super::arriving::Arriving;
use super::client::Client;
use super::connection::Connection;
use super::directories::Directories;
use super::open_session::OpenSession;
use super::present_files::{Present, PresentFiles};
use super::tool_calls::{CallView, ToolCalls};
use super::{commands, config_options, listing, plan};
use crate::agent_session::{AgentSession, CompactionOutcome, Limit, SessionEvent, WeakAgentSession};
use crate::gate::PermissionGate;
use crate::host::ids::Ids;

/// So long a call waits for what it replaces: a client may be asked for it.
const TIME_TO_READ: Duration = Duration::from_secs(1);

/// What the client is told of a session.
pub(super) struct Updates {
    id: SessionId,
    connection: Connection,
    client: Client,
    ids: Arc<dyn Ids>,
    /// What asks before calls.
    permissions: PermissionGate,
    files: PresentFiles,
    session: OnceLock<WeakAgentSession>,
    /// Runs that begin are to stop at once.
    stops_runs: AtomicBool,
    state: Mutex<State>,
    /// Held while an event is told, and while the history is.
    telling: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    arriving: Option<Arriving>,
    /// Something was said: the first message has been told as the title, or the client has it from elsewhere.
    has_title: bool,
    calls: ToolCalls,
    compaction: Option<CompactionId>,
    outcome: Outcome,
    /// The options as they were told last.
    options: Option<config_options::Chosen>,
}

/// Where a session is listened to, besides its events.
pub(super) struct Seams {
    pub(super) permissions: PermissionGate,
    pub(super) files: PresentFiles,
    pub(super) directories: Directories,
}

/// How a prompt ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// How the newest answer ended.
    pub(super) answer: Option<Ended>,
    /// The limit that ended the run.
    pub(super) limit: Option<Limit>,
}

/// The end of an answer.
#[derive(Debug, Clone)]
pub(super) struct Ended {
    pub(super) reason: StopReason,
    /// What went wrong.
    pub(super) error: Option<String>,
    /// The model, or a filter before it, refused to go on.
    pub(super) refused: bool,
}

impl Updates {
    pub(super) fn new(
        id: SessionId,
        connection: Connection,
        client: Client,
        ids: Arc<dyn Ids>,
        session: &AgentSession,
        seams: Seams,
    ) -> Self {
        let cwd: PathBuf = session.store().read(|manager| manager.cwd().to_owned());
        let has_title = !session.messages().is_empty();
        let state = State { calls: ToolCalls::new(cwd, client.shows_terminals), has_title, ..State::default() };
        let (stops_runs, state) = (AtomicBool::new(false), Mutex::new(state));
        let (session, telling) = (OnceLock::new(), tokio::sync::Mutex::default());
        let Seams { permissions, files, directories: _ } = seams;
        Self { id, connection, client, ids, permissions, files, session, stops_runs, state, telling }
    }

    /// Tells the client of everything from now on. The session's runs wait for a client that does not read.
    pub(super) fn listen(self: &Arc<Self>, session: &AgentSession) {
        // Not the session itself, which holds its listeners.
        let _ = self.session.set(session.downgrade());
        let updates = Arc::clone(self);
        session.subscribe(Arc::new(move |event| {
            let updates = Arc::clone(&updates);
            async move { updates.take(&event).await }.boxed()
        }));
    }

    pub(super) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(super) fn permissions(&self) -> &PermissionGate {
        &self.permissions
    }

    /// Files as they are before a call changes them.
    pub(super) fn files(&self) -> &PresentFiles {
        &self.files
    }

    pub(super) fn client(&self) -> Client {
        self.client
    }

    /// An id for a message.
    pub(super) fn message_id(&self) -> MessageId {
        MessageId::new(self.ids.uuid())
    }

    pub(super) fn stop_runs(&self, stop: bool) {
        self.stops_runs.store(stop, Ordering::Release);
    }

    pub(super) fn forget_outcome(&self) {
        lock(&self.state).outcome = Outcome::default();
    }

    pub(super) fn outcome(&self) -> Outcome {
        lock(&self.state).outcome.clone()
    }

    /// The calls of the session, for its history.
    pub(super) fn with_calls<R>(&self, act: impl FnOnce(&mut ToolCalls) -> R) -> R {
        act(&mut lock(&self.state).calls)
    }

    /// Waits until nothing is being told; nothing is, as long as the returned value lives.
    pub(super) async fn telling(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.telling.lock().await
    }

    /// What was told of the answer that is arriving, once more; of calls what `of_call` says.
    pub(super) fn arriving(
        &self,
        mut of_call: impl FnMut(&mut ToolCalls, &str) -> Option<SessionUpdate>,
    ) -> Vec<SessionUpdate> {
        let State { arriving, calls, .. } = &mut *lock(&self.state);
        arriving.as_ref().map(|arriving| arriving.retold(|id| of_call(calls, id))).unwrap_or_default()
    }

    /// The options as the client knows them now.
    pub(super) fn note_options(&self, chosen: config_options::Chosen) {
        lock(&self.state).options = Some(chosen);
    }

    pub(super) async fn send(&self, update: SessionUpdate) {
        self.connection.update(&self.id, update).await;
    }

    /// Says something as if the model had.
    pub(super) async fn send_notice(&self, text: &str) {
        self.send(SessionUpdate::AgentMessageChunk(chunk(text, self.message_id()))).await;
    }

    /// Tells the user something beside the conversation, where the client has a place for it, else in it.
    pub(super) async fn notify(&self, severity: NoticeSeverity, text: &str) {
        if self.client.takes_notices {
            self.send(SessionUpdate::Notice(Notice::new(severity, text))).await;
        } else {
            self.send_notice(text).await;
        }
    }

    /// What the user can call with a slash.
    pub(super) async fn send_commands(&self, session: &AgentSession) {
        let commands = commands::available(session);
        self.send(SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands))).await;
    }

    /// The options of a session that was made anew.
    pub(super) async fn send_options(&self, open: &OpenSession) {
        let options = config_options::current(open);
        self.send(SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(options))).await;
    }

    async fn take(&self, event: &SessionEvent) {
        let _turn = self.telling().await;
        for update in self.updates_of(event) {
            self.send(update).await;
        }
        self.note_replaced(event).await;
        if matches!(event, SessionEvent::Agent(AgentEvent::AgentStart))
            && self.stops_runs.load(Ordering::Acquire)
            && let Some(session) = self.session()
        {
            session.request_abort();
        }
    }

    /// What a call of `write` replaces can be read only before it runs.
    async fn note_replaced(&self, event: &SessionEvent) {
        let SessionEvent::Agent(AgentEvent::ToolExecutionStart { tool_call_id: id, tool_name: tool, args, .. }) = event
        else {
            return;
        };
        let file = self.with_calls(|calls| calls.file(&CallView { id, tool, arguments: args }));
        let Some(file) = file.filter(|_| tool == "write") else { return };
        // The client is not bothered about a file that is new.
        if !tokio::fs::try_exists(&file).await.unwrap_or_default() {
            return;
        }
        if let Ok(Present::Text(text)) = timeout(TIME_TO_READ, self.files.read(&file)).await {
            self.with_calls(|calls| calls.replaces(id, text));
        }
    }

    fn session(&self) -> Option<AgentSession> {
        self.session.get()?.upgrade()
    }

    fn updates_of(&self, event: &SessionEvent) -> Vec<SessionUpdate> {
        match event {
            SessionEvent::Agent(event) => self.of_agent(event),
            SessionEvent::SessionInfoChanged { name } => {
                vec![SessionUpdate::SessionInfoUpdate(SessionInfoUpdate::new().title(name.clone()))]
            }
            SessionEvent::ThinkingLevelChanged { .. } | SessionEvent::AgentSettled { .. } => self.changed_options(),
            SessionEvent::LimitReached { limit, message } => {
                lock(&self.state).outcome.limit = Some(*limit);
                vec![SessionUpdate::AgentMessageChunk(chunk(message, self.message_id()))]
            }
            SessionEvent::AutoRetryStart { attempt, max_attempts, error_message, .. } if self.client.takes_notices => {
                let text = format!("Retry {attempt} of {max_attempts}");
                let notice = Notice::new(NoticeSeverity::Warning, text).description(error_message.as_str());
                vec![SessionUpdate::Notice(notice)]
            }
            SessionEvent::ExtensionError(error) if self.client.takes_notices => {
                vec![SessionUpdate::Notice(Notice::new(NoticeSeverity::Error, error.to_string()))]
            }
            SessionEvent::CompactionStart { .. } if self.client.shows_compactions => {
                let id = CompactionId::new(self.ids.uuid());
                lock(&self.state).compaction = Some(id.clone());
                vec![SessionUpdate::CompactionUpdate(CompactionUpdate::new(id, CompactionStatus::InProgress))]
            }
            SessionEvent::CompactionEnd { result, aborted, error_message, .. } => {
                self.end_of_compaction(result.as_ref(), *aborted, error_message.as_deref())
            }
            _ => Vec::new(),
        }
    }

    fn end_of_compaction(
        &self,
        result: Option<&CompactionOutcome>,
        aborted: bool,
        error: Option<&str>,
    ) -> Vec<SessionUpdate> {
        let started = lock(&self.state).compaction.take();
        let update = started.map(|id| match (result, aborted) {
            (Some(result), _) => {
                let summary: Vec<ContentBlock> = vec![result.summary.as_str().into()];
                CompactionUpdate::new(id, CompactionStatus::Completed).summary(summary)
            }
            (None, true) => CompactionUpdate::new(id, CompactionStatus::Cancelled),
            (None, false) => CompactionUpdate::new(id, CompactionStatus::Failed).error(error.unwrap_or_default()),
        });
        update.map(SessionUpdate::CompactionUpdate).into_iter().chain(self.usage()).collect()
    }

    fn of_agent(&self, event: &AgentEvent) -> Vec<SessionUpdate> {
        match event {
            AgentEvent::MessageStart { message } => {
                lock(&self.state).arriving = message.as_assistant().map(|_| Arriving::new(self.message_id()));
                Vec::new()
            }
            AgentEvent::MessageUpdate { event } => self.of_answer(event).into_iter().collect(),
            AgentEvent::MessageEnd { message } => self.end_of_message(message),
            AgentEvent::ToolExecutionStart { tool_call_id, tool_name, args, .. } => {
                let view = CallView { id: tool_call_id, tool: tool_name, arguments: args };
                lock(&self.state).calls.started(&view)
            }
            AgentEvent::ToolExecutionUpdate { tool_call_id, tool_name, args, partial_result, .. } => {
                let view = CallView { id: tool_call_id, tool: tool_name, arguments: args };
                lock(&self.state).calls.progress(&view, partial_result)
            }
            AgentEvent::ToolExecutionEnd { tool_call_id, tool_name, result, is_error, .. } => {
                let details = result.details.as_ref();
                let ended = lock(&self.state).calls.ended(tool_call_id, tool_name, &result.content, details, *is_error);
                ended.into_iter().chain(plan::of_details(details)).collect()
            }
            AgentEvent::AgentStart | AgentEvent::TurnStart => Vec::new(),
            AgentEvent::TurnEnd { .. } | AgentEvent::AgentEnd { .. } => Vec::new(),
        }
    }

    fn of_answer(&self, event: &AssistantMessageEvent) -> Option<SessionUpdate> {
        let mut state = lock(&self.state);
        match event {
            AssistantMessageEvent::TextDelta { delta, .. } if !delta.is_empty() => {
                Some(state.arriving.get_or_insert_with(|| Arriving::new(self.message_id())).text(delta))
            }
            AssistantMessageEvent::ThinkingDelta { delta, .. } if !delta.is_empty() => {
                Some(state.arriving.get_or_insert_with(|| Arriving::new(self.message_id())).thinking(delta))
            }
            AssistantMessageEvent::ToolCallStart { content_index, partial } => {
                let call = partial.with(|message| match message.content.get(*content_index) {
                    Some(pi_ai::ContentBlock::ToolCall(call)) => Some((call.id.clone(), call.name.clone())),
                    _ => None,
                });
                let (id, name) = call?;
                state.arriving.get_or_insert_with(|| Arriving::new(self.message_id())).call(&id);
                state.calls.announced(&id, &name)
            }
            _ => None,
        }
    }

    fn end_of_message(&self, message: &Message) -> Vec<SessionUpdate> {
        if let Message::User(user) = message {
            return self.first_title(&user.content.to_text()).into_iter().collect();
        }
        let Some(answer) = message.as_assistant() else { return Vec::new() };
        let mut state = lock(&self.state);
        state.arriving = None;
        let (reason, error) = (answer.stop_reason.clone(), answer.error_message.clone());
        state.outcome.answer = Some(Ended { reason, error, refused: answer.refused });
        // Calls of an answer that was cut off never run.
        let dead = if answer.stop_reason.is_failure() { state.calls.dead() } else { Vec::new() };
        drop(state);
        dead.into_iter().chain(self.usage()).collect()
    }

    /// A session without a name has its first message as its title, as in lists.
    fn first_title(&self, text: &str) -> Option<SessionUpdate> {
        let had_title = std::mem::replace(&mut lock(&self.state).has_title, true);
        let is_named = had_title || self.session()?.name().get().is_some();
        let title = SessionInfoUpdate::new().title(listing::titled(text));
        (!is_named).then_some(SessionUpdate::SessionInfoUpdate(title))
    }

    /// How full the context is, and what was spent.
    fn usage(&self) -> Option<SessionUpdate> {
        let session = self.session()?;
        let stats = session.stats().current();
        let usage = stats.context_usage?;
        let update = UsageUpdate::new(usage.tokens?, usage.context_window);
        Some(SessionUpdate::UsageUpdate(update.cost(Cost::new(stats.totals.cost, "USD"))))
    }

    /// The options, if they are no longer as the client knows them.
    fn changed_options(&self) -> Vec<SessionUpdate> {
        let Some(session) = self.session() else { return Vec::new() };
        let chosen = config_options::Chosen::of(&session);
        let mut state = lock(&self.state);
        if state.options.as_ref().is_none_or(|known| *known == chosen) {
            return Vec::new();
        }
        state.options = Some(chosen);
        let options = config_options::options(&session, self);
        vec![SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(options))]
    }
}

/// A piece of a message.
pub(super) fn chunk(text: &str, message: MessageId) -> ContentChunk {
    ContentChunk::new(text.into()).message_id(message)
}
