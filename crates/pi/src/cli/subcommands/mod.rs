//! What `pi COMMAND` does, and the options that do the same: a module each. They know `startup`, never the table of
//! commands, which knows them: what one needs of the table is handed to it.
//!
//! # Layout
//! `session` is all of `pi session`, `doctor` of `pi doctor`, `packages` is `pi install` and its kin; `auth`, `models`,
//! `trust`, `docs`, `mcp` (with `mcp_login`), `attach` and `help` are the commands of these names, `version` is what `--version`
//! prints, `export` makes pages,
//! `generate` makes completions (with `completion_values`) and manual pages.

pub(super) mod acp;
pub(super) mod attach;
pub(super) mod auth;
mod completion_values;
pub(super) mod docs;
pub(super) mod doctor;
pub(super) mod export;
pub(super) mod generate;
pub(super) mod help;
#[cfg(feature = "mcp")]
pub(super) mod mcp;
#[cfg(feature = "mcp")]
mod mcp_login;
pub(super) mod models;
pub(super) mod packages;
pub(super) mod session;
pub(super) mod trust;
pub(super) mod version;
