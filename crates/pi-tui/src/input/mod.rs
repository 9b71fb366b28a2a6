//! What comes from a terminal: bytes cut into sequences, and what each means.
//!
//! `key` names keys. `splitter` cuts bytes, by `sequence` (where one ends), `paste` and `reply`; `decode` says what a key's
//! bytes mean, by `bytes` (single ones), `sequences`, `mouse` what a report of the mouse says, by `control` (their parts) and `names_table`. Nothing here knows what a key
//! does: that is `keymap`; nothing reads from a terminal.

mod bytes;
mod control;
mod decode;
mod key;
mod mouse;
mod names_table;
mod paste;
mod reply;
mod sequence;
mod sequences;
mod splitter;

pub(crate) use bytes::is_named;
pub use decode::Dialect;
pub use key::{Key, KeyCode, KeyEvent, KeyKind, Modifiers};
pub use mouse::{MouseButton, MouseEvent, MouseKind};
pub use splitter::Splitter;

/// Something that came from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key.
    Key(KeyEvent),
    /// Pasted text, as it came: neither line ends nor control characters are changed.
    Paste(String),
    /// The terminal has the focus, or has lost it (`?1004`).
    Focus(bool),
    /// The mouse did something, where it is ours.
    Mouse(MouseEvent),
    /// An answer to a question of ours. It never reaches a widget.
    Reply(Vec<u8>),
}
