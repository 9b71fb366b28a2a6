//! How operations fail: as errors that the script can catch.

use serde_json::{Map, Value};

use super::data::Data;

/// What an operation gives the script.
pub type OpResult = Result<Data, OpError>;

/// An error for the script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpError {
    /// The class: `Error`, `TypeError`, `RangeError`, `AbortError`; empty means `Error`.
    pub name: String,
    /// In words.
    pub message: String,
    /// Further properties, such as `code`, `errno`, `syscall` and `path` of Node's errors.
    pub properties: Map<String, Value>,
}

impl OpError {
    /// An `Error`.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// A `TypeError`.
    pub fn type_error(message: impl Into<String>) -> Self {
        Self { name: "TypeError".to_owned(), ..Self::new(message) }
    }

    /// What a cancelled operation ends with.
    pub fn aborted() -> Self {
        let name = "AbortError".to_owned();
        Self { name, ..Self::new("This operation was aborted") }.with("code", "ABORT_ERR")
    }

    /// The same with one property more.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.properties.insert(key.to_owned(), value.into());
        self
    }
}

impl std::fmt::Display for OpError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for OpError {}
