//! From a text to a finished run: expansion, queueing, checks before the run, and what follows it.

use std::sync::Arc;

use futures::future::BoxFuture;
use pi_agent_core::Prompt;
use pi_ai::{ContentBlock, Message, StopReason, UserMessage};
use serde::{Deserialize, Serialize};

use super::activity::{Request, RunClaim, Verdict};
use super::extensions::{Input, expand, injected, start_extensions, take_input};
use super::limits::in_time;
use super::model_switch::check_ready;
use super::settlement::{announce_settled, end_series};
use super::shell::{begin_series, store_held};
use super::{AgentSession, Inner, QueueHandle, QueuedPrompt, auto_compact, effects, retry};
use crate::events::{Error, ExtensionCallError, StreamingBehavior};
use crate::extension::events::InputSource;

/// How a prompt is to be taken.
pub struct PromptOptions {
    /// Images that go with the text.
    pub images: Vec<ContentBlock>,
    /// Whether `/skill:name` and `/template` are expanded.
    pub expand: bool,
    /// What to do while a run is in progress; without it the prompt is refused then.
    pub streaming_behavior: Option<StreamingBehavior>,
    /// Where it came from, for extensions.
    pub source: InputSource,
    /// Called once the prompt was accepted, before the run starts or after it was queued.
    pub on_accepted: Option<Box<OnAccepted>>,
}

/// Told what became of a prompt that was accepted.
pub type OnAccepted = dyn FnOnce(PromptDisposition) -> BoxFuture<'static, ()> + Send;

/// What became of a prompt that was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptDisposition {
    /// A run begins; [`SessionEvent::AgentSettled`](crate::events::SessionEvent::AgentSettled) ends it.
    Started,
    /// It waits for the run that is in progress, or for the next one.
    Queued,
    /// An extension has dealt with it; there is no run for it.
    Handled,
}

impl Default for PromptOptions {
    fn default() -> Self {
        Self {
            images: Vec::new(),
            expand: true,
            streaming_behavior: None,
            source: InputSource::Interactive,
            on_accepted: None,
        }
    }
}

impl std::fmt::Debug for PromptOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PromptOptions")
            .field("expand", &self.expand)
            .field("streaming_behavior", &self.streaming_behavior)
            .finish_non_exhaustive()
    }
}

impl AgentSession {
    /// Sends a prompt and runs until the model is done, retries and compaction included. Failures of the run are
    /// messages, not errors.
    ///
    /// # Errors
    /// When the prompt was not accepted: a run is in progress and no behaviour was given, there is no model, or no
    /// key for it, or the session was closed.
    pub async fn prompt(&self, text: &str, options: PromptOptions) -> Result<(), Error> {
        take_prompt(&self.0, Place::default(), text, options).await
    }
}

/// Where a prompt stands among others.
pub(super) struct Place<'a> {
    /// It goes no further before this is over.
    turn: BoxFuture<'a, ()>,
    /// Told if it has to wait in a queue.
    on_queued: Option<Box<dyn FnOnce(QueuedPrompt) + Send + 'a>>,
}

impl Default for Place<'_> {
    fn default() -> Self {
        Self::after(std::future::ready(()))
    }
}

impl<'a> Place<'a> {
    /// Behind what this waits for.
    pub(super) fn after(turn: impl Future<Output = ()> + Send + 'a) -> Self {
        Self { turn: Box::pin(turn), on_queued: None }
    }
}

impl QueueHandle<'_> {
    /// Queues a message for the next turn, or for the next run.
    ///
    /// # Errors
    /// [`ExtensionCallError::CommandQueued`](crate::ExtensionCallError) when the text calls a command of an extension.
    pub async fn steer(self, text: &str, images: Vec<ContentBlock>) -> Result<(), Error> {
        queue_text(self.0, StreamingBehavior::Steer, text, images).await
    }

    /// Queues a message for when the run would stop.
    ///
    /// # Errors
    /// As [`Self::steer`].
    pub async fn follow_up(self, text: &str, images: Vec<ContentBlock>) -> Result<(), Error> {
        queue_text(self.0, StreamingBehavior::FollowUp, text, images).await
    }
}

/// [`take_prompt`] for those who are no part of the session.
pub(crate) async fn prompt_after(
    session: &AgentSession,
    turn: impl Future<Output = ()> + Send,
    text: &str,
    options: PromptOptions,
) -> Result<(), Error> {
    take_prompt(&session.0, Place::after(turn), text, options).await
}

/// [`AgentSession::prompt`] for those who may take a prompt out of the queue again.
pub(crate) async fn prompt_noting(
    session: &AgentSession,
    on_queued: impl FnOnce(QueuedPrompt) + Send,
    text: &str,
    options: PromptOptions,
) -> Result<(), Error> {
    let place = Place { on_queued: Some(Box::new(on_queued)), ..Place::default() };
    take_prompt(&session.0, place, text, options).await
}

/// [`AgentSession::prompt`]. Extensions see the prompt at once; it goes no further before its turn has come.
pub(super) fn take_prompt<'a>(
    session: &'a Inner,
    place: Place<'a>,
    text: &'a str,
    options: PromptOptions,
) -> BoxFuture<'a, Result<(), Error>> {
    Box::pin(async move {
        session.run.activity().admitted(Request::TakeInput).await?;
        start_extensions(session).await;
        if options.expand && session.extensions.run_command(text).await {
            accept(options.on_accepted, PromptDisposition::Handled).await;
            return Ok(());
        }
        let input = take_input(session, text.to_owned(), options.images, options.source, options.streaming_behavior);
        let Input::Goes { text, images } = input.await else {
            accept(options.on_accepted, PromptDisposition::Handled).await;
            return Ok(());
        };
        place.turn.await;
        let text = if options.expand { expand(session, &text) } else { text };
        if next_for_prompt(session, options.streaming_behavior).await? == Verdict::Queue {
            let behavior = options.streaming_behavior.ok_or(Error::AlreadyProcessing)?;
            let queued = enqueue(session, behavior, &text, images).await;
            if let (Some(queued), Some(note)) = (queued, place.on_queued) {
                note(queued);
            }
            accept(options.on_accepted, PromptDisposition::Queued).await;
            return Ok(());
        }
        session.run.limits().begin()?;
        effects::recover(session)?;
        // Before the response, so that nobody takes the end of an earlier run for that of this one.
        announce_settled(session).await;
        let series = begin_series(session);
        if auto_compact::before_prompt(session).await {
            continue_and_settle(session, session.run.activity().conversation()).await;
        }
        let injected = injected(session, &text, &images).await;
        let prompt = prompt_with(session, text, images, injected);
        accept(options.on_accepted, PromptDisposition::Started).await;
        in_time(session, run_in(session, prompt)).await;
        end_series(session, series).await;
        Ok(())
    })
}

/// Begins a run and goes on until nothing follows from it.
pub(super) async fn run_prompt(session: &Inner, prompt: Prompt) {
    // The calls that are noted are those of a run in progress, or were cut off.
    if !session.run.activity().is_running()
        && let Err(error) = effects::recover(session)
    {
        session.store.warn_of_error(&error);
    }
    announce_settled(session).await;
    if let Err(error) = session.run.limits().begin() {
        return session.store.warn_of_error(&error);
    }
    let series = begin_series(session);
    in_time(session, run_in(session, prompt)).await;
    end_series(session, series).await;
}

async fn run_in(session: &Inner, prompt: Prompt) {
    // It was accepted, so it is not refused any more: it waits for whatever else has started since. When the session
    // was closed before the run began, there is none.
    while let Ok(claim) = session.run.activity().claim_run(Request::BeginRun).await {
        store_held(session);
        // Programs may have started a run of the agent beside the session; then this prompt waits for its end.
        if session.run.agent().prompt(prompt.clone()).await.is_ok() {
            return settle(session, claim).await;
        }
    }
}

/// Goes on after a run as long as a retry, a compaction or a queued message asks for it, and the conversation is still
/// the same.
fn settle<'a>(session: &'a Inner, mut claim: RunClaim<'a>) -> BoxFuture<'a, ()> {
    Box::pin(async move {
        loop {
            let conversation = claim.conversation();
            if !after_run(session, claim).await {
                return;
            }
            match continue_once(session, conversation).await {
                Some(next) => claim = next,
                None => return,
            }
        }
    })
}

async fn continue_and_settle(session: &Inner, conversation: u64) {
    if let Some(claim) = continue_once(session, conversation).await {
        settle(session, claim).await;
    }
}

/// `None` when there is nothing to continue, somebody else is already running, or the conversation is another one.
async fn continue_once(session: &Inner, conversation: u64) -> Option<RunClaim<'_>> {
    let claim = session.run.activity().claim_run(Request::ContinueRun).await.ok()?;
    let goes_on = claim.conversation() == conversation && session.run.agent().continue_run().await.is_ok();
    goes_on.then_some(claim)
}

async fn queue_text(
    session: &Inner,
    behavior: StreamingBehavior,
    text: &str,
    images: Vec<ContentBlock>,
) -> Result<(), Error> {
    if let Some(command) = session.extensions.command_name(text) {
        return Err(ExtensionCallError::CommandQueued { command }.into());
    }
    enqueue(session, behavior, &expand(session, text), images).await;
    Ok(())
}

/// What a run begins with: the user's message, and behind it those of extensions.
fn prompt_with(session: &Inner, text: String, images: Vec<ContentBlock>, injected: Vec<Arc<Message>>) -> Prompt {
    if injected.is_empty() {
        return Prompt::Text { text, images };
    }
    let user = Arc::new(user_message(session, &text, images));
    Prompt::Messages(std::iter::once(user).chain(injected).collect())
}

async fn enqueue(
    session: &Inner,
    behavior: StreamingBehavior,
    text: &str,
    images: Vec<ContentBlock>,
) -> Option<QueuedPrompt> {
    let message = Arc::new(user_message(session, text, images));
    session.listeners.emit(session.run.queue().push(behavior, &message)).await;
    QueuedPrompt::of(&message, behavior)
}

fn user_message(session: &Inner, text: &str, images: Vec<ContentBlock>) -> Message {
    let blocks = std::iter::once(ContentBlock::text(text)).chain(images).collect();
    UserMessage::blocks(blocks, session.store.now_ms()).into()
}

/// Waits until a prompt may start or be queued, and says which of both. Whoever writes during the pause before a retry
/// wants an answer to that, not to the failed call; what went before is told to its end first.
///
/// # Errors
/// When the prompt is refused, and when no model can be called.
async fn next_for_prompt(session: &Inner, behavior: Option<StreamingBehavior>) -> Result<Verdict, Error> {
    let request = behavior.map_or(Request::Prompt, |_| Request::QueueablePrompt);
    loop {
        let answer = session.run.activity().admitted(request).await?;
        if answer == Verdict::Queue {
            return Ok(answer);
        }
        check_ready(session)?;
        session.run.activity().cancel_retry();
        if answer == Verdict::Start {
            return Ok(answer);
        }
        session.run.activity().pause_is_over().await;
    }
}

/// Whether the agent should go on after this run.
async fn after_run(session: &Inner, run: RunClaim<'_>) -> bool {
    let is_left = || session.run.activity().conversation() != run.conversation();
    if is_left() {
        return false;
    }
    let Some(last) = session.store.recorder().take_last_assistant() else { return false };
    if session.run.limits().reached().is_some() {
        return false;
    }
    let Some(assistant) = last.as_assistant() else { return false };
    if retry::prepare(session, &run, assistant).await {
        return true;
    }
    if assistant.stop_reason == StopReason::Error && session.run.retry().attempts() > 0 {
        // Whoever hears of it may send a prompt and wait for its run.
        run.give_up();
        retry::give_up(session, assistant.error_message.clone()).await;
    }
    if is_left() {
        return false;
    }
    auto_compact::after_run(session, assistant).await || session.run.agent().has_queued_messages()
}

async fn accept(callback: Option<Box<OnAccepted>>, disposition: PromptDisposition) {
    if let Some(callback) = callback {
        callback(disposition).await;
    }
}
