//! The interactive mode: a person at a terminal.
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `run` | the loop; nothing else draws |
//! | `app` | everything that the loop owns |
//! | `start`, `restore` | what is shown first; the conversation of a session, drawn from its messages |
//! | `input`, `keys`, `interrupt`, `submit` | what is typed, and what becomes of it |
//! | `events`, `mailbox` | what the session says |
//! | `ui` | what extensions ask and tell |
//! | `chat/` | the conversation as blocks |
//! | `chrome`, `pending`, `status`, `prompt_box`, `footer`, `slots` | what stays below the conversation |
//! | `panel`, `questions`, `selectors/` | what takes the editor's place for a while |
//! | `commands/` | commands that begin with a slash |
//! | `completion` | what the editor proposes |
//! | `figures`, `git_branch`, `models` | numbers and names of the footer; changing the model |
//! | `look`, `styles`, `shared` | the theme as styles; what all blocks are drawn with |
//! | `surface`, `terminal` | the terminal, as this mode uses it, and as it is handed over |
//! | `before` | questions before there is a session |
//! | `clipboard`, `external_editor`, `paste_image`, `suspend` | other programs |
//! | `jobs`, `notices`, `numbers` | what goes on beside the loop; sentences on their way; numbers as people read them |
//!
//! Escape sequences are written by `pi-tui` alone.

mod app;
mod before;
mod chat;
mod chrome;
mod clipboard;
mod commands;
mod completion;
mod events;
mod external_editor;
mod figures;
mod footer;
mod git_branch;
mod input;
mod interrupt;
mod jobs;
mod keys;
mod look;
mod mailbox;
mod models;
mod notices;
mod numbers;
mod panel;
mod paste_image;
mod pending;
mod prompt_box;
mod questions;
mod restore;
mod run;
mod selectors;
mod shared;
mod slots;
mod start;
mod status;
mod styles;
mod submit;
mod surface;
mod suspend;
mod term_stand_in;
mod terminal;
mod ui;

pub use before::{AskError, Asker};
pub use notices::Notices;
pub use run::run_interactive;
pub use start::InteractiveOptions;
