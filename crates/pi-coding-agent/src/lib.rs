//! pi, a coding agent: sessions, tools, settings, RPC and the `pi` program.

pub mod agent_session;
pub mod cli;
pub mod compaction;
pub mod models;
pub mod modes;
pub mod prompt;
pub mod rpc;
pub mod session;
pub mod settings;
pub mod tools;
