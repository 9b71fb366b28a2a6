//! Prices as sources write them: numbers, texts, per token or per million tokens.

use serde_json::Value;

use crate::models::rows::Price;

/// Digits behind the decimal point that a price per million tokens keeps; scaling leaves noise in the others.
const SCALE: f64 = 1e9;

/// Dollars per million tokens.
pub(super) fn per_million(price: Option<&Value>) -> Price {
    rounded(number(price))
}

/// Dollars per token, turned into dollars per million.
pub(super) fn per_token(price: Option<&Value>) -> Price {
    rounded(number(price) * 1e6)
}

/// What is missing or no number counts as nothing.
fn number(price: Option<&Value>) -> f64 {
    match price {
        Some(Value::String(text)) => text.trim().parse().unwrap_or(0.0),
        Some(value) => value.as_f64().unwrap_or(0.0),
        None => 0.0,
    }
}

/// A negative price says "it depends"; nothing can be computed from it.
fn rounded(price: f64) -> Price {
    if price.is_finite() && price > 0.0 { Price((price * SCALE).round() / SCALE) } else { Price(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scaling_leaves_no_noise() {
        for (text, expected) in
            [("0.000003", 3.0), ("0.00000025", 0.25), ("0.0000000819", 0.0819), ("-1", 0.0), ("free", 0.0), ("", 0.0)]
        {
            assert_eq!(per_token(Some(&json!(text))).0, expected, "{text}");
        }
        assert_eq!(per_token(Some(&json!(0.0000006))).0, 0.6);
        assert_eq!(per_token(None).0, 0.0);
        assert_eq!(per_million(Some(&json!(0.003625))).0, 0.003625);
        assert_eq!(per_million(Some(&json!(null))).0, 0.0);
    }
}
