//! Small JSON object files that several programs share: read whole, written whole and at once.
//!
//! Everything here blocks; the files are a few kilobytes.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use serde_json::{Map, Value};
use tempfile::NamedTempFile;

use crate::host::json_comments::{edit_keeping_comments, strip_comments};
use crate::host::json_depth::complaint;
use crate::host::temp_file_registry::{self, OF_CONFIGURATION};
use crate::host::{self, Error, FileKind};

/// Reads a JSON object, which may have comments; `None` when the file does not exist. `kind` decides how large it may be.
pub fn read_object(path: &Path, kind: FileKind) -> Result<Option<Map<String, Value>>, Error> {
    match host::read_text(path, kind) {
        Ok(text) => parse_object(&text, path).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::FileRead { path: path.to_owned(), source }),
    }
}

/// The object that a text is. `name` is what the text is called in the error.
pub(crate) fn parse_object(text: &str, name: &Path) -> Result<Map<String, Value>, Error> {
    let invalid = |detail: String| Error::InvalidJson { path: name.to_owned(), detail };
    match serde_json::from_str(&strip_comments(text.trim_start_matches('\u{feff}'))) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(invalid("expected a JSON object".to_owned())),
        Err(error) => Err(invalid(complaint(&error))),
    }
}

/// The text of an object: with two blanks of indentation and no final newline, or, where the old text has comments, that
/// one with what is different changed in it.
pub(crate) fn render_object(old: Option<&str>, object: &Map<String, Value>) -> Result<String, Error> {
    let commented = old.and_then(|old| edit_keeping_comments(old, object));
    let pretty =
        || serde_json::to_string_pretty(object).map_err(|source| Error::Serialize { what: "settings", source });
    commented.map_or_else(pretty, Ok)
}

/// Writes an object as `render_object` does. The old content stays until the new is complete on disk. `mode` is the file mode (Unix); without
/// it a file keeps the one it has.
pub fn write_object(path: &Path, object: &Map<String, Value>, kind: FileKind, mode: Option<u32>) -> Result<(), Error> {
    let old = host::read_text(path, kind).ok();
    write_text(path, &render_object(old.as_deref(), object)?, mode)
}

/// Writes a text of which the old content stays until the new is complete on disk. `mode` as in [`write_object`].
pub(crate) fn write_text(path: &Path, text: &str, mode: Option<u32>) -> Result<(), Error> {
    // A link stays a link: the file behind it is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    replace(&target, text.as_bytes(), mode).map_err(|source| Error::FileWrite { path: path.to_owned(), source })
}

fn replace(target: &Path, bytes: &[u8], mode: Option<u32>) -> std::io::Result<()> {
    let dir = target.parent().unwrap_or(Path::new("."));
    let mut under_way = None;
    let mut file = temporary_file_as(dir, mode, |path| under_way = temp_file_registry::note(path))?;
    file.write_all(bytes)?;
    if let (None, Ok(metadata)) = (mode, fs::metadata(target)) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.as_file().sync_data()?;
    file.persist(target)?;
    Ok(())
}

/// A temporary file that the umask treats like any new file unless a mode is asked for.
pub(crate) fn temporary_file(dir: &Path, mode: Option<u32>) -> std::io::Result<NamedTempFile> {
    temporary_file_as(dir, mode, |_| {})
}

/// The same; `announce` is called with its path before it is made.
fn temporary_file_as(dir: &Path, mode: Option<u32>, mut announce: impl FnMut(&Path)) -> std::io::Result<NamedTempFile> {
    let create = |path: &Path| {
        announce(path);
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            const NEW_FILE: u32 = 0o666;
            options.mode(mode.unwrap_or(NEW_FILE));
        }
        #[cfg(not(unix))]
        let _ = mode;
        options.open(path)
    };
    tempfile::Builder::new().prefix(OF_CONFIGURATION.0).make_in(dir, create)
}
