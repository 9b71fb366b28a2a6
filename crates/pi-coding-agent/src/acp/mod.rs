//! Sessions for editors: the Agent Client Protocol, version 1, as lines of JSON. Many sessions live in one process, on top
//! of [`SessionPool`].
//!
//! # Layout
//! `input` reads lines, `connection` writes them and asks the client; `server` runs requests beside each other. `agent` says
//! which method is what; `initialize`, `sign_in`, `sessions`, `listing`, `prompt`, `config_options` and `commands` are the
//! methods. `updates` turns events into updates, with `arriving`, `tool_calls` and `diffs`; `replay` does so with a stored
//! conversation. `content` is what prompts and answers are made of, `errors` what goes wrong. `dialogs` asks the user for
//! extensions, `permission` says what a call would do, with `present_files`; `trust` asks about projects, `tool_servers` takes
//! MCP servers from the client, `client_files` reads and writes through the editor, `directories` are those of its workspace,
//! `plan` shows lists of things to do, `terminal_output` commands.
//!
//! The messages are those of the crate `agent-client-protocol-schema`. Nothing here knows a terminal or the command line.

mod agent;
mod arriving;
mod client;
mod client_files;
mod commands;
mod config_options;
mod connection;
mod content;
mod dialogs;
mod diffs;
mod directories;
mod errors;
mod initialize;
mod input;
mod listing;
mod open_session;
mod permission;
mod plan;
mod present_files;
mod prompt;
mod replay;
mod server;
mod sessions;
mod sign_in;
mod terminal_output;
mod tool_calls;
mod tool_servers;
mod trust;
mod updates;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::extension::Extension;
use crate::gate::GateMode;
use crate::sdk::CreateAgentSessionOptions;
use crate::sdk::session_pool::SessionPool;

pub use server::serve_acp;

/// What sessions for editors are made with.
pub struct AcpOptions {
    /// Where they live.
    pub pool: Arc<SessionPool>,
    /// Last change to the options of a session in a directory.
    pub prepare: Arc<PrepareSession>,
    /// The directory that holds the session files; absent: that of each project.
    pub session_dir: Option<PathBuf>,
    /// Whether the user is asked about projects that nobody has decided about.
    pub asks_trust: bool,
    /// Before what the user is asked in sessions that begin.
    pub asks: GateMode,
    /// The program's version.
    pub version: String,
    /// Opens a page for a login.
    pub open_page: Arc<OpenPage>,
    /// Gives a session the tools of MCP servers; absent where they are not to be had.
    pub tool_servers: Option<Arc<ToolServers>>,
}

/// The extension that gives a session in a directory the tools of its MCP servers: those that are configured, and these,
/// which the client hands over. Each has a name, and `command`, `args` and `env`, or `url` and `headers`. `None` if there are
/// none at all.
pub(crate) type ToolServers = dyn Fn(&Path, Map<String, Value>) -> Option<Arc<dyn Extension>> + Send + Sync;

/// Changes the options of a session in a directory.
pub(crate) type PrepareSession = dyn Fn(CreateAgentSessionOptions, &Path) -> CreateAgentSessionOptions + Send + Sync;

/// Opens a page in the user's browser, or says where it is; there may be a code to type in there.
pub(crate) type OpenPage = dyn Fn(&str, Option<&str>) + Send + Sync;

impl std::fmt::Debug for AcpOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AcpOptions").field("pool", &self.pool).field("version", &self.version).finish_non_exhaustive()
    }
}
