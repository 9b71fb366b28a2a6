//! Calls handlers in order and puts their answers together.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::command::ResolvedCommand;
use super::command_context::CommandContext;
use super::context::ExtensionContext;
use super::events::Event;
use super::guard::{caught, guarded};
use super::registered::LoadedExtension;
use super::runtime::ExtensionRuntime;
use crate::events::{ExtensionError, HandlerError};

/// The extensions of one session.
#[derive(Debug)]
pub struct ExtensionRunner {
    extensions: Vec<Arc<LoadedExtension>>,
    runtime: Arc<ExtensionRuntime>,
}

impl ExtensionRunner {
    pub(super) fn new(extensions: Vec<Arc<LoadedExtension>>, runtime: Arc<ExtensionRuntime>) -> Self {
        Self { extensions, runtime }
    }

    /// The extensions, in the order in which they are called.
    pub fn extensions(&self) -> &[Arc<LoadedExtension>] {
        &self.extensions
    }

    /// What they share.
    pub fn runtime(&self) -> &Arc<ExtensionRuntime> {
        &self.runtime
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.extensions.is_empty()
    }

    /// Whether anybody wants to hear of such events. What nobody wants to hear need not be made.
    pub fn listens<E: Event>(&self) -> bool {
        self.extensions.iter().any(|extension| extension.listens::<E>())
    }

    pub(crate) fn context(&self) -> ExtensionContext {
        ExtensionContext::new(Arc::clone(&self.runtime))
    }

    /// Tells everybody. `cancel` is the run that the event belongs to.
    pub(crate) async fn notify<E>(&self, event: E, cancel: Option<&CancellationToken>)
    where
        E: Event<Outcome = (), Context = ExtensionContext>,
    {
        self.fold(event, cancel, |_, ()| ControlFlow::Continue(())).await;
    }

    /// Asks everybody in turn. `fold` takes each answer; what it does to the event is what the next handler sees.
    pub async fn fold<E>(
        &self,
        event: E,
        cancel: Option<&CancellationToken>,
        fold: impl FnMut(&mut E, E::Outcome) -> ControlFlow<()>,
    ) -> E
    where
        E: Event<Context = ExtensionContext>,
    {
        self.fold_in(event, &self.context(), cancel, fold).await
    }

    /// The same for events with a context of their own.
    pub(crate) async fn fold_in<E: Event>(
        &self,
        event: E,
        context: &E::Context,
        cancel: Option<&CancellationToken>,
        mut fold: impl FnMut(&mut E, E::Outcome) -> ControlFlow<()>,
    ) -> E {
        self.fold_by(event, context, cancel, |_, event, outcome| fold(event, outcome)).await
    }

    /// The same, and `fold` is told whose answer it is.
    pub(crate) async fn fold_by<E: Event>(
        &self,
        mut event: E,
        context: &E::Context,
        cancel: Option<&CancellationToken>,
        mut fold: impl FnMut(&LoadedExtension, &mut E, E::Outcome) -> ControlFlow<()>,
    ) -> E {
        for extension in &self.extensions {
            for handler in extension.handlers::<E>() {
                match guarded(&self.runtime, cancel, || handler(event.clone(), context.clone())).await {
                    Ok(outcome) => {
                        if fold(extension, &mut event, outcome).is_break() {
                            return event;
                        }
                    }
                    Err(error) => {
                        self.runtime.report(ExtensionError::new(extension.name(), E::NAME, &error)).await;
                    }
                }
            }
        }
        event
    }

    /// The same, but the first failure ends it.
    ///
    /// # Errors
    /// That failure; it is not reported.
    pub(crate) async fn try_fold<E>(
        &self,
        mut event: E,
        cancel: Option<&CancellationToken>,
        mut fold: impl FnMut(&mut E, E::Outcome) -> ControlFlow<()>,
    ) -> Result<E, HandlerError>
    where
        E: Event<Context = ExtensionContext>,
    {
        let context = self.context();
        for handler in self.extensions.iter().flat_map(|extension| extension.handlers::<E>()) {
            let outcome = guarded(&self.runtime, cancel, || handler(event.clone(), context.clone())).await?;
            if fold(&mut event, outcome).is_break() {
                break;
            }
        }
        Ok(event)
    }

    /// The servers of MCP that extensions have registered; of two with one name the later one counts.
    pub(crate) fn mcp_servers(&self) -> Map<String, Value> {
        self.extensions.iter().flat_map(|extension| extension.mcp_servers()).collect()
    }

    /// How the servers of MCP are doing, if an extension knows that.
    pub(crate) fn mcp_status(&self) -> Option<Value> {
        let answer = self.extensions.iter().rev().find_map(|extension| extension.mcp_status())?;
        Some(answer())
    }

    /// All commands under the names by which they are called. Where several extensions took one name, each gets a number.
    pub fn commands(&self) -> Vec<ResolvedCommand> {
        let all: Vec<(Arc<LoadedExtension>, super::Command)> = self
            .extensions
            .iter()
            .flat_map(|extension| extension.commands().into_iter().map(|command| (Arc::clone(extension), command)))
            .collect();
        let is_shared = |name: &str| all.iter().filter(|(_, command)| command.name == name).count() > 1;
        let mut resolved: Vec<ResolvedCommand> = Vec::with_capacity(all.len());
        for (extension, command) in &all {
            let mut invocation_name = command.name.clone();
            if is_shared(&command.name) {
                let is_taken = |name: &String| {
                    resolved.iter().any(|other| other.invocation_name == *name)
                        || all.iter().any(|(_, other)| other.name == *name)
                };
                let numbered = (1..).map(|number| format!("{}:{number}", command.name));
                invocation_name = numbered.into_iter().find(|name| !is_taken(name)).unwrap_or(invocation_name);
            }
            let (command, source_info) = (command.clone(), extension.source_info().clone());
            resolved.push(ResolvedCommand { invocation_name, command, source_info });
        }
        resolved
    }

    /// The command that a text calls, with its arguments: `/name arguments`.
    pub(crate) fn command_in<'a>(&self, text: &'a str) -> Option<(ResolvedCommand, &'a str)> {
        let call = text.strip_prefix('/')?;
        if self.is_empty() {
            return None;
        }
        let (name, arguments) = call.split_once(' ').unwrap_or((call, ""));
        let command = self.commands().into_iter().find(|command| command.invocation_name == name)?;
        Some((command, arguments))
    }

    /// Runs a command. What goes wrong is reported.
    pub(crate) async fn run_command(&self, command: &ResolvedCommand, arguments: &str) {
        let context = CommandContext::new(Arc::clone(&self.runtime));
        let handler = Arc::clone(&command.command.handler);
        let arguments = arguments.to_owned();
        // No deadline: a command may wait for as many runs as it likes. The user can abort what it waits for.
        if let Err(error) = caught(|| handler(arguments, context)).await {
            let path = format!("command:{}", command.invocation_name);
            self.runtime.report(ExtensionError::new(path, "command", &error)).await;
        }
    }
}
