//! The extension seam: what programs and, later, script hosts plug into a session.
//!
//! An [`Extension`] is activated once per session. It gets an [`ExtensionApi`], subscribes to [events] with typed
//! handlers, and registers tools, commands, flags, shortcuts, providers and renderers. Handlers get an
//! [`ExtensionContext`]: the session, its settings, and an [`ExtensionUi`] that each mode answers in its own way.
//!
//! ```
//! use pi_coding_agent::extension::{Extension, extension_fn};
//! use pi_coding_agent::extension::events::{ToolCallEvent, ToolCallOutcome};
//!
//! let gate = extension_fn("no-shell", |pi| async move {
//!     pi.on(|event: ToolCallEvent, _ctx| async move {
//!         let is_shell = event.tool_name == "bash";
//!         Ok(if is_shell { ToolCallOutcome::block("No shell today.") } else { ToolCallOutcome::default() })
//!     });
//!     Ok(())
//! });
//! assert_eq!(gate.name(), "no-shell");
//! ```
//!
//! A handler that fails, panics or takes too long is reported as an [`ExtensionError`] and never takes the session down.
//! Handlers run on the runtime of the session: they must not block it. Nothing here knows a protocol or a terminal.
//!
//! | File | What is in it |
//! |---|---|
//! | `definition` | the trait, and the adapter for closures |
//! | `api`, `actions` | what an extension is given: registering; acting on the session |
//! | `events/` | every event with payload, result, and how results combine |
//! | `options` | how messages of extensions are sent |
//! | `context`, `command_context` | what handlers are given |
//! | `ui`, `screen` | questions and notices to the user; what extensions draw |
//! | `registered`, `tool`, `command`, `flag`, `shortcut`, `provider`, `renderer` | what can be registered |
//! | `bus` | messages between extensions |
//! | `session` | what extensions may ask of their session: traits that it implements |
//! | `runtime` | what all extensions of a session share |
//! | `runner`, `guard` | how handlers are called and their results combined |
//! | `sources` | where extensions come from, and finding them again |
//! | `load` | from extensions to a runner |
//! | `json/` | events by their names, for hosts of extensions that are not Rust |
//! | `trust` | asking extensions about a project |

mod actions;
mod api;
mod bus;
mod command;
mod command_context;
mod context;
mod definition;
pub mod events;
mod flag;
mod guard;
pub mod json;
mod load;
mod options;
mod permission;
mod provider;
mod registered;
mod renderer;
mod runner;
mod runtime;
mod screen;
mod session;
mod shortcut;
mod sources;
mod tool;
mod trust;
mod ui;

pub use crate::config::models::{ProviderChange, ProviderRegistration};
pub use crate::events::{ExtensionError, HandlerError};
pub use crate::host::processes::{ExecOptions, ExecResult};
pub use api::{ExtensionApi, Subscription};
pub use bus::{BusSubscription, EventBus};
pub use command::{Command, Completion, CompletionFn, ResolvedCommand};
pub use command_context::{CommandContext, NewSessionOptions, ReplacementOptions, SetupFn, WithSessionFn};
pub(crate) use context::CompactedFn;
pub use context::{CompactOptions, ExtensionContext, Mode, TrustContext};
pub use definition::{Extension, extension_fn};
pub use flag::{Flag, FlagKind, FlagValue};
pub use guard::caught;
pub use load::{LoadError, LoadOptions, LoadReport, load_extensions, load_sources};
pub use options::{DeliverAs, SendMessageOptions, SendUserMessageOptions};
pub use permission::{PermissionAnswer, PermissionRequest};
pub use provider::register_providers;
pub use registered::{LoadedExtension, Registration};
pub use renderer::{EntryRenderer, MarkdownKind, MarkdownTransformer, MessageRenderer, RenderOptions};
pub use runner::ExtensionRunner;
pub use runtime::ExtensionRuntime;
pub(crate) use runtime::Surface;
pub use screen::{
    ActionKeys, CompleteFn, CompletionQuery, Extent, FooterFacts, InputHook, Margin, OverlayChange, OverlayOptions,
    Screen, View, ViewPlace, WindowSize, WorkingChange,
};
pub(crate) use session::{
    ConnectedSession, Connection, SessionEntries, SessionMessages, SessionModels, SessionNavigation, SessionRuns,
    SessionTools,
};
pub use shortcut::Shortcut;
pub use sources::{Earlier, ExtensionLoader, ExtensionSources, MakeExtension, NoLoader};
pub use tool::{ToolRegistration, ToolRenderer, ToolView};
pub use trust::{TrustReply, TrustVerdict, ask_trust};
pub use ui::{DialogOptions, ExtensionUi, NoUi, NotifyKind, WidgetPlacement};
