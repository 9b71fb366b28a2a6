//! Explains accepted responses that are no event stream: a proxy's login page, an error under status 200.
//!
//! Without this they would end as empty answers. A body that is neither is left to the wire format's own rules.

use serde_json::Value;

/// As much of a body is looked at, in bytes.
const LIMIT: usize = 64 * 1024;
/// As much of a page is shown, in characters.
const SHOWN: usize = 500;

/// The beginning of a body, kept until its first frame.
#[derive(Debug, Default)]
pub(super) struct Preamble {
    bytes: Vec<u8>,
    is_stream: bool,
}

impl Preamble {
    /// Bytes of the body.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if !self.is_stream {
            self.bytes.extend_from_slice(&bytes[..bytes.len().min(LIMIT - self.bytes.len())]);
        }
    }

    /// There was a frame: this is a stream, and nothing needs to be kept.
    pub(super) fn forget(&mut self) {
        if !self.is_stream {
            *self = Self { bytes: Vec::new(), is_stream: true };
        }
    }

    /// What the body said instead of a stream: an error object or the start of a web page.
    pub(super) fn complaint(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let text = text.trim();
        if text.starts_with('<') {
            return Some(text.chars().take(SHOWN).collect());
        }
        let body: Value = serde_json::from_str(text).ok()?;
        // Google wraps the error of a stream in an array.
        let object = body.get(0).unwrap_or(&body);
        let error = object.get("error")?;
        let is_error = !matches!(error, Value::Null | Value::Bool(false)) && error.as_str() != Some("");
        is_error.then(|| object.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_complaint() {
        let complaint = |body: &str| {
            let mut preamble = Preamble::default();
            body.as_bytes().chunks(5).for_each(|chunk| preamble.push(chunk));
            preamble.complaint()
        };
        assert_eq!(complaint(" {\"error\":{\"message\":\"M\"}}\n").as_deref(), Some("{\"error\":{\"message\":\"M\"}}"));
        assert_eq!(complaint("[{\"error\":{\"code\":1}}]").as_deref(), Some("{\"error\":{\"code\":1}}"));
        assert_eq!(complaint("<html>log in</html>").as_deref(), Some("<html>log in</html>"));
        assert_eq!(complaint(&format!("<{}", "é".repeat(100_000))).map(|text| text.chars().count()), Some(SHOWN));
        for other in ["", "{\"hello\":\"world\"}", "{\"error\":null}", "{\"error\":\"\"}", "[]", "plain", "{\"error\":"]
        {
            assert_eq!(complaint(other), None, "{other}");
        }
    }

    #[test]
    fn a_stream_is_not_kept() {
        let mut preamble = Preamble::default();
        preamble.push(b"<");
        preamble.forget();
        preamble.push(b"<");
        assert_eq!(preamble.complaint(), None);
    }
}
