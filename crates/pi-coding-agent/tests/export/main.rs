//! Exports: pages as a browser reads them, files of a branch, imports.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)] // helpers of a test

mod browser;
mod dom;
mod files;
mod hostile;
mod payloads;
mod pieces;
mod support;
mod tree;
