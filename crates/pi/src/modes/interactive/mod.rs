//! The interactive mode: a person at a terminal.
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `run` | the loop; nothing else draws |
//! | `app` | everything that the loop owns |
//! | `start`, `loaded`, `restore`, `replacing` | what is shown first; what was loaded; the conversation of a session, drawn from its messages; going on with another |
//! | `input`, `keys`, `interrupt`, `submit` | what is typed, and what becomes of it |
//! | `events`, `mailbox` | what the session says |
//! | `ui` | what extensions ask and tell |
//! | `chat/` | the conversation as blocks |
//! | `chrome`, `pending`, `status`, `prompt_box`, `footer`, `slots` | what stays below the conversation |
//! | `panel`, `questions`, `selectors/` | what takes the editor's place for a while |
//! | `commands/` | commands that begin with a slash |
//! | `completion/`, `files/` | what the editor proposes; an index of files |
//! | `draft` | what was typed and not sent, kept in a file |
//! | `figures`, `git_branch`, `watch`, `models` | numbers and names of the footer; files that change; changing the model |
//! | `look`, `styles`, `shared` | the theme as styles; what all blocks are drawn with |
//! | `theming`, `preferences` | which theme is in force; what settings mean for what is there already |
//! | `surface` | the terminal, as this mode uses it |
//! | `before` | questions before there is a session |
//! | `pictures` | pictures of calls, for terminals that show any |
//! | `clipboard`, `external_editor`, `paste_image`, `suspend` | other programs |
//! | `news`, `releases` | what is new since the version before; whether there is a newer one |
//! | `tmux`, `warnings` | what tmux keeps from working; what a subscription may cost |
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
mod context;
mod draft;
mod events;
mod external_editor;
mod figures;
mod files;
mod footer;
mod git_branch;
mod input;
mod interrupt;
mod jobs;
mod keys;
mod loaded;
mod look;
mod mailbox;
mod models;
mod news;
mod notices;
mod numbers;
mod panel;
mod paste_image;
mod pending;
mod pictures;
mod preferences;
mod prompt_box;
mod questions;
mod releases;
mod replacing;
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
mod theming;
mod tmux;
mod ui;
mod warnings;
mod watch;

pub use before::{AskError, Asker};
pub use notices::Notices;
pub use run::run_interactive;
pub use start::InteractiveOptions;
