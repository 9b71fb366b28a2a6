//! A session as a program that embeds it meets it: a scripted model, settings and sessions in memory, no clock to wait for.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod callbacks;
mod compact;
mod compaction;
mod cut_off;
mod cycle_model;
mod embedding;
mod examples;
mod export;
mod interleavings;
mod logins;
mod looking;
mod model_switch;
mod navigate;
mod new_session;
mod pool;
mod prompting;
mod queue_changes;
mod retry;
mod runtime;
mod sdk_names;
mod sessions;
mod shell;
mod stats;
mod support;
mod tools;
