//! Text to bytes and back, in the encodings of `Buffer` and `TextDecoder`.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose};

use crate::engine::OpTable;
use crate::op::{Args, Data, OpError, OpResult};

/// Takes base64 as it comes: without padding, and with bits at the end that mean nothing.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The characters of windows-1252 from 0x80 to 0x9f, where it is not Latin 1.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}',
    '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}',
    '\u{17e}', '\u{178}',
];

pub(super) fn add(ops: &mut OpTable) {
    ops.add_sync("encoding.encode", |_, mut args| {
        let text = args.text(0)?;
        Ok(Data::Bytes(encode(text, &args.text(1)?)?))
    });
    ops.add_sync("encoding.decode", |_, args| decode_op(args));
}

fn decode_op(mut args: Args) -> OpResult {
    let bytes = args.bytes(0)?;
    let encoding = args.text(1)?;
    let is_fatal = args.json(2).and_then(|value| value.as_bool()).unwrap_or_default();
    Ok(Data::Text(decode(bytes, &encoding, is_fatal)?))
}

fn encode(text: String, encoding: &str) -> Result<Vec<u8>, OpError> {
    Ok(match encoding {
        "utf8" | "utf-8" => text.into_bytes(),
        // The low byte of each unit, as Node has it.
        "latin1" | "ascii" => text.encode_utf16().map(|unit| unit as u8).collect(),
        "utf16le" | "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "hex" => from_hex(text.as_bytes()),
        "base64" | "base64url" => from_base64(text.as_bytes()),
        other => return Err(unknown(other)),
    })
}

fn decode(bytes: Vec<u8>, encoding: &str, is_fatal: bool) -> Result<String, OpError> {
    Ok(match encoding {
        "utf8" | "utf-8" => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) if is_fatal => return Err(invalid("utf-8")),
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        },
        "latin1" => bytes.into_iter().map(char::from).collect(),
        "ascii" => bytes.into_iter().map(|byte| char::from(byte & 0x7f)).collect(),
        "windows-1252" => bytes.into_iter().map(windows_1252).collect(),
        "utf16le" | "utf-16le" => from_utf16(&bytes, is_fatal)?,
        "hex" => to_hex(&bytes),
        "base64" => general_purpose::STANDARD.encode(bytes),
        "base64url" => general_purpose::URL_SAFE_NO_PAD.encode(bytes),
        other => return Err(unknown(other)),
    })
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn from_utf16(bytes: &[u8], is_fatal: bool) -> Result<String, OpError> {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    if !is_fatal {
        return Ok(String::from_utf16_lossy(&units));
    }
    match String::from_utf16(&units) {
        Ok(text) if bytes.len().is_multiple_of(2) => Ok(text),
        _ => Err(invalid("utf-16le")),
    }
}

fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// Ends at the first pair that is not hexadecimal, as Node does.
fn from_hex(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    text.chunks_exact(2).map_while(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

/// Both alphabets; skips what belongs to neither and ends at the padding.
fn from_base64(text: &[u8]) -> Vec<u8> {
    let mut digits: Vec<u8> = text
        .iter()
        .take_while(|byte| **byte != b'=')
        .filter_map(|byte| match byte {
            b'-' => Some(b'+'),
            b'_' => Some(b'/'),
            b'+' | b'/' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => Some(*byte),
            _ => None,
        })
        .collect();
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    LENIENT.decode(digits).unwrap_or_default()
}

fn invalid(encoding: &str) -> OpError {
    OpError::type_error(format!("The encoded data was not valid for encoding {encoding}"))
        .with("code", "ERR_ENCODING_INVALID_ENCODED_DATA")
}

fn unknown(encoding: &str) -> OpError {
    OpError::type_error(format!("Unknown encoding: {encoding}")).with("code", "ERR_UNKNOWN_ENCODING")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_returns_what_it_was_given() {
        for (encoding, text) in [
            ("utf8", "a€😀\0"),
            ("utf16le", "a€😀\0"),
            ("latin1", "aÿ\0"),
            ("hex", "00ff7f"),
            ("base64", "AP9/"),
            ("base64url", "AP9_"),
        ] {
            let bytes = encode(text.to_owned(), encoding).unwrap();
            assert_eq!(decode(bytes, encoding, true).unwrap(), text, "{encoding}");
        }
    }

    #[test]
    fn what_is_damaged_is_read_as_far_as_it_goes() {
        assert_eq!(from_hex(b"0a1gff"), [10]);
        assert_eq!(from_base64(b"aGk=aGk"), b"hi");
        assert_eq!(from_base64(b"a G\nk"), b"hi");
        assert_eq!(from_base64(b"aGlha"), b"hia");
        assert_eq!(decode(vec![b'a', 0xe2, 0x82, b'b'], "utf8", false).unwrap(), "a\u{fffd}b");
        assert!(decode(vec![0xff], "utf8", true).is_err());
        assert_eq!(decode(vec![0x80, 0xe9], "windows-1252", false).unwrap(), "€é");
    }
}
