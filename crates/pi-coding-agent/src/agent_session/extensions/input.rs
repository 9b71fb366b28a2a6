//! What the user said, on its way to the agent: commands, `input`, `before_agent_start`.

use std::ops::ControlFlow;
use std::sync::Arc;

use pi_ai::{ContentBlock, Message};

use super::ExtensionsHandle;
use crate::agent_session::{Inner, StreamingBehavior, lock};
use crate::extension::ExtensionRunner;
use crate::extension::events::{BeforeAgentStartEvent, InputEvent, InputOutcome, InputSource, SystemPromptOptions};
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
        self.0.extension_command_name(text).is_some()
    }
}

impl Inner {
    /// Runs the command of an extension if the text calls one.
    pub(in crate::agent_session) async fn run_extension_command(&self, text: &str) -> bool {
        let runner = self.extensions.runner();
        let Some((command, arguments)) = runner.command_in(text) else { return false };
        runner.run_command(&command, arguments).await;
        true
    }

    /// The command of an extension that the text calls.
    pub(in crate::agent_session) fn extension_command_name(&self, text: &str) -> Option<String> {
        let runner = self.extensions.runner();
        runner.command_in(text).map(|(command, _)| command.invocation_name)
    }

    /// Takes what the user said through the extensions.
    pub(in crate::agent_session) async fn take_input(
        &self,
        text: String,
        images: Vec<ContentBlock>,
        source: InputSource,
        behavior: Option<StreamingBehavior>,
    ) -> Input {
        let runner = self.extensions.runner();
        if !runner.listens::<InputEvent>() {
            return Input::Goes { text, images };
        }
        let streaming_behavior = behavior.filter(|_| self.activity.is_running());
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
    pub(in crate::agent_session) async fn injected(&self, prompt: &str, images: &[ContentBlock]) -> Vec<Arc<Message>> {
        let mut conversation = self.activity.conversation();
        // Taken first: what a handler sends now for the next prompt waits for that.
        let mut messages = self.extensions.take_next_turn();
        loop {
            let runner = self.extensions.runner();
            let said = self.before_agent_start(&runner, prompt, images).await;
            self.activity.exchange_is_over().await;
            if Arc::ptr_eq(&runner, &self.extensions.runner()) {
                messages.extend(said);
                return messages;
            }
            // A reload leaves the conversation as it is.
            if std::mem::replace(&mut conversation, self.activity.conversation()) != self.activity.conversation() {
                messages = self.extensions.take_next_turn();
            }
        }
    }

    async fn before_agent_start(
        &self,
        runner: &ExtensionRunner,
        prompt: &str,
        images: &[ContentBlock],
    ) -> Vec<Arc<Message>> {
        let mut messages = Vec::new();
        let base = Arc::clone(&lock(&self.workspace).system_prompt);
        if !runner.listens::<BeforeAgentStartEvent>() {
            if !self.extensions.is_none() {
                self.agent.set_system_prompt(base);
            }
            return messages;
        }
        self.agent.set_system_prompt(Arc::clone(&base));
        let event = BeforeAgentStartEvent {
            prompt: prompt.to_owned(),
            images: images.to_vec(),
            system_prompt: base,
            system_prompt_options: self.system_prompt_options(),
        };
        let event = runner.fold(event, None, |event, outcome| {
            if let Some(message) = outcome.message {
                messages.push(Arc::new(CustomMessage::injected(message, self.clock.now_ms()).into()));
            }
            if let Some(prompt) = outcome.system_prompt.filter(|prompt| !prompt.is_empty()) {
                event.system_prompt = prompt.into();
                // Handlers may ask the session for it.
                self.agent.set_system_prompt(Arc::clone(&event.system_prompt));
            }
            ControlFlow::Continue(())
        });
        event.await;
        messages
    }

    /// What the usual system prompt is made of.
    pub(in crate::agent_session) fn system_prompt_options(&self) -> Arc<SystemPromptOptions> {
        let workspace = lock(&self.workspace);
        let resources = &workspace.resources;
        let files = resources.prompt_files();
        Arc::new(SystemPromptOptions {
            cwd: resources.places().cwd.clone(),
            custom_prompt: files.custom.clone(),
            append_system_prompt: files.append.clone(),
            tools: workspace.toolbox.active_prompts(),
            context_files: resources.context_files().items.clone(),
            skills: resources.skills().items.clone(),
        })
    }
}
