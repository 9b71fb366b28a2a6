//! Puts an export on disk: complete or not at all, and never over the session that it is made of.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use super::html::{HtmlOptions, write_html};
use super::jsonl::write_jsonl;
use super::source::{SessionSnapshot, SessionSource};
use crate::export::Error;
use crate::host;
use crate::host::json_file::temporary_file;

/// What is written at once, in bytes.
const BUFFER: usize = 1 << 18;

/// Exports the session in `input` to `output`: as a session file of its current branch if that ends in `.jsonl`, as a
/// page otherwise. `now_ms` is the Unix time in milliseconds.
///
/// # Errors
/// [`host::Error::NoSuchFile`](crate::host::Error::NoSuchFile) and others of reading `input`; [`Error::OverSource`](crate::export::Error::OverSource);
/// [`host::Error::FileWrite`](crate::host::Error::FileWrite).
pub fn export_file(input: &Path, output: &Path, now_ms: i64) -> Result<(), Error> {
    let session = SessionSnapshot::of_file(input)?;
    if output.extension() == Some(OsStr::new("jsonl")) {
        export_jsonl_to(&session, now_ms, Some(input), output)
    } else {
        export_html_to(&session, &HtmlOptions::default(), Some(input), output)
    }
}

/// Writes the page of a session to a file. `input` is the session's own file, which is refused as `output`.
///
/// # Errors
/// [`Error::OverSource`](crate::export::Error::OverSource); [`host::Error::FileWrite`](crate::host::Error::FileWrite); what reading the session says.
pub(crate) fn export_html_to(
    session: &dyn SessionSource,
    options: &HtmlOptions,
    input: Option<&Path>,
    output: &Path,
) -> Result<(), Error> {
    write_file(input, output, |out| write_html(session, options, out))
}

/// Writes the session's current branch to a file of its own. `input` is the session's own file, which is refused as
/// `output`; `now_ms` is the Unix time in milliseconds.
///
/// # Errors
/// [`Error::OverSource`](crate::export::Error::OverSource); [`host::Error::FileWrite`](crate::host::Error::FileWrite); what reading the session says.
pub(crate) fn export_jsonl_to(
    session: &dyn SessionSource,
    now_ms: i64,
    input: Option<&Path>,
    output: &Path,
) -> Result<(), Error> {
    write_file(input, output, |out| write_jsonl(session, now_ms, out))
}

fn write_file(
    input: Option<&Path>,
    output: &Path,
    content: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    // A link stays a link: the file behind it is replaced.
    let target = fs::canonicalize(output).unwrap_or_else(|_| output.to_owned());
    if input.is_some_and(|input| fs::canonicalize(input).is_ok_and(|input| input == target)) {
        return Err(Error::OverSource { path: output.to_owned() });
    }
    let written =
        if target.exists() && !target.is_file() { write_through(&target, content) } else { replace(&target, content) };
    written.map_err(|error| match error {
        Error::Write { source } => host::Error::FileWrite { path: output.to_owned(), source }.into(),
        other => other,
    })
}

/// Into a pipe or a device, which cannot be replaced.
fn write_through(target: &Path, content: impl FnOnce(&mut dyn Write) -> Result<(), Error>) -> Result<(), Error> {
    let file = File::options().write(true).open(target).map_err(|source| Error::Write { source })?;
    content(&mut BufWriter::with_capacity(BUFFER, file))
}

/// Into a new file that takes the place of an old one when it is complete.
fn replace(target: &Path, content: impl FnOnce(&mut dyn Write) -> Result<(), Error>) -> Result<(), Error> {
    let failed = |source| Error::Write { source };
    let dir = target.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(dir).map_err(failed)?;
    let mut file = temporary_file(dir, None).map_err(failed)?;
    content(&mut BufWriter::with_capacity(BUFFER, &mut file))?;
    file.persist(target).map_err(|error| failed(error.error))?;
    Ok(())
}
