//! The proxy: a client and a server over real HTTP, with a scripted model behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail loudly")]

mod abort;
mod client;
mod example;
mod failures;
mod garbage;
mod round_trip;
mod server;
mod support;
