//! What comes from a terminal: bytes cut into sequences, and what each means.
//!
//! `key` names keys. Nothing here knows what a key does: that is `keymap`.

mod key;

pub use key::{Key, KeyCode, KeyEvent, KeyKind, Modifiers};

/// Something that came from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key.
    Key(KeyEvent),
    /// Pasted text, as it came: neither line ends nor control characters are changed.
    Paste(String),
    /// The terminal has the focus, or has lost it (`?1004`).
    Focus(bool),
    /// An answer to a question of ours. It never reaches a widget.
    Reply(Vec<u8>),
}
