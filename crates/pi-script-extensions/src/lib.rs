//! Extensions in files of TypeScript and JavaScript. What a script may do and what it is told stands here; how it runs belongs to
//! `pi-script`, what an extension is to `pi-coding-agent`.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids"))]
//!
//! # How it works
//!
//! Each has an engine of its own (`pi-script`), started when the extension is prepared, kept while sessions come and go,
//! and ended when nobody holds the extension any more. What scripts find there is in `js/`; what that asks of the program
//! is in `ops/`.
//!
//! | File | What is in it |
//! |---|---|
//! | `extension` | a file as an extension, and what loads it |
//! | `host` | the engine of one extension, and what it needs |
//! | `options`, `state/` | how scripts run; what lives between their calls |
//! | `contexts` | the sessions that an extension serves, by number |
//! | `link`, `outbox` | the way to functions of the script; what it says without waiting |
//! | `limits` | what an extension may use up, and do on the machine |
//! | `ops/` | what scripts ask of the program |
//! | `events`, `changes`, `tool`, `operations`, `provider/`, `view` | what the program asks of scripts |
//! | `terminal` | the terminal of the screen: children of scripts on it, their console beside it |
//! | `modules`, `exports`, `text` | the modules that scripts can import, and the tables of Unicode for them |
//! | `errors` | failures on their way between the two |

mod changes;
mod contexts;
mod errors;
mod events;
mod exports;
mod extension;
mod fetch;
mod host;
mod limits;
mod link;
mod modules;
mod operations;
mod ops;
mod options;
mod outbox;
mod provider;
mod state;
mod terminal;
mod text;
mod tool;
mod view;

pub use extension::{ScriptExtension, Scripts};
pub use options::{ParseCommandLine, ScriptOptions};

/// Gives an engine the modules that extensions can import without a file, such as `typebox` and `pi-tui`. The engines of
/// extensions have them; this is for programs that run scripts of their own.
pub fn provide_modules(options: &mut pi_script::EngineOptions) {
    options.modules = modules::table();
    text::add(&mut options.ops);
}
