//! Numbers as people read them.

/// A count of tokens in at most five characters: `950`, `1.2k`, `50k`, `1.5M`.
pub(super) fn short(count: u64) -> String {
    let value = count as f64;
    match count {
        0..1_000 => count.to_string(),
        1_000..10_000 => format!("{:.1}k", value / 1e3),
        10_000..1_000_000 => format!("{:.0}k", value / 1e3),
        1_000_000..10_000_000 => format!("{:.1}M", value / 1e6),
        _ => format!("{:.0}M", value / 1e6),
    }
}

/// A number with commas: `185,021`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How long ago something was, in milliseconds, as one number: `now`, `5m`, `3h`, `2d`, `6w`, `4mo`, `1y`.
pub(super) fn age(ms: i64) -> String {
    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let units = [(365 * DAY, "y"), (30 * DAY, "mo"), (7 * DAY, "w"), (DAY, "d"), (HOUR, "h"), (MINUTE, "m")];
    match units.into_iter().find(|(unit, _)| ms >= *unit) {
        Some((unit, name)) => format!("{}{name}", ms / unit),
        None => "now".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (count, expected) in [
            (0, "0"),
            (999, "999"),
            (1_200, "1.2k"),
            (50_000, "50k"),
            (999_000, "999k"),
            (1_500_000, "1.5M"),
            (23_000_000, "23M"),
        ] {
            assert_eq!(short(count), expected);
        }
        for (number, expected) in [(0, "0"), (999, "999"), (185_021, "185,021"), (1_000_000, "1,000,000")] {
            assert_eq!(grouped(number), expected);
        }
        const DAY: i64 = 86_400_000;
        for (ms, expected) in [
            (-5, "now"),
            (59_999, "now"),
            (60_000, "1m"),
            (DAY - 1, "23h"),
            (6 * DAY, "6d"),
            (29 * DAY, "4w"),
            (60 * DAY, "2mo"),
            (800 * DAY, "2y"),
        ] {
            assert_eq!(age(ms), expected);
        }
    }
}
