//! A short, stable hash of a string, for ids that providers limit in length. Not for security.

/// Two 32-bit accumulators over the UTF-16 units, written in base 36. Other programs compute the same value.
pub(crate) fn short_hash(text: &str) -> String {
    let (mut high, mut low) = (0xDEAD_BEEF_u32, 0x41C6_CE57_u32);
    for unit in text.encode_utf16() {
        high = (high ^ u32::from(unit)).wrapping_mul(2_654_435_761);
        low = (low ^ u32::from(unit)).wrapping_mul(1_597_334_677);
    }
    high = mix(high, 16, 2_246_822_507) ^ mix(low, 13, 3_266_489_909);
    low = mix(low, 16, 2_246_822_507) ^ mix(high, 13, 3_266_489_909);
    base36(low) + &base36(high)
}

fn mix(value: u32, shift: u32, factor: u32) -> u32 {
    (value ^ (value >> shift)).wrapping_mul(factor)
}

fn base36(mut value: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(value % 36, 36));
        value /= 36;
        if value == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::short_hash;

    #[test]
    fn agrees_with_other_implementations() {
        for (text, expected) in [
            ("", "k4n83c7h0j2b"),
            ("a", "m8735310ae7sx"),
            ("call_1", "oofa47di3203"),
            ("fc_veryLong+/=abc", "14urip43bosle"),
            ("toolcall:0", "1nlso9v7di2pi"),
            ("hello world", "n7rb4n1m39uz8"),
            ("日本", "hnl6991dgkw0l"),
        ] {
            assert_eq!(short_hash(text), expected, "{text:?}");
        }
    }
}
