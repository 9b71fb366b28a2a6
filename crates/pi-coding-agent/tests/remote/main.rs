//! The tools on other machines: a real SSH server on loopback, and shells that stand in for containers, one of them with
//! nothing but busybox. The same calls must give the same answers everywhere.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers outside #[test] functions fail tests

mod commands;
mod connection;
mod files;
mod names;
mod places;
mod same;
mod search;
mod sshd;
