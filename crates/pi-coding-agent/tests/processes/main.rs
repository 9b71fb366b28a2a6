//! Programs that `pi` starts, and their end: with the real `pi`, killed in every way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod files;
mod killed;
mod limits;
mod marked;
#[path = "../scale/mod.rs"]
mod scale;
mod spawner;
#[allow(dead_code, unused_imports, reason = "shared with the tests of the program")]
#[path = "../program/support/mod.rs"]
mod support;
