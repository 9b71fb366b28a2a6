//! The spellings of a credential: as it is, and as servers and clients write it into URLs, JSON and headers.

use std::fmt::Write;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};

use super::SHORTEST;

/// All spellings of a value, none of them short enough to match by chance.
pub(super) fn of(value: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![value.as_bytes().to_vec()];
    // JSON in JSON, as errors of proxies hold it.
    let once = json_escaped(value);
    let twice = json_escaped(&once);
    // As PHP and Go write JSON, and as pages hold it.
    forms.push(once.replace('/', "\\/").into_bytes());
    forms.push(once.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026").into_bytes());
    let page = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    forms.extend([page.replace('"', "&quot;").into_bytes(), page.into_bytes()]);
    forms.extend([once.into_bytes(), twice.into_bytes(), percent_encoded(value, false), percent_encoded(value, true)]);
    let form = String::from_utf8_lossy(&percent_encoded(value, false)).replace("%20", "+");
    forms.push(form.into_bytes());
    for offset in 0..3 {
        forms.extend(inside_base64(value.as_bytes(), offset));
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms.sort_unstable();
    forms.dedup();
    forms
}

fn json_escaped(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

fn percent_encoded(text: &str, lower_case: bool) -> Vec<u8> {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        // Writing to a string does not fail.
        let _ = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
                Ok(())
            }
            _ if lower_case => write!(out, "%{byte:02x}"),
            _ => write!(out, "%{byte:02X}"),
        };
    }
    out.into_bytes()
}

/// The part of base64 text that only depends on the value, which begins at this offset modulo three of what is encoded:
/// `user:KEY`, for example.
fn inside_base64(value: &[u8], offset: usize) -> [Vec<u8>; 2] {
    let padded = [&[0; 2][..offset], value].concat();
    let first = (offset * 8).div_ceil(6);
    let last = padded.len() * 8 / 6;
    let cut = |text: String| text.get(first..last).unwrap_or_default().as_bytes().to_vec();
    [cut(BASE64_STANDARD_NO_PAD.encode(&padded)), cut(BASE64_URL_SAFE_NO_PAD.encode(&padded))]
}
