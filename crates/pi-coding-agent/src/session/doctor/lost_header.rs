//! A new header in place of a lost one, from what is known: the rubble of the old one, the file's name, the sessions
//! beside it, the first entry.

use std::fs;
use std::path::Path;

use pi_ai::Extra;
use regex::bytes::Regex;

use super::source::Source;
use super::survey::Survey;
use crate::error::Error;
use crate::ids::Ids;
use crate::iso_time::from_iso;
use crate::paths::encode_cwd;
use crate::session::beginning::header_line;
use crate::session::header::{CURRENT_VERSION, SessionHeader, check_session_id};
use crate::session::read::read_header;

/// So many files are asked for their working directory.
const NEIGHBOURS: usize = 20;

/// The header line.
///
/// # Errors
/// [`Error::Serialize`].
pub(super) fn make_header(source: &Source, survey: &Survey, ids: &dyn Ids) -> Result<String, Error> {
    let rubble = |key: &str| text_in(&survey.header_rubble, key);
    let (named_time, named_id) = name_parts(&source.path);
    let timestamp = rubble("timestamp").filter(|time| from_iso(time).is_some());
    let timestamp = timestamp.or(named_time).or_else(|| survey.first_timestamp.clone()).unwrap_or_default();
    let id = rubble("id").or(named_id).filter(|id| check_session_id(id).is_ok());
    let header = SessionHeader {
        version: Some(CURRENT_VERSION),
        id: id.unwrap_or_else(|| ids.session_id(from_iso(&timestamp).unwrap_or_default())),
        cwd: rubble("cwd").or_else(|| cwd_of_neighbour(&source.path)).unwrap_or_default(),
        parent_session: rubble("parentSession"),
        timestamp,
        extra: Extra::new(),
    };
    header_line(&header)
}

/// The value of a key in rubble, if it is a whole text.
fn text_in(rubble: &[u8], key: &str) -> Option<String> {
    let pattern = Regex::new(&format!(r#""{key}"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.)*")"#)).ok()?;
    let found = pattern.captures(rubble)?;
    serde_json::from_slice(found.get(1)?.as_bytes()).ok()
}

/// Time and session id in a name like `2026-11-21T20-14-22-840Z_<id>.jsonl`.
fn name_parts(path: &Path) -> (Option<String>, Option<String>) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some((time, id)) = stem.split_once('_') else { return (None, None) };
    let (Some(date), Some(clock)) = (time.get(..10), time.get(10..)) else { return (None, None) };
    // `T20-14-22-840Z`: the first two dashes were colons, the third a point.
    let clock = clock.replacen('-', ":", 2).replacen('-', ".", 1);
    let time = Some(format!("{date}{clock}")).filter(|time| from_iso(time).is_some());
    let id = id.split('.').next().filter(|_| time.is_some()).map(ToOwned::to_owned);
    (time, id)
}

/// The working directory of another session in the same directory, if that is named after it.
fn cwd_of_neighbour(path: &Path) -> Option<String> {
    let dir = path.parent()?;
    let encoded = dir.file_name()?.to_string_lossy().into_owned();
    let files = fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
    let sessions = files.filter(|file| file.extension().is_some_and(|extension| extension == "jsonl") && file != path);
    let cwds = sessions.take(NEIGHBOURS).filter_map(|file| read_header(&file)).map(|header| header.cwd);
    cwds.into_iter().find(|cwd| encode_cwd(Path::new(cwd)) == encoded)
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
}
