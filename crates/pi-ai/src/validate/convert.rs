//! Conversions of single values: a value and a wanted type give a value of that type, or nothing.
//!
//! Each function is one cell of the coercion tables; which one applies is decided in `coerce.rs`. Numbers read and
//! print as JavaScript's do, because the same calls must mean the same in both implementations.

use serde_json::{Number, Value};

/// A `type` of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `string`
    String,
    /// `number`
    Number,
    /// `integer`
    Integer,
    /// `boolean`
    Boolean,
    /// `null`
    Null,
    /// `array`
    Array,
    /// `object`
    Object,
}

/// Beyond this a double no longer holds every integer.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

impl Kind {
    /// Reads the schema's spelling.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::String,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "boolean" => Self::Boolean,
            "null" => Self::Null,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    /// The type of a value; whole numbers are integers.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if is_whole(number) => Self::Integer,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// Whether the value is of this type already.
    pub(super) fn matches(self, value: &Value) -> bool {
        let kind = Self::of(value);
        kind == self || (self == Self::Number && kind == Self::Integer)
    }

    /// The conversion that any schema allows.
    pub(super) fn plain(self, value: &Value) -> Option<Value> {
        match (self, value) {
            _ if self.matches(value) => None,
            (Self::String, Value::Null) => Some("".into()),
            (Self::String, _) => to_text(value),
            (Self::Number | Self::Integer, Value::String(text)) => {
                let number = parse_number(text).filter(|_| !text.trim().is_empty())?;
                (self == Self::Number || number.fract() == 0.0).then(|| from_f64(number))?
            }
            (Self::Number | Self::Integer, _) => number_of_flag(value),
            (Self::Boolean, Value::Null) => Some(false.into()),
            (Self::Boolean, Value::String(text)) => text.parse::<bool>().ok().map(Value::Bool),
            (Self::Boolean, Value::Number(_)) => flag_of_number(value),
            (Self::Null, _) if is_nothing(value) => Some(Value::Null),
            _ => None,
        }
    }

    /// The conversion that a schema made for it allows.
    pub(super) fn lenient(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Self::Integer, Value::Number(number)) if !is_whole(number) => from_f64(number.as_f64()?.trunc()),
            _ if self.matches(value) => None,
            (Self::String, Value::Null) => Some("null".into()),
            (Self::String, _) => to_text(value),
            (Self::Number, Value::String(text)) => from_f64(generous_number(text)?),
            (Self::Integer, Value::String(text)) => from_f64(generous_number(text)?.trunc()),
            (Self::Number | Self::Integer, _) => number_of_flag(value),
            (Self::Boolean, Value::Null) => Some(false.into()),
            (Self::Boolean, Value::String(text)) => generous_flag(text).map(Value::Bool),
            (Self::Boolean, Value::Number(_)) => flag_of_number(value),
            (Self::Null, Value::String(text)) => {
                let nothing = ["", "0", "null", "undefined"].iter().any(|word| text.eq_ignore_ascii_case(word));
                nothing.then_some(Value::Null)
            }
            (Self::Null, _) if is_nothing(value) => Some(Value::Null),
            // Not `null`: it means that nothing was given, and a list of one nothing helps nobody.
            (Self::Array, Value::Null) => None,
            (Self::Array, _) => Some(vec![value.clone()].into()),
            _ => None,
        }
    }
}

/// A number as JavaScript prints it.
pub(super) fn number_text(number: &Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    let float = number.as_f64().unwrap_or_default();
    match float.abs() {
        size if size != 0.0 && size < 1e-6 => format!("{float:e}"),
        size if size >= 1e21 => format!("{float:e}").replace('e', "e+"),
        _ => format!("{float}"),
    }
}

fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

fn to_text(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(flag) => Some(flag.to_string().into()),
        Value::Number(number) => Some(number_text(number).into()),
        _ => None,
    }
}

fn number_of_flag(value: &Value) -> Option<Value> {
    match value {
        Value::Null => Some(0.into()),
        Value::Bool(flag) => Some(i64::from(*flag).into()),
        _ => None,
    }
}

fn flag_of_number(value: &Value) -> Option<Value> {
    let number = value.as_f64()?;
    (number == 0.0 || number == 1.0).then(|| Value::Bool(number == 1.0))
}

fn generous_flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

fn generous_number(text: &str) -> Option<f64> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => parse_number(text),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => !flag,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// Reads a number as JavaScript's `Number` does: surrounding blanks, nothing at all (0), and the prefixes `0x`, `0o`
/// and `0b` are fine. Infinities are not numbers of JSON.
fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let prefixed = |radix, digits: &str| {
        let legal = !digits.starts_with('+');
        legal.then(|| u64::from_str_radix(digits, radix).ok()).flatten().map(|number| number as f64)
    };
    match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => return prefixed(16, &text[2..]),
        Some("0o") => return prefixed(8, &text[2..]),
        Some("0b") => return prefixed(2, &text[2..]),
        _ => {}
    }
    let decimal = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | 'e' | 'E');
    match text {
        "" => Some(0.0),
        _ if !text.chars().all(decimal) => None,
        _ => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// `9.0` is the integer 9 to a schema, but not to every reader of the value.
pub(super) fn without_fraction(value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) if number.is_f64() && is_whole(number) => number.as_f64().and_then(from_f64),
        _ => None,
    }
}

fn from_f64(number: f64) -> Option<Value> {
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE_INTEGER {
        return Some((number as i64).into());
    }
    Number::from_f64(number).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_like_javascript() {
        for (text, number) in [
            (" 5 ", Some(5.0)),
            ("1e3", Some(1000.0)),
            ("", Some(0.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("-0x10", None),
            ("0x10", Some(16.0)),
            ("0b11", Some(3.0)),
            ("0x+1", None),
            ("1_000", None),
            ("inf", None),
            ("NaN", None),
            ("1e999", None),
            ("five", None),
        ] {
            assert_eq!(parse_number(text), number, "{text:?}");
        }
    }

    #[test]
    fn numbers_print_like_javascript() {
        for (json, text) in [
            ("1", "1"),
            ("1.0", "1"),
            ("-0.25", "-0.25"),
            ("1e-7", "1e-7"),
            ("0.000001", "0.000001"),
            ("1e21", "1e+21"),
            ("1e20", "100000000000000000000"),
            ("1.5e300", "1.5e+300"),
        ] {
            let number: Number = serde_json::from_str(json).unwrap();
            assert_eq!(number_text(&number), text, "{json}");
        }
    }
}
