//! The interactive mode: a person at a terminal.
//!
//! # Layout
//!
//! | Module | What is in it |
//! |---|---|
//! | `run` | the loop; nothing else draws |
//! | `app` | everything that the loop owns |
//! | `welcome`, `resource_list`, `switch_session` | what is shown first; what was loaded; going on with another session |
//! | `restore`, `restored_entries`, `under_way` | the conversation of a session, drawn from its messages; the entries among them that extensions draw; what goes on meanwhile |
//! | `input`, `keys`, `interrupt`, `submit` | what is typed, and what becomes of it |
//! | `events`, `mailbox` | what the session says |
//! | `ui`, `extension_ui/`, `shortcuts` | requests of extensions; what they draw, and their input; their keys |
//! | `extension_slots/`, `mirror` | what extensions have put on the screen, as data; the copy of the screen that they read |
//! | `attention` | telling the user that something waits while they look elsewhere |
//! | `chat/`, `block_focus` | the conversation as blocks; folding one of them |
//! | `chrome`, `queued`, `status`, `prompt_box`, `footer` | what stays below the conversation |
//! | `panel`, `dialogs`, `selectors/`, `queue_view/` | what takes the editor's place for a while |
//! | `commands/` | commands that begin with a slash |
//! | `context`, `doctor`, `extension_list/` | what fills the model's window; what the terminal can do; what extensions bring |
//! | `completion/`, `files/` | what the editor proposes; an index of files |
//! | `draft` | what was typed and not sent, kept in a file |
//! | `footer_data`, `git_branch`, `file_watch`, `models` | numbers and names of the footer; files that change; changing the model |
//! | `theme_styles`, `styles`, `shared` | the theme as styles; what all blocks are drawn with |
//! | `theming`, `preferences` | which theme is in force; what settings mean for what is there already |
//! | `surface`, `covered` | the terminal, as this mode uses it; rows with others over them |
//! | `outside`, `lent`, `attached` | signals and other clients; the terminal of a client; a screen that is one of several |
//! | `preflight`, `panics` | questions before there is a session; what is said of a panic |
//! | `pictures` | pictures of calls, for terminals that show any |
//! | `clipboard`, `external_editor`, `paste_image`, `suspend` | other programs |
//! | `transcript_view`, `changes`, `branch_messages` | the whole session, to scroll, search and copy; its edits, to quote and take back; its messages |
//! | `viewport`, `conversation_view`, `mouse` | full screen: what of the conversation is in the window; what the mouse does |
//! | `full_screen` | something that is shown instead of everything else |
//! | `rendered`, `transformed`, `asked`, `rendering` | lines that extensions draw for blocks of the conversation; Markdown that they transform; what of both a frame misses; having it done |
//! | `whats_new`, `releases` | what is new since the version before; whether there is a newer one |
//! | `tmux`, `warnings` | what tmux keeps from working; what a subscription may cost |
//! | `jobs`, `notices`, `numbers` | what goes on beside the loop; sentences on their way; numbers as people read them |
//!
//! Escape sequences are written by `pi-tui` alone.

mod app;
mod asked;
mod attached;
mod attention;
mod block_focus;
mod branch_messages;
mod changes;
mod chat;
mod chrome;
mod clipboard;
mod commands;
mod completion;
mod context;
mod conversation_view;
mod covered;
mod dialogs;
mod doctor;
mod draft;
mod events;
mod extension_list;
mod extension_slots;
mod extension_ui;
mod external_editor;
mod file_watch;
mod files;
mod footer;
mod footer_data;
mod full_screen;
mod git_branch;
mod header;
mod input;
mod interrupt;
mod jobs;
mod keys;
mod lent;
mod mailbox;
mod mirror;
mod models;
mod mouse;
mod notices;
mod numbers;
mod outside;
mod panel;
mod panics;
mod paste_image;
mod pictures;
mod preferences;
mod preflight;
mod program_header;
mod prompt_box;
mod queue_view;
mod queued;
mod releases;
mod rendered;
mod rendering;
mod resource_list;
mod restore;
mod restored_entries;
mod run;
mod selectors;
mod shared;
mod shortcuts;
mod status;
mod styles;
mod submit;
mod surface;
mod suspend;
mod switch_session;
mod theme_styles;
mod theming;
mod tmux;
mod transcript_view;
mod transformed;
mod ui;
mod under_way;
mod user_shell;
mod viewport;
mod warnings;
mod welcome;
mod whats_new;

pub(crate) use attached::{Attachment, Senders};
pub(crate) use dialogs::in_parts as question_in_parts;
pub(crate) use lent::{Ended, Lender, LentTerminal, run as run_on_terminal};
pub use notices::Notices;
pub(crate) use outside::ClientSide;
pub use preflight::{AskError, Asker};
pub(crate) use run::run_attached;
pub use run::run_interactive;
pub use selectors::resource_title;
pub use welcome::InteractiveOptions;
