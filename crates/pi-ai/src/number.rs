//! How numbers cross the JSON boundary: token counts and prices as JavaScript writes them.
//!
//! Session files are shared with programs that print `0`, not `0.0`, and that may hand us `12.0` where a
//! count is meant. Nothing here knows what the numbers stand for.

/// Token counts: read leniently (`12`, `12.0`, `-1` → 0, `null` → 0), written as integers.
pub(crate) mod count {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::json_view::Json;

    /// Reads any JSON number or `null`.
    pub(crate) fn from_value(value: &Json<'_>) -> u64 {
        match value.as_u64() {
            Some(n) => n,
            // `as` saturates, so negative and absurdly large floats stay in range.
            None => value.as_f64().map_or(0, |f| f.max(0.0) as u64),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        Json::deserialize(d).map(|v| from_value(&v))
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde calls")]
    pub(crate) fn serialize<S: Serializer>(n: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_u64(*n)
    }
}

/// Amounts of money: written without a fraction when they are whole.
pub(crate) mod amount {
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_json::Value;

    /// Beyond this a double no longer holds every integer.
    const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        Value::deserialize(d).map(|v| v.as_f64().unwrap_or(0.0))
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde calls")]
    pub(crate) fn serialize<S: Serializer>(n: &f64, s: S) -> Result<S::Ok, S::Error> {
        if n.fract() == 0.0 && n.abs() <= MAX_SAFE_INTEGER { s.serialize_i64(*n as i64) } else { s.serialize_f64(*n) }
    }
}

/// Optional JSON values in which `null` is a value and not an absence.
pub(crate) mod present {
    use serde::{Deserialize, Deserializer};
    use serde_json::Value;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Value>, D::Error> {
        Value::deserialize(d).map(Some)
    }
}
