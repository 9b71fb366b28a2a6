//! Anthropic's cache marker, which other formats borrow.

use serde_json::{Value, json};

use crate::options::{CacheRetention, StreamOptions};

/// Key of the marker inside a block.
pub(crate) const CACHE_CONTROL: &str = "cache_control";

/// The marker for the retention in force; `None` when nothing is to be cached.
pub(crate) fn marker(options: &StreamOptions, supports_long: bool) -> Option<Value> {
    match options.resolved_cache_retention() {
        CacheRetention::None => None,
        CacheRetention::Long if supports_long => Some(json!({"type": "ephemeral", "ttl": "1h"})),
        CacheRetention::Short | CacheRetention::Long => Some(json!({"type": "ephemeral"})),
    }
}

/// Puts the marker on a block.
pub(crate) fn mark(block: &mut Value, marker: &Value) {
    if let Value::Object(block) = block {
        block.insert(CACHE_CONTROL.to_owned(), marker.clone());
    }
}
