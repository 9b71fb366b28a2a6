//! Commands that the user calls with a slash.

use std::fmt;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::command_context::CommandContext;
use crate::events::HandlerError;
use crate::resources::prompt::SourceInfo;

/// Runs a command with what the user wrote behind its name.
pub(crate) type CommandHandler =
    dyn Fn(String, CommandContext) -> BoxFuture<'static, Result<(), HandlerError>> + Send + Sync;

/// Completes what the user has begun to write behind the name; `None` where there is nothing to offer.
pub type CompletionFn = dyn Fn(String) -> BoxFuture<'static, Option<Vec<Completion>>> + Send + Sync;

/// A command.
#[derive(Clone)]
pub struct Command {
    /// Name without the slash.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// Offers completions of the arguments.
    pub completions: Option<Arc<CompletionFn>>,
    /// Runs it.
    pub handler: Arc<CommandHandler>,
}

/// One way to complete an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What is put in.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// More about it.
    pub description: Option<String>,
}

impl Command {
    /// A command that runs a closure.
    pub fn new<F>(
        name: impl Into<String>,
        handler: impl Fn(String, CommandContext) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), HandlerError>> + Send + 'static,
    {
        let handler = Arc::new(move |arguments, context| handler(arguments, context).boxed());
        Self { name: name.into(), description: None, completions: None, handler }
    }

    /// Says what it is for.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Offers completions of its arguments.
    #[must_use]
    pub fn completions<F>(mut self, complete: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<Vec<Completion>>> + Send + 'static,
    {
        self.completions = Some(Arc::new(move |prefix| complete(prefix).boxed()));
        self
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A command under the name by which it is called: two extensions may have taken the same.
#[derive(Debug, Clone)]
pub struct ResolvedCommand {
    /// The name, perhaps with a number: `name:1`, `name:2`.
    pub invocation_name: String,
    /// The command.
    pub command: Command,
    /// Where it came from.
    pub source_info: SourceInfo,
}
