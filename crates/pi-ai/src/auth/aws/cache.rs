//! Keeps temporary keys for as long as they are valid: fetching them may take seconds, or ask the user for a code.

use std::collections::HashMap;
use std::sync::Mutex;

use pi_guard::Unpoisoned;

use super::Keys;

/// Keys are fetched anew this long before they expire, in milliseconds.
const MARGIN: i64 = 5 * 60 * 1000;

/// Temporary keys by the sources that they came from.
#[derive(Debug, Default)]
pub(crate) struct KeyCache(Mutex<HashMap<String, Keys>>);

impl KeyCache {
    /// The keys of these sources, if they are still good.
    pub(super) fn get(&self, sources: &str, now_ms: i64) -> Option<Keys> {
        let cached = self.0.lock().unpoisoned().get(sources).cloned();
        cached.filter(|keys| keys.expires.is_some_and(|expires| expires.saturating_sub(MARGIN) > now_ms))
    }

    /// Keeps keys that expire; others are cheap to read again, and may have been changed.
    pub(super) fn put(&self, sources: String, keys: &Keys) {
        if keys.expires.is_some() {
            self.0.lock().unpoisoned().insert(sources, keys.clone());
        }
    }
}
