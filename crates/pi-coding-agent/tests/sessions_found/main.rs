//! Finding sessions: lists, what `--session` means, search.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may panic")]

mod find;
mod generated;
mod list;
mod naive;
mod same;
mod support;
