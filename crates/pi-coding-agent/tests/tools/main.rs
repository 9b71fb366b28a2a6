//! The built-in tools, driven as the agent loop drives them: JSON arguments in, results out, real files and processes.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers outside #[test] functions fail tests

mod again;
mod as_programs;
mod bash;
mod diff;
mod edit;
mod elsewhere;
mod find;
mod grep;
mod images;
mod in_order;
mod keeping;
mod ls;
mod mutation_queue;
mod paths;
mod policy;
mod processes;
mod read;
mod registry;
mod replacing;
mod searches;
mod support;
mod truncate;
mod write;
