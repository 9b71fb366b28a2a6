//! Incomplete JSON text, as tool arguments arrive.

use serde_json::{Map, Value};

/// Reads JSON text piece by piece.
#[derive(Debug, Clone, Default)]
pub struct PartialJson {
    text: String,
}

impl PartialJson {
    /// Appends a piece.
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    /// What the text says so far.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| Value::Object(Map::new()))
    }
}
