//! Options on the command line that extensions bring.

use serde::Serialize;

/// An option `--name`.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// Name without dashes.
    pub name: String,
    /// For `--help`.
    pub description: Option<String>,
    /// Whether it takes a value.
    pub kind: FlagKind,
    /// The value when the option is not given.
    pub default: Option<FlagValue>,
}

impl Flag {
    /// A flag that is there or not.
    pub fn boolean(name: impl Into<String>) -> Self {
        Self { name: name.into(), description: None, kind: FlagKind::Boolean, default: None }
    }

    /// A flag with a value.
    pub fn string(name: impl Into<String>) -> Self {
        Self { name: name.into(), description: None, kind: FlagKind::String, default: None }
    }

    /// Says what it is for.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// The value when the option is not given.
    #[must_use]
    pub fn default(mut self, value: impl Into<FlagValue>) -> Self {
        self.default = Some(value.into());
        self
    }
}

/// Whether a flag takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagKind {
    /// None.
    Boolean,
    /// The next argument.
    String,
}

/// The value of a flag.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum FlagValue {
    /// Given or not.
    Boolean(bool),
    /// A text.
    String(String),
}

impl From<bool> for FlagValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<&str> for FlagValue {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<String> for FlagValue {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}
