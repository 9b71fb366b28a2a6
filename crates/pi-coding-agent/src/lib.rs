//! pi, a coding agent, as a library: sessions, tools, settings, extensions, RPC. Terminals and argument parsers stay out.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids"))]
//!
//! # How the pieces work together
//!
//! An [`AgentSession`](agent_session::AgentSession) is one conversation: an agent of [`pi_agent_core`] that records what
//! it does, retries what failed, and compacts what became too long. [`sdk::create_agent_session`] puts one together from
//!
//! - a [`SessionManager`](session::SessionManager): the session file, or memory, and the branch of it that the model sees;
//! - a [`SettingsManager`](settings::SettingsManager): `settings.json` of the user and of a trusted project;
//! - a [`ModelRegistry`](models::ModelRegistry): built-in models and those of `models.json`, with keys from an
//!   [`AuthStorage`](auth_storage::AuthStorage);
//! - [`PromptResources`](prompt::PromptResources): context files, skills, prompt templates, system prompt;
//! - tools: the built-in ones of [`tools`], and any [`pi_agent_core::Tool`] of your own.
//!
//! Whatever a program leaves out is read from the user's configuration;
//! [`CreateAgentSessionOptions::in_memory`](sdk::CreateAgentSessionOptions::in_memory) reads and keeps nothing. The page
//! `docs/embedding.md` of the repository tells the rest, with an example per topic.
//!
//! [`AgentSession::prompt`](agent_session::AgentSession::prompt) returns when everything is over, retries and compaction
//! included. [`subscribe`](agent_session::AgentSession::subscribe) delivers every
//! [`SessionEvent`](agent_session::SessionEvent); [`rpc`] is such a listener.
//! [`on_text`](agent_session::AgentSession::on_text) and [`on_event`](agent_session::AgentSession::on_event) take closures, for
//! which no run waits. Call
//! [`dispose`](agent_session::AgentSession::dispose) at the end: it stops what runs and syncs the file.
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | [`prelude`] | what most programs import |
//! | [`ai`], [`agent`] | the layers below: models and messages, the agent and its tools |
//! | [`sdk`] | from options to a session |
//! | [`runtime`], [`session_pool`] | one session at a time, many at once |
//! | [`agent_session`] | the conversation: prompts, recording, retries, automatic compaction, statistics |
//! | [`session`] | session files: entries, log, lock, recovery, migration, the model's view |
//! | [`messages`], [`compaction`] | messages that only a session has; summaries of what became too long |
//! | [`mod@export`] | sessions as pages and files for elsewhere, and the way back |
//! | [`tools`] | `read`, `bash`, `edit`, `write`, with output limits and the traits behind which files and processes are |
//! | [`prompt`] | system prompt, context files, skills, templates |
//! | [`models`], [`auth_storage`], [`settings`] | the user's configuration |
//! | [`storage`] | where settings and credentials are kept: files, memory, a storage of your own |
//! | [`events`], [`wire`] | what a session reports: events and the values in them; their JSON form |
//! | [`extension`] | what programs plug into sessions: events, tools, commands, flags, providers |
//! | [`packages`] | extensions, skills, templates and themes from npm, git and directories |
//! | [`theme`] | colours, built in and in files |
//! | [`trust`] | whether a project's own configuration counts |
//! | [`rpc`] | the RPC protocol, its server, a client of it |
//! | [`replay`] | whole runs recorded and repeated: model calls, tool calls, time and ids |
//! | [`processes`] | programs that are started here, and their end |
//! | [`paths`], [`env`](mod@env), [`ids`] | directories, environment and ids, all injected |
//! | [`host`], [`config`], [`resources`] | the floors that modules above stand in: what touches the system, what the user configured, what is found beside the program |
//!
//! # Features
//!
//! | Feature | Default | What it brings |
//! |---|---|---|
//! | `acp` | no | sessions for editors, by the Agent Client Protocol: `acp::serve_acp` |
//! | `container` | no | the tools in a container, or wherever a command line starts a shell: `tools::RemoteMachine` |
//! | `keyring` | no | API keys in the keyring of the operating system |
//! | `ssh` | no | the tools on another machine, by the system's `ssh` |

#[cfg(feature = "acp")]
pub mod acp;
pub mod agent_session;
pub mod compaction;
pub mod config;
pub mod events;
pub mod export;
pub mod extension;
pub mod gate;
pub mod host;
pub mod prelude;
pub mod resources;
pub mod rpc;
pub mod sdk;
pub mod session;
pub mod tools;
pub mod wire;

pub use config::{auth_storage, models, settings, storage, trust};
pub use host::{env, ids, paths, processes};
pub use pi_agent_core as agent;
pub use pi_ai as ai;
pub use resources::{packages, prompt, theme};
pub use sdk::{replay, runtime, session_pool};
pub use session::messages;

pub use events::ExtensionCallError;
pub use export::Error as ExportError;
pub use host::secret::Secret;
pub use resources::PackageError;
pub use sdk::Error;
pub use session::SessionIdError;
