//! The extension seam as an extension in the same process meets it: a scripted model, real files, no clock to wait for.
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod acting;
mod combine;
mod ending;
mod events_page;
mod failing;
mod files;
mod json_answers;
mod json_events;
mod lifecycle;
mod loopback;
mod order;
mod providers;
mod requests;
mod resources;
mod sending;
mod support;
