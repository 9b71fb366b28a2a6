//! What the user said, on its way to the agent: commands, `input`, `before_agent_start`.

use std::ops::ControlFlow;
use std::sync::Arc;

use pi_ai::{ContentBlock, Message};

use super::{Extensions, ExtensionsHandle};
use crate::agent_session::{Inner, StreamingBehavior};
use crate::extension::ExtensionRunner;
use crate::extension::events::{BeforeAgentStartEvent, InputEvent, InputOutcome, InputSource};
use crate::session::messages::CustomMessage;

/// What became of what the user said.
pub(in crate::agent_session) enum Input {
    /// It goes on.
    Goes {
        /// The text.
        text: String,
        /// Images that go with it.
        images: Vec<ContentBlock>,
    },
    /// An extension has dealt with it.
    Handled,
}

impl ExtensionsHandle<'_> {
    /// Whether the text calls a command of an extension.
    pub(crate) fn have_command_in(self, text: &str) -> bool {
        self.0.extensions.command_name(text).is_some()
    }
}

impl Extensions {
    /// Runs the command of an extension if the text calls one.
    pub(in crate::agent_session) async fn run_command(&self, text: &str) -> bool {
        let runner = self.runner();
        let Some((command, arguments)) = runner.command_in(text) else { return false };
        runner.run_command(&command, arguments).await;
        true
    }

    /// The command of an extension that the text calls.
    pub(in crate::agent_session) fn command_name(&self, text: &str) -> Option<String> {
        let runner = self.runner();
        runner.command_in(text).map(|(command, _)| command.invocation_name)
    }
}

/// Takes what the user said through the extensions.
pub(in crate::agent_session) async fn take_input(
    session: &Inner,
    text: String,
    images: Vec<ContentBlock>,
    source: InputSource,
    behavior: Option<StreamingBehavior>,
) -> Input {
    let runner = session.extensions.runner();
    if !runner.listens::<InputEvent>() {
        return Input::Goes { text, images };
    }
    let streaming_behavior = behavior.filter(|_| session.run.activity().is_running());
    let mut handled = false;
    let event = runner.fold(InputEvent { text, images, source, streaming_behavior }, None, |event, outcome| {
        match outcome {
            InputOutcome::Continue => {}
            InputOutcome::Transform { text, images } => {
                event.text = text;
                event.images = images.unwrap_or_else(|| std::mem::take(&mut event.images));
            }
            InputOutcome::Handled => {
                handled = true;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    let event = event.await;
    if handled { Input::Handled } else { Input::Goes { text: event.text, images: event.images } }
}

/// Messages that follow the user's, and the system prompt of the run. The agent gets the prompt at once.
///
/// A prompt for which the session has gone elsewhere meanwhile belongs to the new place: what the extensions of the
/// old one said is dropped, and those of the new one are asked.
pub(in crate::agent_session) async fn injected(
    session: &Inner,
    prompt: &str,
    images: &[ContentBlock],
) -> Vec<Arc<Message>> {
    let mut conversation = session.run.activity().conversation();
    // Taken first: what a handler sends now for the next prompt waits for that.
    let mut messages = session.extensions.take_next_turn();
    loop {
        let runner = session.extensions.runner();
        let said = before_agent_start(session, &runner, prompt, images).await;
        session.run.activity().exchange_is_over().await;
        if Arc::ptr_eq(&runner, &session.extensions.runner()) {
            messages.extend(said);
            return messages;
        }
        // A reload leaves the conversation as it is.
        if std::mem::replace(&mut conversation, session.run.activity().conversation())
            != session.run.activity().conversation()
        {
            messages = session.extensions.take_next_turn();
        }
    }
}

async fn before_agent_start(
    session: &Inner,
    runner: &ExtensionRunner,
    prompt: &str,
    images: &[ContentBlock],
) -> Vec<Arc<Message>> {
    let mut messages = Vec::new();
    let base = Arc::clone(&session.place.workspace().system_prompt);
    if !runner.listens::<BeforeAgentStartEvent>() {
        if !session.extensions.is_none() {
            session.run.agent().set_system_prompt(base);
        }
        return messages;
    }
    session.run.agent().set_system_prompt(Arc::clone(&base));
    let event = BeforeAgentStartEvent {
        prompt: prompt.to_owned(),
        images: images.to_vec(),
        system_prompt: base,
        system_prompt_options: session.place.system_prompt_options(),
    };
    let event = runner.fold(event, None, |event, outcome| {
        if let Some(message) = outcome.message {
            messages.push(Arc::new(CustomMessage::injected(message, session.store.now_ms()).into()));
        }
        if let Some(prompt) = outcome.system_prompt.filter(|prompt| !prompt.is_empty()) {
            event.system_prompt = prompt.into();
            // Handlers may ask the session for it.
            session.run.agent().set_system_prompt(Arc::clone(&event.system_prompt));
        }
        ControlFlow::Continue(())
    });
    event.await;
    messages
}

/// What the user typed with skill commands and templates expanded; as it is when that fails.
pub(in crate::agent_session) fn expand(session: &Inner, text: &str) -> String {
    let resources = session.place.resources();
    resources.expand(text).unwrap_or_else(|error| {
        session.store.warn_of_error(&error);
        text.to_owned()
    })
}
