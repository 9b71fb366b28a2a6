//! The largest answer that a model call keeps in memory, in one place for all wire formats and for the proxy.
//!
//! A server that never stops must not fill the memory. What counts is the message: text, thinking, tool arguments,
//! signatures and the blocks themselves. Bytes of the body that become no content (framing, keep-alives, frames
//! without meaning) are counted as well, under a limit that is far wider: servers wrap each token in hundreds of bytes.

use crate::error::{AnswerError, Error};
use crate::model::Model;
use crate::partial::Partial;

/// Bytes of content per token of the model's output limit. Tokens have four bytes on average; none has 32.
const BYTES_PER_TOKEN: u64 = 32;
/// The least limit in bytes, for models whose output limit is small or unknown.
const LEAST: u64 = 16 << 20;
/// The largest limit in bytes, whatever a configuration says.
const MOST: u64 = 256 << 20;
/// Bytes of the body per byte of content that the limit allows.
const BODY_FACTOR: u64 = 16;
/// The message is measured again after this share of its limit has arrived, so that a delta costs nothing.
const MEASURED_EACH: u64 = 16;

/// The limit of one answer, and how much of it has arrived.
#[derive(Debug, Clone)]
pub struct AnswerLimit {
    /// Limit of the content, in bytes.
    content: u64,
    /// Bytes of the body so far.
    body: u64,
    /// Bytes of the body when the message was measured last.
    measured_at: u64,
}

impl AnswerLimit {
    /// The limit for answers of a model: 32 bytes for each token of its output limit, at least 16 MiB.
    pub fn of(model: &Model) -> Self {
        let content = model.max_tokens.saturating_mul(BYTES_PER_TOKEN).clamp(LEAST, MOST);
        Self { content, body: 0, measured_at: 0 }
    }

    /// Counts bytes of the body.
    pub fn count(&mut self, bytes: usize) {
        self.body += bytes as u64;
    }

    /// Measures the message once enough has arrived since the last time.
    ///
    /// # Errors
    /// [`AnswerError::TooLarge`] over the limit.
    pub fn check(&mut self, message: &Partial) -> Result<(), Error> {
        if self.body - self.measured_at < self.content / MEASURED_EACH {
            return Ok(());
        }
        self.measured_at = self.body;
        let is_over = self.body / BODY_FACTOR > self.content || message.size() as u64 > self.content;
        if is_over { Err(Error::Answer(AnswerError::TooLarge { limit: self.content })) } else { Ok(()) }
    }
}
