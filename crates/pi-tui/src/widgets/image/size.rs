//! The size of a picture from its first bytes.

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// A size in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pixels {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// Characters of Base64 with which a picture tells its size. JPEG does so behind previews, which are rarely longer.
const HEAD: usize = 64;
const HEAD_OF_JPEG: usize = 1 << 20;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The size of a picture in Base64: PNG, JPEG, GIF or WebP.
pub(super) fn pixels_of(base64: &str) -> Option<Pixels> {
    let head = decoded(base64, HEAD)?;
    let (width, height) = match head.get(..4)? {
        b"\x89PNG" => (big(&head, 16, 4)?, big(&head, 20, 4)?),
        b"GIF8" => (little(&head, 6, 2)?, little(&head, 8, 2)?),
        b"RIFF" => webp(&head)?,
        [0xff, 0xd8, ..] => jpeg(&decoded(base64, HEAD_OF_JPEG)?)?,
        _ => return None,
    };
    (width > 0 && height > 0).then_some(Pixels { width, height })
}

fn decoded(base64: &str, characters: usize) -> Option<Vec<u8>> {
    let length = base64.len().min(characters);
    LENIENT.decode(base64.as_bytes().get(..length - length % 4)?).ok()
}

fn big(data: &[u8], at: usize, size: usize) -> Option<u32> {
    Some(data.get(at..at + size)?.iter().fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

fn little(data: &[u8], at: usize, size: usize) -> Option<u32> {
    Some(data.get(at..at + size)?.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

/// Looks for the start of a frame among the segments.
fn jpeg(data: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        match (*data.get(at)?, *data.get(at + 1)?) {
            // Three of these numbers are tables.
            (0xff, 0xc0..=0xcf) if !matches!(data[at + 1], 0xc4 | 0xc8 | 0xcc) => {
                return Some((big(data, at + 7, 2)?, big(data, at + 5, 2)?));
            }
            (0xff, 0xff) | (0..=0xfe, _) => at += 1,
            _ => at += 2 + big(data, at + 2, 2)? as usize,
        }
    }
}

fn webp(data: &[u8]) -> Option<(u32, u32)> {
    Some(match data.get(12..16)? {
        b"VP8 " => (little(data, 26, 2)? & 0x3fff, little(data, 28, 2)? & 0x3fff),
        b"VP8L" => {
            let bits = little(data, 21, 4)?;
            ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
        }
        b"VP8X" => (little(data, 24, 3)? + 1, little(data, 27, 3)? + 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::STANDARD;

    use super::*;

    #[test]
    fn sizes_are_read() {
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x03\0\x05\x03\x01\x22\0\x02\x11\x01";
        let webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x1f\0\0";
        for (bytes, expected) in [
            (&b"GIF89a\x02\0\x01\0\0\0"[..], Some((2, 1))),
            (jpeg, Some((5, 3))),
            (webp, Some((16, 32))),
            (b"\x89PNG", None),
            (b"GIF89a\0\0\0\0\0\0", None),
            (b"", None),
        ] {
            let found = pixels_of(&STANDARD.encode(bytes)).map(|pixels| (pixels.width, pixels.height));
            assert_eq!(found, expected, "{bytes:?}");
        }
        assert_eq!(pixels_of("é no base"), None);
    }
}
