//! Files of sessions in which nothing was said yet: empty ones, ones of blank lines, and headers that were never finished.
//! Such a file is a session to go on with. What can be read of a torn header, or of the file's name, is kept.

use std::fs::File;
use std::io;
use std::path::Path;

use pi_ai::Extra;
use regex::bytes::Regex;
use serde::de::IgnoredAny;

use super::backward::read_exact_at;
use super::header::{CURRENT_VERSION, SessionHeader, check_session_id};
use super::read::{HEADER_LIMIT, read_header};
use crate::host::iso_time::from_iso;
use crate::host::open_regular;

/// How our headers begin.
const START: &[u8] = br#"{"type":"session""#;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file that holds no entry and no whole header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EmptyFile {
    /// Where the torn header starts, in bytes.
    pub(super) offset: u64,
    /// The torn header; empty when there is none.
    pub(super) rubble: Vec<u8>,
}

/// What there is in such a file; `None` for every other one. Files of other programs are such ones only when they are
/// empty.
pub(super) fn begun(file: &File) -> io::Result<Option<EmptyFile>> {
    let length = file.metadata()?.len();
    if length > HEADER_LIMIT {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
    read_exact_at(file, &mut bytes, 0)?;
    let mark = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let blank = bytes[mark..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let rubble = bytes.split_off(mark + blank);
    let begins = rubble.is_empty() || is_torn_header(rubble.trim_ascii_end());
    Ok(begins.then_some(EmptyFile { offset: (mark + blank) as u64, rubble }))
}

/// Whether these bytes are the start of a header, and no more than that.
fn is_torn_header(line: &[u8]) -> bool {
    let ours = START.starts_with(line)
        || line.strip_prefix(START).is_some_and(|rest| rest.is_empty() || rest.starts_with(b","));
    ours && !line.contains(&b'\n') && serde_json::from_slice::<IgnoredAny>(line).is_err()
}

impl EmptyFile {
    /// What is known of the header; the id is empty when nothing tells it.
    pub(super) fn header(&self, path: &Path) -> SessionHeader {
        let (named_time, named_id) = name_parts(path);
        let timestamp = text_in(&self.rubble, "timestamp").filter(|time| from_iso(time).is_some()).or(named_time);
        let id = text_in(&self.rubble, "id").or(named_id).filter(|id| check_session_id(id).is_ok());
        SessionHeader {
            version: Some(CURRENT_VERSION),
            id: id.unwrap_or_default(),
            timestamp: timestamp.unwrap_or_default(),
            cwd: text_in(&self.rubble, "cwd").unwrap_or_default(),
            parent_session: text_in(&self.rubble, "parentSession"),
            extra: Extra::new(),
        }
    }
}

/// Whether a file is empty, blank, or holds a header alone that was never finished.
pub fn is_only_begun(path: &Path) -> bool {
    open_regular(path).is_ok_and(|file| begun(&file).is_ok_and(|begun| begun.is_some()))
}

/// The header of a file that may be a session, also of one that was only begun.
pub(super) fn read_beginning(path: &Path) -> Option<SessionHeader> {
    read_header(path).or_else(|| Some(begun(&open_regular(path).ok()?).ok()??.header(path)))
}

/// The same, when it has an id by which the session can be found.
pub(super) fn read_named_beginning(path: &Path) -> Option<SessionHeader> {
    read_beginning(path).filter(|header| !header.id.is_empty())
}

/// The value of a key in rubble, if it is a whole text.
pub(super) fn text_in(rubble: &[u8], key: &str) -> Option<String> {
    let pattern = Regex::new(&format!(r#""{key}"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.)*")"#)).ok()?;
    let found = pattern.captures(rubble)?;
    serde_json::from_slice(found.get(1)?.as_bytes()).ok()
}

/// Time and session id in a name like `2026-11-21T20-14-22-840Z_<id>.jsonl`.
pub(super) fn name_parts(path: &Path) -> (Option<String>, Option<String>) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some((time, id)) = stem.split_once('_') else { return (None, None) };
    let (Some(date), Some(clock)) = (time.get(..10), time.get(10..)) else { return (None, None) };
    // `T20-14-22-840Z`: the first two dashes were colons, the third a point.
    let clock = clock.replacen('-', ":", 2).replacen('-', ".", 1);
    let time = Some(format!("{date}{clock}")).filter(|time| from_iso(time).is_some());
    let id = without_suffix(id);
    (time.clone(), Some(id.to_owned()).filter(|_| time.is_some()))
}

/// An id without what copies have behind it: `.repaired-2`, `.rescued-1`.
fn without_suffix(id: &str) -> &str {
    let suffix = [".repaired", ".rescued"].iter().filter_map(|suffix| id.find(suffix)).min();
    suffix.map_or(id, |at| &id[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_time_and_id() {
        let parts = |name: &str| name_parts(Path::new(name));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts("/s/2026-11-21T20-14-22-840Z_01a1.jsonl"), (some("2026-11-21T20:14:22.840Z"), some("01a1")));
        assert_eq!(parts("2026-11-21T20-14-22-840Z_01a1.repaired-2.jsonl").1, some("01a1"));
        assert_eq!(parts("2026-11-21T20-14-22-840Z_my.own.rescued-2.jsonl").1, some("my.own"));
        assert_eq!(parts("my_session.jsonl"), (None, None));
        assert_eq!(parts("ää_ü.jsonl"), (None, None));
    }

    #[test]
    fn rubble_tells_whole_values() {
        let rubble = b"\0\0sion\",\"version\":3,\"id\":\"abc\",\"cwd\":\"/a \\\"b\\\"\",\"parentSession\":\"/tor";
        assert_eq!(text_in(rubble, "id").as_deref(), Some("abc"));
        assert_eq!(text_in(rubble, "cwd").as_deref(), Some("/a \"b\""));
        assert_eq!(text_in(rubble, "parentSession"), None);
    }

    #[test]
    fn a_header_may_be_torn_anywhere() {
        let whole = br#"{"type":"session","version":3,"id":"s1","timestamp":"t","cwd":"/"}"#;
        for cut in 1..whole.len() {
            assert!(is_torn_header(&whole[..cut]), "{cut}");
        }
        let others = ["{\"type\":\"session_info\",\"id\"", "{\"type\":\"sesame", "{}", "[", "text", "{\"a\":1", "\0\0"];
        for other in others.into_iter().chain(["{\"type\":\"session\"}", "{\"type\":\"session\"x"]) {
            assert!(!is_torn_header(other.as_bytes()), "{other}");
        }
        assert!(!is_torn_header(whole));
    }
}
