//! pi, a coding agent: sessions, tools, settings, RPC and the `pi` program.

pub mod agent_session;
pub mod auth_storage;
mod block_images;
pub mod cli;
pub mod compaction;
mod config_value;
mod dir_lock;
pub mod env;
mod error;
pub mod ids;
mod iso_time;
mod json_file;
pub mod messages;
pub mod models;
pub mod modes;
pub mod paths;
pub mod prompt;
pub mod rpc;
pub mod sdk;
mod secret;
pub mod session;
pub mod settings;
pub mod tools;

pub use error::Error;
pub use secret::Secret;
