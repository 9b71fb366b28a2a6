//! Session files: what is written, what is read, what survives a crash.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may panic")]
#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod branches;
mod context;
mod crash;
mod damage;
mod disk;
#[cfg(unix)]
mod faults;
mod files;
mod found;
mod golden;
#[cfg(unix)]
mod lost;
mod migrate;
mod processes;
mod read_only;
mod reference;
mod support;
mod unanswered;
mod writer;
