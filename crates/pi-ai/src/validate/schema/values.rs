//! Equality, order and divisibility of JSON values: `1` and `1.0` are the same number.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// Whether two values are the same.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b) == Some(Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// Which of two numbers is the larger one.
pub(super) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => compare_mixed(a, b.as_f64()?),
        (None, Some(b)) => compare_mixed(b, a.as_f64()?).map(Ordering::reverse),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// An integer and a fraction: large integers are not what they are as a fraction.
fn compare_mixed(a: i128, b: f64) -> Option<Ordering> {
    // Beyond this every number with a fraction part in its type is outside of what an integer can be here.
    if b.is_nan() {
        return None;
    }
    let floor = b.floor();
    if floor.abs() > 1e30 {
        return Some(if floor > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let order = a.cmp(&(floor as i128));
    Some(if order == Ordering::Equal && b > floor { Ordering::Less } else { order })
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Whether a number has no fraction part.
pub(super) fn is_whole(number: &Number) -> bool {
    whole(number).is_some() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Whether a number is written without a fraction part; of numbers too large for an integer that is not known any more.
pub(super) fn is_written_whole(number: &Number) -> bool {
    whole(number).is_some() || number.as_f64().is_some_and(|number| number.abs() >= 18_446_744_073_709_551_616.0)
}

/// Whether a number is a multiple of another one, as their decimal digits have it: `0.3` is a multiple of `0.1`.
pub(super) fn is_multiple(number: &Number, unit: &Number) -> bool {
    match (Decimal::of(number), Decimal::of(unit)) {
        (Some(number), Some(unit)) => number.is_multiple_of(unit),
        _ => number.as_f64().zip(unit.as_f64()).is_some_and(|(number, unit)| number % unit == 0.0),
    }
}

/// `digits × 10^exponent`.
#[derive(Clone, Copy)]
struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// A number as it is written; `None` when it has more digits than fit.
    fn of(number: &Number) -> Option<Self> {
        let text = number.to_string();
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}").parse().ok()?;
        let exponent: i32 = exponent.trim_start_matches('+').parse().ok()?;
        Some(Self { digits, exponent: exponent.checked_sub(i32::try_from(fraction.len()).ok()?)? })
    }

    fn is_multiple_of(self, unit: Self) -> bool {
        let exponent = self.exponent.min(unit.exponent);
        match (self.scaled(exponent), unit.scaled(exponent)) {
            (_, Some(0)) => false,
            (Some(number), Some(unit)) => number % unit == 0,
            // A number with so many zeros at its end that it does not fit.
            (None, Some(unit)) => self.remainder_is_zero(exponent, unit),
            _ => false,
        }
    }

    /// The digits at a smaller exponent.
    fn scaled(self, exponent: i32) -> Option<i128> {
        self.digits.checked_mul(10_i128.checked_pow(u32::try_from(self.exponent - exponent).ok()?)?)
    }

    /// Takes the zeros one by one, modulo the unit.
    fn remainder_is_zero(self, exponent: i32, unit: i128) -> bool {
        let step = |rest: Option<i128>, _| rest.and_then(|rest| rest.checked_mul(10)).map(|rest| rest % unit);
        (exponent..self.exponent).fold(Some(self.digits % unit), step) == Some(0)
    }
}
