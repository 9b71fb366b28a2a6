//! All tests of the crate from the outside, in one program: building and linking one is cheaper than ten.
//!
//! `allocation.rs` beside this folder is a program of its own: it counts what the whole process allocates.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail loudly")]

mod catalog;
#[cfg(all(feature = "codex-ws", feature = "http"))]
mod codex;
mod examples;
mod formats;
mod json_partial;
#[cfg(all(feature = "http", feature = "oauth"))]
mod oauth;
#[cfg(feature = "http")]
mod proxy;
#[cfg(feature = "schemars")]
mod schema;
#[cfg(feature = "validate")]
mod validate;
