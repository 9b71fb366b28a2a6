//! Runs commands. They are not queued: each starts as its line arrives, and a response comes when its command is done.

use futures::StreamExt;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::command::{Command, Request};
use super::extensions::ExtensionLink;
use super::response::{Address, Named};
use super::state::State;
use super::{models, sessions};
use crate::agent_session::{AgentSession, PromptOptions};
use crate::extension::events::InputSource;
use crate::modes::Output;

/// Serves commands until the lines end, then fires `input_ended` and goes on with what is still running: runs live in
/// their commands' futures, and a run that is aborted has to be polled to its end.
pub async fn serve(
    session: &AgentSession,
    output: &Output,
    link: &ExtensionLink,
    mut lines: mpsc::Receiver<Vec<u8>>,
    input_ended: &CancellationToken,
) {
    let answer = |line| answer(session.clone(), output.clone(), link.clone(), line);
    let mut running: FuturesUnordered<_> = link.begin(session, &mut lines).await.into_iter().map(answer).collect();
    loop {
        tokio::select! {
            line = lines.recv() => match line {
                Some(line) => running.push(answer(line)),
                None => break,
            },
            Some(()) = running.next() => {}
        }
    }
    // Nobody can answer the open questions any more.
    link.hang_up();
    // What can be answered without waiting is answered, also when the input ended right behind it.
    while let Some(Some(())) = running.next().now_or_never() {}
    input_ended.cancel();
    while let Some(()) = running.next().await {}
}

async fn answer(session: AgentSession, output: Output, link: ExtensionLink, line: Vec<u8>) {
    let request = Request::parse(&line);
    let address = Address { id: request.id, command: request.name };
    let response = match request.command {
        Ok(command) => run(&session, &output, &link, command, &address).await,
        Err(error) => Some(address.failure(&error)),
    };
    if let Some(response) = response {
        output.write(response).await;
        link.answered();
    }
}

/// Runs a command. `None` when it has been answered already, or has no answer.
async fn run(
    session: &AgentSession,
    output: &Output,
    link: &ExtensionLink,
    command: Command,
    address: &Address,
) -> Option<Vec<u8>> {
    match command {
        Command::Prompt { message, images, streaming_behavior } => {
            let on_accepted = Some(accepted(output.clone(), link.clone(), address.clone()));
            let source = InputSource::Rpc;
            let options = PromptOptions { images, streaming_behavior, source, on_accepted, ..PromptOptions::default() };
            session.prompt(&message, options).await.err().map(|refused| address.failure(&refused.to_string()))
        }
        Command::Steer { message, images } => Some(address.done(session.steer(&message, images).await)),
        Command::FollowUp { message, images } => Some(address.done(session.follow_up(&message, images).await)),
        Command::NewSession { parent_session } => {
            let begun = session.new_session(parent_session).await;
            Some(address.outcome(begun.map(|begun| sessions::went(&begun))))
        }
        Command::Abort {} => {
            session.abort().await;
            Some(address.success())
        }
        Command::ClearQueue {} => Some(address.data(session.clear_queue().await)),
        Command::GetState {} => Some(address.data(State::of(session))),
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
        Command::GetForkMessages {} => {
            Some(address.outcome(session.user_messages_for_forking().map(|messages| Named::new("messages", messages))))
        }
        Command::ExportHtml { output_path } => {
            let written = session.export_html(output_path.as_deref()).await;
            Some(address.outcome(written.map(|path| Named::new("path", path))))
        }
        Command::ExtensionUiResponse(reply) => {
            link.reply(address.id.as_ref(), reply);
            None
        }
        Command::Session(command) => Some(sessions::run(session, command, address).await),
    }
}

fn last_assistant_text(session: &AgentSession, address: &Address) -> Vec<u8> {
    match session.last_assistant_text() {
        Some(text) => address.data(Named::new("text", text)),
        None => address.data(serde_json::Map::new()),
    }
}

fn accepted(
    output: Output,
    link: ExtensionLink,
    address: Address,
) -> Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send> {
    let tell = async move {
        output.write(address.success()).await;
        link.answered();
    };
    Box::new(|| tell.boxed())
}
