//! The one place where a replay stops: its first difference from the recording.

use std::sync::{Arc, OnceLock};

/// Where a run first differed from its recording, shared by all who replay it. What comes after that cannot fit either and
/// would only hide the cause.
#[derive(Debug, Clone, Default)]
pub struct Divergence(Arc<OnceLock<String>>);

impl Divergence {
    /// Reports a difference; the first one counts, and is returned.
    pub fn report(&self, message: String) -> &str {
        self.0.get_or_init(|| message)
    }

    /// The first difference, if there was one.
    pub fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}
