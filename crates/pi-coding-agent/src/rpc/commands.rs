//! What each command does. Which of them run, and when, is `server.rs`.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use tokio::sync::Mutex;

use super::command::{Command, Request};
use super::event_json::EventDetailSwitch;
use super::extensions::ExtensionLink;
use super::response::{Address, Named};
use super::state::RpcState;
use super::{models, sessions};
use crate::agent_session::{AgentSession, PromptOptions};
use crate::extension::events::InputSource;
use crate::modes::Output;

/// What the commands of a client work with. Clones are the same.
#[derive(Debug, Clone)]
pub struct Service {
    session: AgentSession,
    output: Output,
    detail: EventDetailSwitch,
    link: ExtensionLink,
    /// Held by whoever makes a long answer off the runtime, so that there is one such answer at a time.
    long_answer: Arc<Mutex<()>>,
}

impl Service {
    /// Commands to this session are answered on this output; the switch is that of whoever prints the events.
    pub fn new(session: AgentSession, output: Output, detail: EventDetailSwitch) -> Self {
        let link = ExtensionLink::new(output.clone(), session.with_manager(|manager| manager.host().ids));
        Self { session, output, detail, link, long_answer: Arc::default() }
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
        match command {
            Command::Prompt { message, images, streaming_behavior } => {
                let options =
                    PromptOptions { images, streaming_behavior, source: InputSource::Rpc, ..PromptOptions::default() };
                self.prompt(&message, options, address).await
            }
            Command::Steer { message, images } => Some(address.done(session.steer(&message, images).await)),
            Command::FollowUp { message, images } => Some(address.done(session.follow_up(&message, images).await)),
            Command::NewSession { parent_session } => {
                let begun = session.new_session(parent_session).await;
                Some(address.outcome(begun.map(|begun| sessions::went(&begun))))
            }
            Command::Abort {} => {
                // What is left to tell of the run is little, and must not wait for a client that does not read.
                self.output.hurried(session.abort()).await;
                Some(address.success())
            }
            Command::ClearQueue {} => Some(address.data(session.clear_queue().await)),
            Command::GetState {} => Some(address.data(RpcState::of(session).await)),
            Command::GetMessages {} => Some(address.data(Named::new("messages", session.messages()))),
            Command::GetLastAssistantText {} => Some(last_assistant_text(session, address)),
            Command::GetSessionStats {} => Some(address.data(session.stats())),
            Command::SetModel { provider, model_id } => Some(models::set(session, &provider, &model_id, address).await),
            Command::CycleModel { direction } => Some(address.data(session.cycle_model(direction).await)),
            Command::GetAvailableModels {} => Some(address.data(Named::new("models", session.models().available()))),
            Command::SetThinkingLevel { level } => Some(models::set_level(session, &level, address).await),
            Command::CycleThinkingLevel {} => Some(models::cycle_level(session, address).await),
            Command::GetAvailableThinkingLevels {} => {
                Some(address.data(Named::new("levels", session.available_thinking_levels())))
            }
            Command::SetSteeringMode { mode } => Some(address.after(|| session.set_steering_mode(mode))),
            Command::SetFollowUpMode { mode } => Some(address.after(|| session.set_follow_up_mode(mode))),
            Command::Compact { custom_instructions } => {
                Some(address.outcome(session.compact(custom_instructions.as_deref()).await))
            }
            Command::SetAutoCompaction { enabled } => Some(address.after(|| session.set_auto_compaction(enabled))),
            Command::SetAutoRetry { enabled } => Some(address.after(|| session.set_auto_retry(enabled))),
            Command::AbortRetry {} => Some(address.after(|| session.abort_retry())),
            Command::GetCommands {} => Some(address.data(Named::new("commands", session.commands()))),
            Command::GetForkMessages {} => self.fork_messages(address).await,
            Command::ExportHtml { output_path } => {
                let written = session.export_html(output_path.as_deref()).await;
                Some(address.outcome(written.map(|path| Named::new("path", path))))
            }
            // Taken when it arrived.
            Command::ExtensionUiResponse(_) => None,
            Command::SetEventDetail { partial } => Some(address.after(|| self.detail.set(partial))),
            // What follows from it is the server's affair.
            Command::Shutdown { .. } => Some(address.success()),
            Command::Session(command) => Some(sessions::run(session, command, address).await),
        }
    }
}

impl Service {
    /// Answered when the prompt was accepted, not when its run is over.
    async fn prompt(&self, message: &str, options: PromptOptions, address: &Address) -> Option<Vec<u8>> {
        let on_accepted = Some(accepted(self.clone(), address.clone()));
        let refused = self.session.prompt(message, PromptOptions { on_accepted, ..options }).await.err()?;
        Some(address.failure(&refused.to_string()))
    }

    /// The next such answer is made when this one has found room.
    async fn fork_messages(&self, address: &Address) -> Option<Vec<u8>> {
        let _turn = self.long_answer.lock().await;
        let messages = self.session.user_messages_for_forking().await;
        self.respond(address.outcome(messages.map(|messages| Named::new("messages", messages)))).await;
        None
    }
}

fn last_assistant_text(session: &AgentSession, address: &Address) -> Vec<u8> {
    match session.last_assistant_text() {
        Some(text) => address.data(Named::new("text", text)),
        None => address.data(serde_json::Map::new()),
    }
}

fn accepted(service: Service, address: Address) -> Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send> {
    Box::new(move || async move { service.respond(address.success()).await }.boxed())
}
