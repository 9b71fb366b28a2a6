//! The program `pi`: the only crate that knows a command line. What a session does belongs to `pi-coding-agent`.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids"))]
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | [`cli`] | the command line: arguments, start-up, subcommands, exit codes |
//! | [`modes`] | the ways to run: print, JSON, RPC, interactive |
//! | `common` | what the command line and the interactive mode both do |

pub mod cli;
mod common;
pub mod modes;

/// The page for people who write extensions, so that its example is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extensions.md")]
mod page {}
