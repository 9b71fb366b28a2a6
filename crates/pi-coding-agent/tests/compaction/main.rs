//! Compaction: where a branch is cut, what is asked of the summarising model, what becomes of the answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod branch_summary;
mod cut_point;
mod guarantees;
mod prepare;
mod properties;
mod retention;
mod sizes;
mod summaries;
mod support;
