//! Short names for texts of any length.

use sha2::{Digest, Sha256};

/// The first hexadecimal digits of a text's SHA-256.
pub(crate) fn hex_hash(text: &str, digits: usize) -> String {
    let bytes = Sha256::digest(text.as_bytes());
    bytes.iter().take(digits / 2).map(|byte| format!("{byte:02x}")).collect()
}
