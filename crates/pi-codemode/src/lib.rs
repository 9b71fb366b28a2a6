//! `codemode`: a tool in which the model writes a script that calls its other tools and returns one result. What lies
//! between those calls does not go through the model.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids"))]
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `tool` | the tool: what the model is told, and what it gets |
//! | `script` | one run of a script in an engine of its own |
//! | `calls` | the calls that it makes |
//! | `value` | results of tools as values of the script |
//! | `console` | what it writes to its console |
//! | `output` | what becomes of all that, no longer than a conversation bears |
//! | `limits` | how much of everything |

mod calls;
mod console;
mod limits;
mod output;
mod script;
mod tool;
mod value;

pub use tool::{CodeMode, NAME};
