//! All tests of the crate from the outside, in one program: building and linking one is cheaper than five.
//!
//! `memory.rs` beside this folder is a program of its own: it counts what the whole process allocates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail loudly")]

mod agent;
mod deterministic;
mod examples;
mod proxy;
mod scale;
