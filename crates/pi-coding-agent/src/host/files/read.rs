//! Reads files whole, up to the limit of their kind.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::kinds_table::FileKind;
use super::open::open_regular;
use super::refusal::Refusal;
use super::symlink_guard::SymlinkGuard;

/// The bytes of a file that may lie anywhere.
///
/// # Errors
/// What the system says, and every [`Refusal`] but that of a fence.
pub fn read_bytes(path: &Path, kind: FileKind) -> io::Result<Vec<u8>> {
    read_file(path, kind, None)
}

/// The text of a file that may lie anywhere.
///
/// # Errors
/// Those of [`read_bytes`]; [`io::ErrorKind::InvalidData`] when it is no UTF-8.
pub fn read_text(path: &Path, kind: FileKind) -> io::Result<String> {
    let text = String::from_utf8(read_bytes(path, kind)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

/// The bytes of a file that must not lie outside of a fence, if there is one.
///
/// # Errors
/// Those of [`read_bytes`], [`Refusal::LeadsOut`].
pub fn read_file(path: &Path, kind: FileKind, fence: Option<&SymlinkGuard>) -> io::Result<Vec<u8>> {
    let file = match fence {
        Some(fence) => fence.open(path),
        None if kind.may_be_piped() && is_open_here(path) => open_piped(path),
        None => open_regular(path),
    };
    read_up_to_limit(file?, kind)
}

/// Text of bytes that somebody wrote with whatever program: what is no UTF-8 is replaced, and a byte order mark is dropped.
pub fn decoded(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether this names what whoever started the program has opened for it, as `<(command)` of a shell does.
fn is_open_here(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd"].iter().any(|dir| path.parent() == Some(Path::new(dir)))
}

/// A pipe has another end here, so that opening it does not wait.
fn open_piped(path: &Path) -> io::Result<File> {
    match super::kind_name(fs::metadata(path)?.file_type()) {
        Some("a named pipe") => File::open(path),
        _ => open_regular(path),
    }
}

fn read_up_to_limit(file: File, kind: FileKind) -> io::Result<Vec<u8>> {
    let size = file.metadata()?.len();
    let limit = kind.limit();
    let too_large = |size| Refusal::TooLarge { size, limit, kind: kind.noun() };
    if size > limit {
        return Err(too_large(size).into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // Files of the kernel have more than they say.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len() as u64).into());
    }
    Ok(bytes)
}

/// Whether there is anything of this name, be it a link that leads nowhere. What cannot be looked at may be there.
pub(crate) fn has_entry(path: &Path) -> bool {
    !fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// For files that may well be missing: a link that is there, to a file that is not.
pub fn dangling(path: &Path) -> Option<Refusal> {
    fs::read_link(path).ok().map(|target| Refusal::Dangling { target })
}
