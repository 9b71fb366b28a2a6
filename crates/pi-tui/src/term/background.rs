//! Whether text stands on dark or on light ground.

/// What is behind text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Text should be light.
    Dark,
    /// Text should be dark.
    Light,
}

const DARK: &[u8] = b"\x1b[?997;1n";
const LIGHT: &[u8] = b"\x1b[?997;2n";

impl Ground {
    /// What an answer of the terminal tells: to [`Query::Background`](super::Query::Background), to
    /// [`Query::Colors`](super::Query::Colors), or a notice that the colours have changed. `None` for other answers.
    pub fn of_reply(reply: &[u8]) -> Option<Self> {
        match reply {
            DARK => return Some(Self::Dark),
            LIGHT => return Some(Self::Light),
            _ => {}
        }
        let text = std::str::from_utf8(reply).ok()?.strip_prefix("\x1b]11;")?;
        Self::of_color(text.trim_end_matches(['\x07', '\x1b', '\\']))
    }

    /// Whether this tells the system's wish, and not what is behind the text.
    pub fn is_notice(reply: &[u8]) -> bool {
        matches!(reply, DARK | LIGHT)
    }

    /// What the variable `COLORFGBG` says: colours of text and of what is behind it, by number.
    pub fn of_variable(value: &str) -> Option<Self> {
        match value.rsplit(';').next()?.trim().parse::<u8>().ok()? {
            0..=6 | 8 => Some(Self::Dark),
            7 | 9..=15 => Some(Self::Light),
            _ => None,
        }
    }

    /// A colour as X names it: `rgb:rrrr/gggg/bbbb` with 1 to 4 digits each, perhaps with a fourth part, or `#rrggbb`.
    fn of_color(text: &str) -> Option<Self> {
        let [red, green, blue] = match text.strip_prefix('#') {
            Some(digits) => parts(digits)?,
            None => {
                let mut parts = text.strip_prefix("rgba:").or_else(|| text.strip_prefix("rgb:"))?.split('/');
                [share(parts.next()?)?, share(parts.next()?)?, share(parts.next()?)?]
            }
        };
        let brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        Some(if brightness > 0.5 { Self::Light } else { Self::Dark })
    }
}

/// Three numbers of the same length in one.
fn parts(digits: &str) -> Option<[f64; 3]> {
    let length = digits.len() / 3;
    if !digits.is_ascii() || length == 0 || !digits.len().is_multiple_of(3) {
        return None;
    }
    Some([share(&digits[..length])?, share(&digits[length..2 * length])?, share(&digits[2 * length..])?])
}

/// A hexadecimal number as a share of the highest of its length.
fn share(digits: &str) -> Option<f64> {
    let highest = (1_u64 << (4 * digits.len().clamp(1, 8))) - 1;
    (digits.len() <= 8)
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
        .map(|part| f64::from(part) / highest as f64)
}

#[cfg(test)]
mod tests {
    use super::Ground::{Dark, Light};
    use super::*;

    #[test]
    fn replies() {
        for (reply, expected) in [
            ("\x1b]11;rgb:0000/0000/0000\x1b\\", Some(Dark)),
            ("\x1b]11;rgb:ffff/ffff/ffff\x07", Some(Light)),
            ("\x1b]11;rgb:1e/1e/2e\x07", Some(Dark)),
            ("\x1b]11;rgba:fdfd/f6f6/e3e3/ffff\x07", Some(Light)),
            ("\x1b]11;#fdf6e3\x07", Some(Light)),
            // Blue is dark, however much of it there is; green is light.
            ("\x1b]11;rgb:00/00/ff\x07", Some(Dark)),
            ("\x1b]11;rgb:00/ff/00\x07", Some(Light)),
            ("\x1b[?997;1n", Some(Dark)),
            ("\x1b[?997;2n", Some(Light)),
            ("\x1b[?62;4c", None),
            ("\x1b]10;rgb:ff/ff/ff\x07", None),
            ("\x1b]11;rgb:ff/ff\x07", None),
            ("\x1b]11;\x07", None),
            ("\x1b]11;#\x07", None),
        ] {
            assert_eq!(Ground::of_reply(reply.as_bytes()), expected, "{reply:?}");
        }
    }

    #[test]
    fn variables() {
        for (value, expected) in [
            ("15;0", Some(Dark)),
            ("0;15", Some(Light)),
            ("0;default;7", Some(Light)),
            ("12;8", Some(Dark)),
            ("x", None),
        ] {
            assert_eq!(Ground::of_variable(value), expected, "{value}");
        }
    }
}
