//! What extensions in TypeScript import from pi, in sessions whose model plays a script: real files, commands and loopback.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod agent_session;
mod ai;
mod auth;
mod examples;
mod exports;
mod login;
mod machine;
mod modules;
mod providers;
mod resource_loader;
mod sessions;
mod settings;
mod support;
mod terminal;
mod texts;
mod tools;
