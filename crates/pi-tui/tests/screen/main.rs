//! The frame engine and the document, in a terminal with history and reflow.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests fail loudly")]

mod basics;
mod exactness;
mod golden;
mod sameness;
mod stage;
mod tmux;
