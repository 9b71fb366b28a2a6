//! A new header in place of a lost one, from what is known: the rubble of the old one, the file's name, the sessions
//! beside it, the first entry.

use std::fs;
use std::path::Path;

use pi_ai::Extra;

use super::source::Source;
use super::survey::Survey;
use crate::host::ids::Ids;
use crate::host::iso_time::from_iso;
use crate::host::paths::encode_cwd;
use crate::session::Error;
use crate::session::create::header_line;
use crate::session::empty_file::{name_parts, text_in};
use crate::session::header::{CURRENT_VERSION, SessionHeader, check_session_id};
use crate::session::read::read_header;

/// So many files are asked for their working directory.
const NEIGHBOURS: usize = 20;

/// The header line.
///
/// # Errors
/// [`host::Error::Serialize`](crate::host::Error::Serialize).
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

/// The working directory of another session in the same directory, if that is named after it.
fn cwd_of_neighbour(path: &Path) -> Option<String> {
    let dir = path.parent()?;
    let encoded = dir.file_name()?.to_string_lossy().into_owned();
    let files = fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
    let sessions = files.filter(|file| file.extension().is_some_and(|extension| extension == "jsonl") && file != path);
    let cwds = sessions.take(NEIGHBOURS).filter_map(|file| read_header(&file)).map(|header| header.cwd);
    cwds.into_iter().find(|cwd| encode_cwd(Path::new(cwd)) == encoded)
}
