//! What each command does. Which of them run, and when, is `server.rs`.

use std::sync::Arc;

use futures::future::FutureExt;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::command::{Command, Request};
use super::extensions::ExtensionLink;
use super::intake::{Intake, Turn};
use super::output::Output;
use super::response::{Address, Named};
use super::state::RpcState;
use super::{entries, models, sessions};
use crate::agent_session::{
    AgentSession, Error, OnAccepted, PieceListener, PromptDisposition, PromptOptions, abort_and_settle, prompt_after,
};
use crate::extension::ExtensionUi;
use crate::extension::events::InputSource;
use crate::wire::{EventDetailSwitch, ProtocolLevel, put};

/// What the commands of a client work with. Clones are the same.
#[derive(Debug, Clone)]
pub struct Service {
    session: AgentSession,
    output: Output,
    detail: EventDetailSwitch,
    level: ProtocolLevel,
    link: ExtensionLink,
    intake: Intake,
    /// Told of each message before it is taken.
    messages: MessageWatcher,
    /// Held by whoever makes a long answer off the runtime, so that there is one such answer at a time.
    long_answer: Arc<Mutex<()>>,
}

/// Is told of a message.
type OnMessage = dyn Fn(&str) + Send + Sync;

/// Who is told of the client's messages, where somebody is.
#[derive(Clone)]
struct MessageWatcher(Option<Arc<OnMessage>>);

impl MessageWatcher {
    fn tell(&self, message: &str) {
        if let Some(tell) = &self.0 {
            tell(message);
        }
    }
}

impl std::fmt::Debug for MessageWatcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("MessageWatcher").field(&self.0.is_some()).finish()
    }
}

impl Service {
    /// Commands to this session are answered on this output; the switch is that of whoever prints the events.
    pub fn new(session: AgentSession, output: Output, detail: EventDetailSwitch) -> Self {
        let link = ExtensionLink::new(output.clone(), session.store().read(|manager| manager.host().ids));
        let (level, intake) = (ProtocolLevel::default(), Intake::default());
        let messages = MessageWatcher(None);
        Self { session, output, detail, level, link, intake, messages, long_answer: Arc::default() }
    }

    /// Answers as this level of the protocol does.
    #[must_use]
    pub fn with_level(self, level: ProtocolLevel) -> Self {
        Self { level, ..self }
    }

    /// Serves one of several clients of the session: somebody else binds the extensions, fires `begun` when they have begun,
    /// and asks each client by what is returned here. `on_message` is told of each message of the client before the session
    /// has it.
    #[must_use]
    pub fn joining(
        self,
        begun: CancellationToken,
        on_message: impl Fn(&str) + Send + Sync + 'static,
    ) -> (Self, Arc<dyn ExtensionUi>) {
        let (link, ui) = self.link.joining(begun);
        (Self { link, messages: MessageWatcher(Some(Arc::new(on_message))), ..self }, ui)
    }

    /// What arrived and has not been taken.
    pub fn intake(&self) -> &Intake {
        &self.intake
    }

    pub(super) fn session(&self) -> &AgentSession {
        &self.session
    }

    pub(super) fn output(&self) -> &Output {
        &self.output
    }

    /// What the session's extensions want of the client and of the program.
    pub fn link(&self) -> &ExtensionLink {
        &self.link
    }

    /// Runs a command and writes its response.
    pub(super) async fn answer(self, request: Request) {
        let address = Address { id: request.id, command: request.name };
        let response = match request.command {
            Ok(command) => self.run(command, &address).await,
            Err(error) => Some(address.failure(&error)),
        };
        if let Some(response) = response {
            self.respond(response).await;
        }
    }

    async fn respond(&self, response: Vec<u8>) {
        self.output.write(response).await;
        self.link.answered();
    }

    /// Runs a command. `None` when it has been answered already, or has no answer.
    async fn run(&self, command: Command, address: &Address) -> Option<Vec<u8>> {
        let session = &self.session;
        let queue = session.queue();
        let response = match command {
            Command::Prompt { message, images, streaming_behavior } => {
                let options = PromptOptions { images, streaming_behavior, ..PromptOptions::default() };
                return self.prompt(&message, options, address).await;
            }
            Command::Steer { message, images } => self.queue(&message, queue.steer(&message, images), address).await,
            Command::FollowUp { message, images } => {
                self.queue(&message, queue.follow_up(&message, images), address).await
            }
            Command::Abort {} => self.abort(address).await,
            Command::ClearQueue {} => address.data(queue.clear().await),
            Command::NewSession { parent_session } => sessions::begin(session, parent_session, address).await,
            Command::GetState {} => address.data(RpcState::of(session).await),
            Command::GetMessages {} => address.data(Named::new("messages", session.messages())),
            Command::GetLastAssistantText {} => last_assistant_text(session, address),
            Command::GetSessionStats {} => address.data(session.stats().current()),
            Command::SetModel { provider, model_id } => models::set(session, &provider, &model_id, address).await,
            Command::CycleModel { direction } => address.data(session.models().cycle(direction).await),
            Command::GetAvailableModels {} => models::available(session, address),
            Command::SetThinkingLevel { level } => models::set_level(session, &level, address).await,
            Command::CycleThinkingLevel {} => models::cycle_level(session, address).await,
            Command::GetAvailableThinkingLevels {} => models::levels(session, address),
            Command::SetSteeringMode { mode } => address.after(|| queue.set_steering_mode(mode)),
            Command::SetFollowUpMode { mode } => address.after(|| queue.set_follow_up_mode(mode)),
            Command::Compact { custom_instructions } => {
                address.outcome(session.compaction().run(custom_instructions.as_deref()).await)
            }
            Command::SetAutoCompaction { enabled } => address.after(|| session.compaction().set_auto(enabled)),
            Command::SetAutoRetry { enabled } => address.after(|| session.retry().set_auto(enabled)),
            Command::AbortRetry {} => address.after(|| session.retry().abort()),
            Command::GetCommands {} => address.data(Named::new("commands", session.extensions().slash_commands())),
            Command::GetMcpStatus {} => address.data(mcp_status(session)),
            Command::ExportHtml { output_path } => sessions::export(session, output_path.as_deref(), address).await,
            Command::Bash { command, exclude_from_context } => {
                sessions::bash(session, &command, exclude_from_context, self.on_piece(address), address).await
            }
            Command::AbortBash {} => address.after(|| session.shell().abort()),
            Command::SetSessionName { name } => sessions::rename(session, &name, address).await,
            Command::SwitchSession { session_path, missing_cwd } => {
                sessions::switch(session, &session_path, missing_cwd, address).await
            }
            Command::Fork { entry_id } => sessions::fork(session, &entry_id, address).await,
            Command::Clone {} => sessions::clone(session, address).await,
            Command::GetForkMessages {} => return self.fork_messages(address).await,
            Command::GetEntries { since } => return self.long(entries::list(session, since), address).await,
            Command::GetTree {} => return self.long(entries::tree(session), address).await,
            Command::SetEventDetail { partial } => address.after(|| self.detail.set(partial)),
            // What follows from it is the server's affair.
            Command::Shutdown { .. } => address.success(),
            // Taken when it arrived.
            Command::ExtensionUiResponse { .. } => return None,
        };
        Some(response)
    }
}

impl Service {
    async fn abort(&self, address: &Address) -> Vec<u8> {
        // What is left to tell of the run is little, and must not wait for a client that does not read.
        self.output.hurried(abort_and_settle(&self.session)).await;
        address.success()
    }

    /// Answered when the prompt was accepted, not when its run is over.
    async fn prompt(&self, message: &str, options: PromptOptions, address: &Address) -> Option<Vec<u8>> {
        self.messages.tell(message);
        // A command of an extension has no place among messages: it starts at once and may take long.
        let is_command = self.session.extensions().have_command_in(message);
        let turn = (!is_command).then(|| Arc::new(self.intake.arrive()));
        let on_accepted = Some(accepted(self.clone(), address.clone(), turn.clone()));
        let come = async move {
            if let Some(turn) = turn {
                turn.come().await;
            }
        };
        let options = PromptOptions { on_accepted, source: InputSource::Rpc, ..options };
        let refused = prompt_after(&self.session, come, message, options).await.err()?;
        Some(address.failure(&refused.to_string()))
    }

    /// Queues a message when its turn has come.
    async fn queue(&self, message: &str, queue: impl Future<Output = Result<(), Error>>, address: &Address) -> Vec<u8> {
        self.messages.tell(message);
        let turn = self.intake.arrive();
        turn.come().await;
        match queue.await {
            Ok(()) => self.taken(PromptDisposition::Queued, address),
            Err(error) => address.failure(&error.to_string()),
        }
    }

    /// The response to a message that was taken.
    fn taken(&self, disposition: PromptDisposition, address: &Address) -> Vec<u8> {
        if self.level.is_current() { address.data(Named::new("disposition", disposition)) } else { address.success() }
    }

    /// Writes the output of a shell command as it comes.
    fn on_piece(&self, address: &Address) -> Option<Arc<PieceListener>> {
        if !self.level.is_current() {
            return None;
        }
        let (output, id) = (self.output.clone(), address.id.clone());
        Some(Arc::new(move |piece: String| {
            let (output, line) = (output.clone(), bash_update(id.as_ref(), &piece));
            async move { output.write_event(line).await }.boxed()
        }))
    }

    /// Makes a long answer and writes it. The next one is made when it has found room.
    async fn long(&self, make: impl Future<Output = Result<Vec<u8>, String>>, address: &Address) -> Option<Vec<u8>> {
        let _turn = self.long_answer.lock().await;
        self.respond(address.raw(make.await)).await;
        None
    }

    /// The next such answer is made when this one has found room.
    async fn fork_messages(&self, address: &Address) -> Option<Vec<u8>> {
        let _turn = self.long_answer.lock().await;
        let messages = self.session.tree().fork_messages().await;
        self.respond(address.outcome(messages.map(|messages| Named::new("messages", messages)))).await;
        None
    }
}

/// Without an extension that knows servers there are none.
fn mcp_status(session: &AgentSession) -> Value {
    session.extensions().runner().mcp_status().unwrap_or_else(|| json!({"servers": [], "problems": []}))
}

fn last_assistant_text(session: &AgentSession, address: &Address) -> Vec<u8> {
    match session.last_assistant_text() {
        Some(text) => address.data(Named::new("text", text)),
        None => address.data(serde_json::Map::new()),
    }
}

/// Answers a prompt that was accepted; the next message may be taken then.
fn accepted(service: Service, address: Address, turn: Option<Arc<Turn>>) -> Box<OnAccepted> {
    Box::new(move |disposition| {
        async move {
            let _turn = turn;
            service.respond(service.taken(disposition, &address)).await;
        }
        .boxed()
    })
}

/// The line of a piece of a shell command's output.
fn bash_update(id: Option<&Value>, delta: &str) -> Vec<u8> {
    #[derive(Serialize)]
    struct Update<'a> {
        r#type: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a Value>,
        delta: &'a str,
    }
    let mut line = Vec::new();
    put(&mut line, &Update { r#type: "bash_execution_update", id, delta });
    line.push(b'\n');
    line
}
