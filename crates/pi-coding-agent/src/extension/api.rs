//! What an extension is given to register what it brings. Acting on the session is in `actions.rs`.

use std::sync::{Arc, Weak};

use futures::FutureExt;
use serde_json::Value;

use super::bus::EventBus;
use super::command::Command;
use super::context::ExtensionContext;
use super::events::Event;
use super::flag::{Flag, FlagValue};
use super::registered::{HandlerFn, LoadedExtension};
use super::renderer::{MarkdownKind, RenderOptions};
use super::runtime::ExtensionRuntime;
use super::shortcut::Shortcut;
use super::tool::ToolRegistration;
use crate::config::models::{ProviderChange, ProviderRegistration};
use crate::events::{Error, ExtensionCallError, ExtensionError, HandlerError};
use crate::session::messages::CustomMessage;

/// Handlers that were subscribed, of one extension in one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subscription {
    /// Their numbers.
    pub handlers: Vec<u64>,
}

impl Subscription {
    /// Both together.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.handlers.extend(other.handlers);
        self
    }
}

/// The extension's handle to its session. Clones are handles to the same; handlers may keep one.
#[derive(Clone)]
pub struct ExtensionApi {
    pub(super) runtime: Arc<ExtensionRuntime>,
    /// Weak, because what is registered may hold on to this handle.
    pub(super) extension: Weak<LoadedExtension>,
}

impl ExtensionApi {
    pub(super) fn new(runtime: Arc<ExtensionRuntime>, extension: &Arc<LoadedExtension>) -> Self {
        Self { runtime, extension: Arc::downgrade(extension) }
    }

    /// Calls `handler` for every event of its type; see [`super::events`] for what it may answer. [`ExtensionApi::off`]
    /// takes it back.
    pub fn on<E, F>(&self, handler: impl Fn(E, E::Context) -> F + Send + Sync + 'static) -> Subscription
    where
        E: Event,
        F: Future<Output = Result<E::Outcome, HandlerError>> + Send + 'static,
    {
        let handler: Arc<HandlerFn<E>> = Arc::new(move |event, context| handler(event, context).boxed());
        let mut subscription = Subscription::default();
        self.with(|extension| subscription.handlers.push(extension.add_handler(handler)));
        subscription
    }

    /// Calls the handlers of a subscription no more. An event that is being handled still reaches them.
    pub fn off(&self, subscription: &Subscription) {
        self.with(|extension| extension.remove_handlers(&subscription.handlers));
    }

    /// Adds a tool, or replaces one of this extension. At run time it is active at once if its name is new, unless the
    /// user's choice of tools forbids it.
    pub fn register_tool(&self, tool: ToolRegistration) {
        self.with(|extension| extension.add_tool(tool));
        if let Ok(session) = self.runtime.connected() {
            session.tools_changed();
        }
    }

    /// Adds a command.
    pub fn register_command(&self, command: Command) {
        self.with(|extension| extension.add_command(command));
    }

    /// Adds a key.
    pub fn register_shortcut(&self, shortcut: Shortcut) {
        self.with(|extension| extension.add_shortcut(shortcut));
    }

    /// Adds an option of the command line.
    pub fn register_flag(&self, flag: Flag) {
        if let Some(default) = &flag.default {
            self.runtime.default_flag(&flag.name, default);
        }
        self.with(|extension| extension.add_flag(flag));
    }

    /// The value of a flag of this extension. What the command line says is known from `session_start` on.
    pub fn flag(&self, name: &str) -> Option<FlagValue> {
        let own = self.extension.upgrade()?.flags();
        own.iter().any(|flag| flag.name == name).then(|| self.runtime.flag(name)).flatten()
    }

    /// Draws custom messages of a type.
    pub fn register_message_renderer(
        &self,
        custom_type: impl Into<String>,
        renderer: impl Fn(&CustomMessage, RenderOptions) -> Option<Vec<String>> + Send + Sync + 'static,
    ) {
        self.with(|extension| extension.add_renderer(custom_type.into(), Arc::new(renderer)));
    }

    /// Draws custom entries of a type, which the model does not read. Those that nobody draws are not shown.
    pub fn register_entry_renderer(
        &self,
        custom_type: impl Into<String>,
        renderer: impl Fn(&Value, RenderOptions) -> Result<Option<Vec<String>>, HandlerError> + Send + Sync + 'static,
    ) {
        self.with(|extension| extension.add_entry_renderer(custom_type.into(), Arc::new(renderer)));
    }

    /// Changes Markdown before it is drawn, after what was registered before. Neither the session nor the model sees
    /// the change.
    pub fn register_markdown_transformer(
        &self,
        transform: impl Fn(&str, MarkdownKind, RenderOptions) -> Result<Option<String>, HandlerError>
        + Send
        + Sync
        + 'static,
    ) {
        self.with(|extension| extension.add_markdown_transformer(Arc::new(transform)));
    }

    /// Adds a server of MCP for the session, as an entry of `mcp.json` says it; an entry of the same name in a file comes
    /// first. What is wrong with one is reported. It is there from the next prompt on.
    pub fn register_mcp_server(&self, name: impl Into<String>, entry: Value) {
        self.with(|extension| extension.add_mcp_server(name.into(), entry));
    }

    /// Answers the RPC command `get_mcp_status`, at once and at any time; `docs/rpc.md` has the shape. Of several extensions
    /// the last one answers.
    pub fn register_mcp_status(&self, answer: impl Fn() -> Value + Send + Sync + 'static) {
        self.with(|extension| extension.set_mcp_status(Arc::new(answer)));
    }

    /// Adds a provider, or changes one. During [`activate`](super::Extension::activate) it is only noted, and what is
    /// wrong with it is reported when the session begins.
    ///
    /// # Errors
    /// [`config::Error::Provider`](crate::config::Error) at run time.
    pub fn register_provider(
        &self,
        provider: impl Into<String>,
        registration: ProviderRegistration,
    ) -> Result<(), Error> {
        let (provider, registration, extension) = (provider.into(), Box::new(registration), self.name());
        self.change_provider(ProviderChange::Register { provider, registration, extension })
    }

    /// Takes a provider back; models that it had replaced return. Of an unknown one nothing happens.
    ///
    /// # Errors
    /// Those of the providers that stay.
    pub fn unregister_provider(&self, provider: &str) -> Result<(), Error> {
        self.change_provider(ProviderChange::Unregister { provider: provider.to_owned(), extension: self.name() })
    }

    fn name(&self) -> String {
        self.extension.upgrade().map(|extension| extension.name().to_owned()).unwrap_or_default()
    }

    fn change_provider(&self, change: ProviderChange) -> Result<(), Error> {
        match self.runtime.connected() {
            Ok(session) => session.provider_changed(change),
            Err(Error::Extension(ExtensionCallError::NotReady)) => {
                self.runtime.note_provider_change(change);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Where extensions of this session meet.
    pub fn events(&self) -> &EventBus {
        self.runtime.bus()
    }

    /// What handlers are given, for tools and other code of the extension.
    pub fn context(&self) -> ExtensionContext {
        ExtensionContext::new(Arc::clone(&self.runtime))
    }

    /// Tells the listeners of the session about a failure that no call of a handler shows.
    pub async fn report(&self, error: ExtensionError) {
        self.runtime.report(error).await;
    }

    /// An extension whose session is gone registers nothing.
    fn with(&self, register: impl FnOnce(&LoadedExtension)) {
        if let Some(extension) = self.extension.upgrade() {
            register(&extension);
        }
    }
}

impl std::fmt::Debug for ExtensionApi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExtensionApi").field("extension", &self.extension.upgrade()).finish_non_exhaustive()
    }
}
