//! The prompts that the command line asked for, sent one after the other.

use pi_ai::ContentBlock;

use crate::agent_session::{AgentSession, PromptOptions};
use crate::error::Error;

/// Prompts in order; images belong to the first.
#[derive(Debug, Default)]
pub struct InitialPrompts {
    /// Texts.
    pub texts: Vec<String>,
    /// Images attached to the first text.
    pub images: Vec<ContentBlock>,
}

impl InitialPrompts {
    /// Sends them all, waiting for each.
    ///
    /// # Errors
    /// The first prompt that was not accepted.
    pub(crate) async fn send(self, session: &AgentSession) -> Result<(), Error> {
        let mut images = self.images;
        for text in self.texts {
            let images = std::mem::take(&mut images);
            session.prompt(&text, PromptOptions { images, ..PromptOptions::default() }).await?;
        }
        Ok(())
    }
}
