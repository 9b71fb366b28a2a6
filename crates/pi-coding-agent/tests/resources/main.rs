//! Context files, skills, templates and the system prompt made of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod prompt;
