//! The prompts that the command line asked for, sent one after the other.

use pi_ai::ContentBlock;
use serde_json::Value;

use super::AnswerSchema;
use pi_coding_agent::agent_session::{AgentSession, Error, PromptOptions};

/// Prompts in order; images belong to the first.
#[derive(Debug, Clone, Default)]
pub struct InitialPrompts {
    /// Texts.
    pub texts: Vec<String>,
    /// Images attached to the first text.
    pub images: Vec<ContentBlock>,
}

impl InitialPrompts {
    /// Sends them all, waiting for each, until a limit is reached. With a schema the last answer is checked, and asked for
    /// once more if it does not fit.
    ///
    /// # Errors
    /// The first prompt that was not accepted.
    pub(crate) async fn send_all(
        mut self,
        session: &AgentSession,
        schema: Option<&AnswerSchema>,
    ) -> Result<Answered, Error> {
        let Some(schema) = schema.filter(|_| !self.texts.is_empty()) else {
            self.send(session).await?;
            return Ok(Answered::AsItIs);
        };
        schema.ask(&mut self);
        self.send(session).await?;
        let problem = match fitting(session, schema) {
            Some(Err(problem)) => problem,
            Some(Ok(value)) => return Ok(Answered::Fitting(value)),
            // It failed, which is told in other words.
            None => return Ok(Answered::AsItIs),
        };
        session.prompt(&schema.repair(&problem), PromptOptions { expand: false, ..PromptOptions::default() }).await?;
        Ok(match fitting(session, schema) {
            Some(Ok(value)) => Answered::Fitting(value),
            Some(Err(problem)) => Answered::Unfit(problem),
            None => Answered::AsItIs,
        })
    }

    /// Sends them all, waiting for each, until a limit is reached.
    async fn send(self, session: &AgentSession) -> Result<(), Error> {
        let mut images = self.images;
        for text in self.texts {
            let images = std::mem::take(&mut images);
            session.prompt(&text, PromptOptions { images, ..PromptOptions::default() }).await?;
            if session.limits().reached().is_some() {
                break;
            }
        }
        Ok(())
    }
}

/// What became of the prompts.
#[derive(Debug, Default)]
pub(crate) enum Answered {
    /// There is whatever there is.
    #[default]
    AsItIs,
    /// The last answer fits the schema: its value.
    Fitting(Value),
    /// It does not, also at the second attempt: what is wrong.
    Unfit(String),
}

/// The value of the last answer, or what is wrong with it; `None` where there is no answer.
fn fitting(session: &AgentSession, schema: &AnswerSchema) -> Option<Result<Value, String>> {
    let last = session.messages().pop()?;
    let answer = last.as_assistant().filter(|answer| !answer.stop_reason.is_failure())?;
    session.limits().reached().is_none().then(|| schema.check(&answer.text()))
}
