//! Scripts as programs run them: engines, modules, Node's built-in modules, limits.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)] // a test fails by panicking

mod engine;
mod exhaustion;
mod modules;
mod nesting;
mod node_host;
mod node_modules;
mod node_services;
