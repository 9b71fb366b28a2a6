//! The loop's event order, one module per theme. Notation: `S(x)`/`E(x)` message start and end, `U` an update,
//! `xs`/`xu`/`xe` a tool execution's start, update and end (`!` marks a failure).
// Helpers outside of `#[test]` functions may panic: that is how they fail a test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod abort;
mod adapters;
mod errors;
mod plain;
mod queues;
mod support;
mod tools;
