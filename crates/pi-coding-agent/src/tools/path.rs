//! What a path argument means: models write them with `@`, `~`, URLs and typographic spaces.
//!
//! Relative paths resolve against the working directory; there is no confinement. Only text is handled here,
//! except for the home directory's name, which the caller supplies.

use std::path::{Component, Path, PathBuf};

use pi_agent_core::ToolError;
use unicode_normalization::UnicodeNormalization;

/// Where relative and `~` paths start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathBase {
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// The home directory; without one `~` is an ordinary name.
    pub home: Option<PathBuf>,
}

impl PathBase {
    /// A base with the home directory of the user who runs the process.
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self { cwd: cwd.into(), home: std::env::home_dir() }
    }

    /// Where relative paths begin.
    #[cfg(feature = "acp")]
    pub(crate) fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// The absolute, normalised path that an argument names; symbolic links are not resolved.
    ///
    /// # Errors
    /// For a `file://` URL that names no local path.
    pub fn resolve(&self, argument: &str) -> Result<PathBuf, ToolError> {
        let spaced = argument.replace(is_typographic_space, " ");
        let named = spaced.strip_prefix('@').unwrap_or(&spaced);
        if let Some(path) = self.in_home(named) {
            return Ok(normalise(&path));
        }
        let path = match named.strip_prefix("file://") {
            Some(rest) => file_url_path(rest)?,
            None => PathBuf::from(named),
        };
        Ok(normalise(&self.cwd.join(path)))
    }

    fn in_home(&self, path: &str) -> Option<PathBuf> {
        let home = self.home.as_ref()?;
        match path.strip_prefix('~')? {
            "" => Some(home.clone()),
            rest => rest.strip_prefix('/').map(|rest| home.join(rest.trim_start_matches('/'))),
        }
    }
}

/// Other spellings under which macOS may have stored a path that does not exist as given, in the order to try:
/// a narrow space before AM/PM (screenshots), decomposed accents, typographic apostrophes, both of the latter.
pub fn read_fallbacks(path: &Path) -> Vec<PathBuf> {
    let Some(plain) = path.to_str() else { return Vec::new() };
    let decomposed: String = plain.nfd().collect();
    let candidates = [narrow_am_pm(plain), decomposed.clone(), curly(plain), curly(&decomposed)];
    candidates.into_iter().filter(|c| c != plain).map(PathBuf::from).collect()
}

/// Resolves an argument for reading: the path itself, or the first fallback that exists, on this machine.
///
/// # Errors
/// As [`PathBase::resolve`].
pub async fn resolve_read_path(base: &PathBase, argument: &str) -> Result<PathBuf, ToolError> {
    let plain = base.resolve(argument)?;
    if exists(&plain).await {
        return Ok(plain);
    }
    for candidate in read_fallbacks(&plain) {
        if exists(&candidate).await {
            return Ok(candidate);
        }
    }
    Ok(plain)
}

async fn exists(path: &Path) -> bool {
    tokio::fs::try_exists(path).await.unwrap_or(false)
}

/// A space that keyboards and web pages put in the place of the plain one.
pub fn is_typographic_space(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

fn narrow_am_pm(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut out = String::with_capacity(path.len() + 2);
    for (at, c) in path.char_indices() {
        let next = bytes.get(at + 1..at + 4).unwrap_or_default();
        let half_day = next.eq_ignore_ascii_case(b"am.") || next.eq_ignore_ascii_case(b"pm.");
        out.push(if c == ' ' && half_day { '\u{202f}' } else { c });
    }
    out
}

fn curly(path: &str) -> String {
    path.replace('\'', "\u{2019}")
}

/// Folds `.` and `..` by text alone.
pub(crate) fn normalise(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            // At the root, `pop` does nothing: `/..` is `/`.
            Component::ParentDir => _ = out.pop(),
            other => out.push(other),
        }
    }
    out
}

/// The path of a `file://` URL, given what follows the two slashes.
fn file_url_path(rest: &str) -> Result<PathBuf, ToolError> {
    let invalid = |why: &str| ToolError::new(format!("Invalid file URL file://{rest}: {why}. Pass a plain path."));
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (host, path) = match rest[..end].split_once('/') {
        Some((host, path)) => (host, format!("/{path}")),
        None => (&rest[..end], "/".to_owned()),
    };
    if !host.is_empty() && host != "localhost" {
        return Err(invalid("the host must be empty or localhost"));
    }
    if path.to_ascii_lowercase().contains("%2f") {
        return Err(invalid("the path must not contain an encoded /"));
    }
    percent_decode(&path).map(PathBuf::from).ok_or_else(|| invalid("the percent-encoding is malformed"))
}

fn percent_decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let decoded = match byte {
            b'%' => hex_digit(bytes.next()?)? * 16 + hex_digit(bytes.next()?)?,
            plain => plain,
        };
        out.push(decoded);
    }
    String::from_utf8(out).ok()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}
