//! Messages that extensions put into the conversation.

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::{AgentEvent, Prompt};
use pi_ai::{ContentBlock, Message, UserContent};

use crate::agent_session::activity::{Request, Verdict};
use crate::agent_session::prompting::{Place, run_prompt, take_prompt};
use crate::agent_session::shell::store_message;
use crate::agent_session::{
    CompactionHandle, Inner, PromptOptions, QueueHandle, SessionEvent, StreamingBehavior, lock,
};
use crate::events::Error;
use crate::extension::events::InputSource;
use crate::extension::{CompactedFn, DeliverAs, ExtensionError, HandlerError, SendMessageOptions};
use crate::session::CustomMessageContent;
use crate::session::messages::CustomMessage;

impl QueueHandle<'_> {
    /// Puts a custom message into the conversation, and waits for the run if it starts one.
    ///
    /// While a run is in progress the message is queued, by default for the next turn. Else it begins a run, if that is
    /// asked for, or becomes part of the conversation at once. The model reads it as a message of the user.
    ///
    /// # Errors
    /// [`Error::SessionClosed`].
    pub async fn send_custom_message(
        self,
        message: CustomMessageContent,
        options: SendMessageOptions,
    ) -> Result<(), Error> {
        if let Some(message) = place(self.0, message, options).await? {
            run_prompt(self.0, Prompt::Messages(vec![message])).await;
        }
        Ok(())
    }

    /// The same, but a run that it starts is not waited for.
    pub(crate) async fn send_custom_message_in_background(
        self,
        message: CustomMessageContent,
        options: SendMessageOptions,
    ) -> Result<(), Error> {
        if let Some(message) = place(self.0, message, options).await? {
            let session = Arc::clone(self.0);
            spawn(self.0, async move { run_prompt(&session, Prompt::Messages(vec![message])).await });
        }
        Ok(())
    }

    /// Sends a prompt in the user's name and waits for its run. Commands, skills and templates are not expanded.
    ///
    /// # Errors
    /// Those of [`AgentSession::prompt`](crate::agent_session::AgentSession::prompt).
    pub async fn send_user_message(
        self,
        content: UserContent,
        deliver_as: Option<StreamingBehavior>,
    ) -> Result<(), Error> {
        let (text, options) = user_message(content, deliver_as);
        take_prompt(self.0, Place::default(), &text, options).await
    }

    /// What only has to wait in a queue waits there at once, or the run waits for it: a message that a handler of the
    /// run's end sends is part of what the run's end finds, and begins no run of its own. Messages said one after the
    /// other arrive so, whichever the handlers of `input` are done with first.
    pub(crate) fn send_user_message_in_background(self, content: UserContent, deliver_as: Option<StreamingBehavior>) {
        let session = Arc::clone(self.0);
        let runtime = Arc::clone(self.0.extensions.runner().runtime());
        let placing = self.0.extensions.placings.begin(self.0.run.activity().is_running());
        let turn = placing.turn(runtime.dialogs());
        spawn(self.0, async move {
            let (text, mut options) = user_message(content, deliver_as);
            options.on_accepted = Some(Box::new(move |_| {
                drop(placing);
                std::future::ready(()).boxed()
            }));
            if let Err(error) = take_prompt(&session, Place::after(turn), &text, options).await {
                runtime.report(ExtensionError::new("<runtime>", "send_user_message", &HandlerError::from(error))).await;
            }
        });
    }
}

impl CompactionHandle<'_> {
    /// Compacts without being waited for.
    pub(crate) fn run_in_background(self, custom_instructions: Option<String>, on_done: Option<Box<CompactedFn>>) {
        let session = Arc::clone(self.0);
        spawn(self.0, async move {
            let outcome = CompactionHandle(&session).run(custom_instructions.as_deref()).await;
            if let Some(on_done) = on_done {
                on_done(outcome).await;
            }
        });
    }
}

/// Work that belongs to this conversation: when it is exchanged for another one before the work begins, there is
/// none. It begins at once, as far as it need not wait: whoever asks next whether a run or a compaction goes on hears
/// that it does.
pub(super) fn spawn(session: &Arc<Inner>, work: impl Future<Output = ()> + Send + 'static) {
    let (owner, conversation) = (Arc::clone(session), session.run.activity().conversation());
    let work = async move {
        let admitted = owner.run.activity().admitted(Request::Background).await;
        if admitted.is_ok() && owner.run.activity().conversation() == conversation {
            drop(owner);
            work.await;
        }
    };
    let mut work = session.extensions.background.track_future(work).boxed();
    if (&mut work).now_or_never().is_none() {
        tokio::spawn(work);
    }
}

/// Puts a message where it is to go; returns it if it is to begin a run.
///
/// # Errors
/// [`Error::SessionClosed`].
async fn place(
    session: &Inner,
    message: CustomMessageContent,
    options: SendMessageOptions,
) -> Result<Option<Arc<Message>>, Error> {
    let answer = session.run.activity().admitted(Request::CustomMessage).await?;
    let message: Arc<Message> = Arc::new(CustomMessage::injected(message, session.store.now_ms()).into());
    match options.deliver_as {
        Some(DeliverAs::NextTurn) => lock(&session.extensions.next_turn).push(message),
        Some(DeliverAs::FollowUp) if answer == Verdict::Queue => {
            session.run.agent().follow_up(Arc::unwrap_or_clone(message));
        }
        _ if answer == Verdict::Queue => session.run.agent().steer(Arc::unwrap_or_clone(message)),
        _ if options.trigger_turn => return Ok(Some(message)),
        _ => emit_message(session, message).await,
    }
    Ok(None)
}

/// Makes a message part of the conversation without a run. Extensions hear nothing of it.
async fn emit_message(session: &Inner, message: Arc<Message>) {
    store_message(session, Arc::clone(&message));
    let events = [AgentEvent::MessageStart { message: Arc::clone(&message) }, AgentEvent::MessageEnd { message }];
    for event in events {
        session.listeners.emit(SessionEvent::Agent(event)).await;
    }
}

/// The prompt that a message of an extension in the user's name is.
fn user_message(content: UserContent, deliver_as: Option<StreamingBehavior>) -> (String, PromptOptions) {
    let (text, images) = parts(content);
    let options = PromptOptions {
        images,
        expand: false,
        streaming_behavior: deliver_as,
        source: InputSource::Extension,
        ..PromptOptions::default()
    };
    (text, options)
}

/// Texts, joined by line ends, and images.
fn parts(content: UserContent) -> (String, Vec<ContentBlock>) {
    match content {
        UserContent::Text(text) => (text, Vec::new()),
        UserContent::Blocks(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(ContentBlock::as_text).collect();
            let text = texts.join("\n");
            (text, blocks.into_iter().filter(|block| block.as_text().is_none()).collect())
        }
    }
}
