//! What one extension has registered in one session.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use pi_guard::lock;
use serde_json::Value;

use super::command::Command;
use super::events::Event;
use super::flag::Flag;
use super::renderer::{EntryRenderer, MarkdownTransformer, MessageRenderer};
use super::shortcut::Shortcut;
use super::tool::ToolRegistration;
use crate::events::HandlerError;
use crate::resources::prompt::SourceInfo;

/// A handler of one kind of event.
pub(super) type HandlerFn<E> =
    dyn Fn(E, <E as Event>::Context) -> BoxFuture<'static, Result<<E as Event>::Outcome, HandlerError>> + Send + Sync;

/// Tells how the servers of MCP are doing.
pub(super) type McpStatusFn = dyn Fn() -> Value + Send + Sync;

/// An extension in a session.
pub struct LoadedExtension {
    name: String,
    source_info: SourceInfo,
    registered: Mutex<Registered>,
}

/// An `Arc<HandlerFn<E>>` with its number.
type NumberedHandler = (u64, Box<dyn Any + Send + Sync>);

/// A kind of things that an extension registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// A tool, by its name.
    Tool,
    /// A command, by its name.
    Command,
    /// A key.
    Shortcut,
    /// An option of the command line, by its name.
    Flag,
    /// What draws messages of a type.
    MessageRenderer,
    /// What draws entries of a type.
    EntryRenderer,
    /// What transforms Markdown; it has no name.
    MarkdownTransformer,
    /// A handler, by the name of its event.
    Handler,
}

/// The handlers of one kind of event.
struct Handlers {
    event: &'static str,
    list: Vec<NumberedHandler>,
}

#[derive(Default)]
struct Registered {
    /// By the type of the event.
    handlers: HashMap<TypeId, Handlers>,
    last_handler: u64,
    tools: Vec<ToolRegistration>,
    commands: Vec<Command>,
    flags: Vec<Flag>,
    shortcuts: Vec<Shortcut>,
    renderers: Vec<(String, Arc<MessageRenderer>)>,
    entry_renderers: Vec<(String, Arc<EntryRenderer>)>,
    markdown_transformers: Vec<Arc<MarkdownTransformer>>,
    mcp_status: Option<Arc<McpStatusFn>>,
    mcp_servers: Vec<(String, Value)>,
}

impl LoadedExtension {
    pub(super) fn new(name: String, source_info: SourceInfo) -> Self {
        Self { name, source_info, registered: Mutex::default() }
    }

    /// How it is named in reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it came from.
    pub fn source_info(&self) -> &SourceInfo {
        &self.source_info
    }

    /// Its tools, in order.
    pub fn tools(&self) -> Vec<ToolRegistration> {
        lock(&self.registered).tools.clone()
    }

    /// Its commands, in order.
    pub fn commands(&self) -> Vec<Command> {
        lock(&self.registered).commands.clone()
    }

    /// Its flags, in order.
    pub fn flags(&self) -> Vec<Flag> {
        lock(&self.registered).flags.clone()
    }

    /// Its shortcuts, in order.
    pub fn shortcuts(&self) -> Vec<Shortcut> {
        lock(&self.registered).shortcuts.clone()
    }

    /// How it draws custom messages of a type.
    pub fn message_renderer(&self, custom_type: &str) -> Option<Arc<MessageRenderer>> {
        let registered = lock(&self.registered);
        registered.renderers.iter().find(|(name, _)| name == custom_type).map(|(_, renderer)| Arc::clone(renderer))
    }

    /// How it draws custom entries of a type.
    pub fn entry_renderer(&self, custom_type: &str) -> Option<Arc<EntryRenderer>> {
        let registered = lock(&self.registered);
        registered
            .entry_renderers
            .iter()
            .find(|(name, _)| name == custom_type)
            .map(|(_, renderer)| Arc::clone(renderer))
    }

    /// How it changes Markdown, in order.
    pub fn markdown_transformers(&self) -> Vec<Arc<MarkdownTransformer>> {
        lock(&self.registered).markdown_transformers.clone()
    }

    /// How it tells how the servers of MCP are doing.
    pub(super) fn mcp_status(&self) -> Option<Arc<McpStatusFn>> {
        lock(&self.registered).mcp_status.clone()
    }

    /// Its servers of MCP, by name.
    pub(super) fn mcp_servers(&self) -> Vec<(String, Value)> {
        lock(&self.registered).mcp_servers.clone()
    }

    /// Everything that it has registered, with names. Of one kind in order; handlers by event, as often as there are any.
    pub fn registrations(&self) -> Vec<(Registration, String)> {
        use Registration::{
            Command, EntryRenderer, Flag, Handler, MarkdownTransformer, MessageRenderer, Shortcut, Tool,
        };
        let registered = lock(&self.registered);
        let mut events: Vec<&'static str> =
            registered.handlers.values().flat_map(|of| std::iter::repeat_n(of.event, of.list.len())).collect();
        events.sort_unstable();
        let tools = registered.tools.iter().map(|tool| (Tool, tool.name().to_owned()));
        let commands = registered.commands.iter().map(|command| (Command, command.name.clone()));
        let shortcuts = registered.shortcuts.iter().map(|shortcut| (Shortcut, shortcut.key.clone()));
        let flags = registered.flags.iter().map(|flag| (Flag, flag.name.clone()));
        let messages = registered.renderers.iter().map(|(name, _)| (MessageRenderer, name.clone()));
        let entries = registered.entry_renderers.iter().map(|(name, _)| (EntryRenderer, name.clone()));
        let transformers = registered.markdown_transformers.iter().map(|_| (MarkdownTransformer, String::new()));
        let handlers = events.into_iter().map(|event| (Handler, event.to_owned()));
        let drawn = messages.chain(entries).chain(transformers);
        tools.chain(commands).chain(shortcuts).chain(flags).chain(drawn).chain(handlers).collect()
    }

    /// Returns the number of the handler.
    pub(super) fn add_handler<E: Event>(&self, handler: Arc<HandlerFn<E>>) -> u64 {
        let mut registered = lock(&self.registered);
        registered.last_handler += 1;
        let number = registered.last_handler;
        let of_event = registered.handlers.entry(TypeId::of::<E>());
        let handlers = of_event.or_insert_with(|| Handlers { event: E::NAME, list: Vec::new() });
        handlers.list.push((number, Box::new(handler)));
        number
    }

    pub(super) fn remove_handlers(&self, numbers: &[u64]) {
        let mut registered = lock(&self.registered);
        registered.handlers.values_mut().for_each(|of| of.list.retain(|(number, _)| !numbers.contains(number)));
        registered.handlers.retain(|_, of| !of.list.is_empty());
    }

    /// Whether there is a handler of such events.
    pub(super) fn listens<E: Event>(&self) -> bool {
        lock(&self.registered).handlers.contains_key(&TypeId::of::<E>())
    }

    /// The handlers of such events, in order.
    pub(super) fn handlers<E: Event>(&self) -> Vec<Arc<HandlerFn<E>>> {
        let registered = lock(&self.registered);
        let list = registered.handlers.get(&TypeId::of::<E>()).map(|of| &of.list);
        list.into_iter().flatten().filter_map(|(_, any)| any.downcast_ref::<Arc<HandlerFn<E>>>().cloned()).collect()
    }

    pub(super) fn add_tool(&self, tool: ToolRegistration) {
        put(&mut lock(&self.registered).tools, tool, |a, b| a.name() == b.name());
    }

    pub(super) fn add_command(&self, command: Command) {
        put(&mut lock(&self.registered).commands, command, |a, b| a.name == b.name);
    }

    pub(super) fn add_flag(&self, flag: Flag) {
        put(&mut lock(&self.registered).flags, flag, |a, b| a.name == b.name);
    }

    pub(super) fn add_shortcut(&self, shortcut: Shortcut) {
        put(&mut lock(&self.registered).shortcuts, shortcut, |a, b| a.key.eq_ignore_ascii_case(&b.key));
    }

    pub(super) fn add_renderer(&self, custom_type: String, renderer: Arc<MessageRenderer>) {
        put(&mut lock(&self.registered).renderers, (custom_type, renderer), |a, b| a.0 == b.0);
    }

    pub(super) fn add_entry_renderer(&self, custom_type: String, renderer: Arc<EntryRenderer>) {
        put(&mut lock(&self.registered).entry_renderers, (custom_type, renderer), |a, b| a.0 == b.0);
    }

    pub(super) fn add_markdown_transformer(&self, transform: Arc<MarkdownTransformer>) {
        lock(&self.registered).markdown_transformers.push(transform);
    }

    pub(super) fn add_mcp_server(&self, name: String, entry: Value) {
        put(&mut lock(&self.registered).mcp_servers, (name, entry), |a, b| a.0 == b.0);
    }

    pub(super) fn set_mcp_status(&self, answer: Arc<McpStatusFn>) {
        lock(&self.registered).mcp_status = Some(answer);
    }
}

/// What is registered once more takes the place of what was there.
fn put<T>(list: &mut Vec<T>, new: T, is_same: impl Fn(&T, &T) -> bool) {
    match list.iter_mut().find(|old| is_same(old, &new)) {
        Some(old) => *old = new,
        None => list.push(new),
    }
}

impl std::fmt::Debug for LoadedExtension {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoadedExtension").field("name", &self.name).finish_non_exhaustive()
    }
}
