//! Settings, credentials and models: the files that configure a run.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may panic")]

mod auth;
mod extensions;
mod files;
mod initial;
mod list;
mod listed;
mod logins;
mod models_json;
mod registry;
mod resolve;
mod settings;
mod storages;
mod support;
mod themes;
mod token_server;
