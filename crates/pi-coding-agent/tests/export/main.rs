//! Exports: pages as a browser reads them, files of a branch, imports.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)] // helpers of a test

mod browser;
mod dom;
mod files;
mod hostile;
mod payloads;
mod pieces;
mod support;
mod tree;
