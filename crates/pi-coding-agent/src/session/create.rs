//! What a new session begins with: a directory that can be written to, a header, a name for the file.

use std::fs;
use std::path::Path;

use super::header::{CURRENT_VERSION, SessionHeader, check_session_id};
use super::manager::{NewSession, SessionHost};
use crate::host;
use crate::host::iso_time::to_iso;
use crate::session::Error;

/// Makes the directory and finds out early whether files can be made in it.
pub(super) fn prepare_directory(dir: &Path) -> Result<(), Error> {
    let failed = |source| Error::Directory { path: dir.to_owned(), source };
    fs::create_dir_all(dir).map_err(failed)?;
    check_writable(dir).map_err(failed)
}

#[cfg(unix)]
fn check_writable(dir: &Path) -> std::io::Result<()> {
    use rustix::fs::{Access, access};
    Ok(access(dir, Access::WRITE_OK | Access::EXEC_OK)?)
}

#[cfg(not(unix))]
fn check_writable(_dir: &Path) -> std::io::Result<()> {
    Ok(())
}

pub(super) fn new_header(host: &SessionHost, cwd: &Path, options: &NewSession) -> Result<SessionHeader, Error> {
    let id = match &options.id {
        Some(id) => check_session_id(id).map(|()| id.clone())?,
        None => host.ids.session_id(host.clock.now_ms()),
    };
    Ok(header_of(host, cwd, id, options.parent_session.as_deref()))
}

pub(super) fn header_of(host: &SessionHost, cwd: &Path, id: String, parent: Option<&Path>) -> SessionHeader {
    SessionHeader {
        version: Some(CURRENT_VERSION),
        id,
        timestamp: to_iso(host.clock.now_ms()),
        cwd: cwd.to_string_lossy().into_owned(),
        parent_session: parent.map(|path| path.to_string_lossy().into_owned()),
        extra: pi_ai::Extra::new(),
    }
}

/// `<time>_<id>.jsonl`, the time without characters that some file systems refuse.
pub(super) fn file_name(header: &SessionHeader) -> String {
    format!("{}_{}.jsonl", header.timestamp.replace([':', '.'], "-"), header.id)
}

pub(super) fn header_line(header: &SessionHeader) -> Result<String, Error> {
    serde_json::to_string(header).map_err(|source| host::Error::Serialize { what: "a session header", source }.into())
}
