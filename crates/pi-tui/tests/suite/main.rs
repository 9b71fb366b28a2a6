//! Tests of the crate from the outside, in one program.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bindings;
mod filtered;
mod recorded;
mod splitting;
mod vectors;

use std::path::{Path, PathBuf};

/// Files that tests of several crates read.
fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}
