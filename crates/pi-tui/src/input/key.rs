//! Keys and their modifiers.

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyCode {
    /// A key by the character that it types without Shift, in lower case.
    Char(char),
    /// Escape.
    Escape,
    /// Enter, or Return.
    Enter,
    /// Tab.
    Tab,
    /// The key that deletes backwards.
    Backspace,
    /// The key that deletes forwards.
    Delete,
    /// Insert.
    Insert,
    /// Clear, the middle of a keypad.
    Clear,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// F1 to F12.
    Function(u8),
}

/// A set of modifiers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Modifiers(u8);

impl Modifiers {
    /// None.
    pub const NONE: Self = Self(0);
    /// Shift.
    pub const SHIFT: Self = Self(1);
    /// Alt, or Option.
    pub const ALT: Self = Self(2);
    /// Control.
    pub const CTRL: Self = Self(4);
    /// The key with the mark of the system: Super, Command.
    pub const SUPER: Self = Self(8);

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of the other set is in this one.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set with these bits, in the order of Kitty's protocol; `None` where a bit has no name here. Locks are ignored.
    pub const fn from_bits(bits: u8) -> Option<Self> {
        const LOCKS: u8 = 64 + 128;
        match bits & !LOCKS {
            bits @ 0..=15 => Some(Self(bits)),
            _ => None,
        }
    }
}

/// A key with its modifiers: what a binding names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// What is held with it.
    pub modifiers: Modifiers,
}

impl Key {
    /// A key with modifiers.
    pub const fn new(code: KeyCode, modifiers: Modifiers) -> Self {
        Self { code, modifiers }
    }

    /// A key alone.
    pub const fn plain(code: KeyCode) -> Self {
        Self::new(code, Modifiers::NONE)
    }
}

/// What happens to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyKind {
    /// It goes down.
    Press,
    /// It is held.
    Repeat,
    /// It goes up; only terminals with Kitty's protocol say so.
    Release,
}

/// A key that came from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEvent {
    /// The bytes, as components of extensions get them.
    pub raw: Vec<u8>,
    /// What it may mean, the best reading first; empty for a sequence that nobody knows.
    pub keys: Vec<Key>,
    /// The text that it types, if it types any.
    pub text: Option<String>,
    /// What happens to it.
    pub kind: KeyKind,
}

impl KeyEvent {
    /// Whether it may mean this key.
    pub fn matches(&self, key: Key) -> bool {
        self.keys.contains(&key)
    }

    /// Whether a key goes up.
    pub fn is_release(&self) -> bool {
        self.kind == KeyKind::Release
    }

    /// Whether it is the byte LF: Ctrl+J, or Shift+Enter in terminals that are set up so. An editor begins a new line by it,
    /// whatever is bound, although it may mean Enter too.
    pub fn is_line_feed(&self) -> bool {
        self.raw == b"\n"
    }
}
