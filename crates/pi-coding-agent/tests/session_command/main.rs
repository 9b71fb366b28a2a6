//! `pi session …`: what the doctor finds and repairs, and the commands as a user meets them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod bad_input;
mod commands;
#[path = "../ended/mod.rs"]
mod ended;
mod examine;
mod removal;
mod repair;
mod samples;
mod world;
