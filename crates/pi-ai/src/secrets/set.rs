//! Credentials whose value is known, and their occurrences in a text.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderMap;

use super::names::is_secret_name;
use super::{AUTHENTICATED, SHORTEST, forms, known, merged, replaced};

/// Schemes in front of a credential in a header.
const SCHEMES: [&str; 6] = ["bearer", "basic", "token", "apikey", "api-key", "key"];

/// Credentials, each found in any of its usual spellings. `Debug` shows nothing of them.
#[derive(Default, Clone)]
pub struct Secrets {
    /// The oldest first, without repetitions, none shorter than eight bytes.
    values: Vec<String>,
    /// Finds all spellings in one pass; made when it is first needed. `None` where it cannot be made.
    finder: Arc<OnceLock<Option<AhoCorasick>>>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}

impl<'a> FromIterator<&'a str> for Secrets {
    fn from_iter<I: IntoIterator<Item = &'a str>>(values: I) -> Self {
        let mut secrets = Self::default();
        values.into_iter().for_each(|value| secrets.add(value));
        secrets
    }
}

impl Secrets {
    /// Adds a value, and what it consists of where it is that of a header: what follows the scheme, the password of
    /// `Basic`, each value of a cookie. Values of less than eight bytes are ignored.
    pub fn add(&mut self, value: &str) {
        let value = value.trim();
        let Some((scheme, rest)) = value.split_once(' ') else { return self.add_plain(value) };
        if !SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) {
            return self.add_plain(value);
        }
        let rest = rest.trim();
        self.add_plain(rest);
        if scheme.eq_ignore_ascii_case("basic") {
            let decoded = BASE64_STANDARD.decode(rest).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            if let Some((_, password)) = decoded.as_deref().and_then(|pair| pair.split_once(':')) {
                self.add_plain(password);
            }
        }
    }

    fn add_plain(&mut self, value: &str) {
        // What stands for credentials that are found elsewhere is none.
        if value.len() >= SHORTEST && value != AUTHENTICATED && !self.contains(value) {
            self.values.push(value.to_owned());
            self.finder = Arc::default();
        }
    }

    /// Adds the value of a header if its name is one of a credential.
    pub fn add_header(&mut self, name: &str, value: &str) {
        if !is_secret_name(name) {
            return;
        }
        self.add(value);
        // The parts of cookies and of `Digest` and `AWS4-HMAC-SHA256` authorizations.
        for part in value.split([';', ',', ' ']) {
            if let Some((_, value)) = part.split_once('=') {
                self.add_plain(value.trim().trim_matches('"'));
            }
        }
    }

    /// Adds the headers that carry a credential, by name or because they are marked as sensitive.
    pub fn add_headers(&mut self, headers: &HeaderMap) {
        for (name, value) in headers {
            let text = String::from_utf8_lossy(value.as_bytes());
            if value.is_sensitive() {
                self.add(&text);
            }
            self.add_header(name.as_str(), &text);
        }
    }

    /// Adds the credentials in a URL: a password, or a user name that stands alone, and query parameters.
    pub fn add_url(&mut self, url: &str) {
        let (front, query) = url.split_once('?').unwrap_or((url, ""));
        let authority = front.split_once("://").map_or("", |(_, rest)| rest).split('/').next().unwrap_or_default();
        if let Some((user, _)) = authority.rsplit_once('@') {
            self.add_encoded(user.split_once(':').map_or(user, |(_, password)| password));
        }
        let query = query.split('#').next().unwrap_or_default();
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            if is_secret_name(name) {
                self.add_encoded(value);
                // A path that was appended to a base URL with a query.
                self.add_encoded(value.split('/').next().unwrap_or_default());
            }
        }
    }

    /// Adds a part of a URL as it is and as what it stands for.
    fn add_encoded(&mut self, part: &str) {
        self.add_plain(part);
        self.add_plain(&percent_decoded(part));
    }

    /// Adds everything that another set holds.
    pub fn extend(&mut self, other: &Self) {
        for value in &other.values {
            self.add_plain(value);
        }
    }

    pub(super) fn contains(&self, value: &str) -> bool {
        self.values.iter().any(|known| known == value.trim())
    }

    pub(super) fn forget_oldest(&mut self, keep: usize) {
        let extra = self.values.len().saturating_sub(keep);
        self.values.drain(..extra);
    }

    /// Where the credentials are, in any order.
    pub(crate) fn find(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        if self.values.is_empty() {
            return Vec::new();
        }
        match self.finder.get_or_init(|| finder(&self.values)) {
            Some(finder) => finder.find_iter(bytes).map(|found| found.start()..found.end()).collect(),
            // Nothing is better than something unchecked.
            None => std::iter::once(0..bytes.len()).collect(),
        }
    }

    /// The text without them, and without those that the process has read. Every text that a person or a file gets goes
    /// through here.
    pub fn redact(&self, text: &str) -> String {
        let text = self.taken_out_of_text(text);
        match known() {
            Some(known) => known.taken_out_of_text(&text),
            None => text,
        }
    }

    /// The same, and without what has the shape of a credential: for what a login cannot know, such as a token that is not
    /// its own.
    #[cfg(feature = "oauth")]
    pub(crate) fn redact_shapes(&self, text: &str) -> String {
        let own = self.taken_out_of_text(text);
        // Nothing is better than something unchecked.
        let clean = |shapes: super::Shapes| replaced(&own, &merged(shapes.find(own.as_bytes())));
        Self::default().redact(&super::Shapes::new().map_or_else(|_| super::REDACTED.to_owned(), clean))
    }

    fn taken_out_of_text(&self, text: &str) -> String {
        replaced(text, &merged(self.find(text.as_bytes())))
    }
}

fn finder(values: &[String]) -> Option<AhoCorasick> {
    let patterns = values.iter().flat_map(|value| forms::of(value));
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(patterns).ok()
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%');
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        out.push(code.unwrap_or(*byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}
