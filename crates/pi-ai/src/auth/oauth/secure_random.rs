//! Random bytes that nobody can guess, from an injected source. [`crate::Random`] is not fit for this.

use std::fmt::Debug;
use std::sync::Arc;

use crate::error::{Error, LoginError};

/// A source of unpredictable bytes.
pub trait SecureRandom: Debug + Send + Sync {
    /// Fills the whole slice.
    ///
    /// # Errors
    /// [`LoginError::NoEntropy`].
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error>;
}

/// The operating system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemSecureRandom;

impl SecureRandom for SystemSecureRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        #[expect(clippy::disallowed_methods, reason = "the door itself")]
        getrandom::fill(bytes).map_err(|error| Error::Login(LoginError::NoEntropy { detail: error.to_string() }))
    }
}

/// The default source, shared.
pub(super) fn system_secure_random() -> Arc<dyn SecureRandom> {
    Arc::new(SystemSecureRandom)
}
