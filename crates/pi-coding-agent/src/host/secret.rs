//! Text that must never be printed by accident.

use std::fmt;

/// A key, a token or a header that may carry one. `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Wraps a credential. From now on no error text, session or cassette of this process shows it.
    pub(crate) fn remembered(text: impl Into<String>) -> Self {
        let secret = Self(text.into());
        pi_ai::remember_secret(&secret.0);
        secret
    }

    /// The text, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
