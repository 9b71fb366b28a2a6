//! What happens to a file when it is opened for writing: the torn tail is set aside, an old version is rewritten.
//!
//! Nothing is thrown away. Torn bytes go to `<file>.torn-<n>`; a rewritten file replaces the old one in one step and
//! only after it is complete on disk, with every value and every damaged line as it was.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::lock::lock;
use super::log::sync_directory;
use super::private::private_file;
use super::scan::Piece;
use crate::session::Error;

/// Moves everything from `offset` on to a file of its own and returns its path.
pub(super) fn set_torn_aside(path: &Path, file: &File, offset: u64) -> Result<PathBuf, Error> {
    move_tail(path, file, offset).map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn move_tail(path: &Path, mut file: &File, offset: u64) -> io::Result<PathBuf> {
    let mut torn = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.read_to_end(&mut torn)?;
    let (aside, mut copy) = create_aside(path)?;
    if let Err(error) = copy.write_all(&torn).and_then(|()| copy.sync_data()) {
        // Nothing was taken away yet, so half a copy is of no use.
        let _ = std::fs::remove_file(&aside);
        return Err(error);
    }
    file.set_len(offset)?;
    file.sync_data()?;
    Ok(aside)
}

/// Creates the first free `<file>.torn-<n>`.
fn create_aside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 1_u32;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".torn-{number}"));
        let aside = PathBuf::from(name);
        match private_file().write(true).create_new(true).open(&aside) {
            Ok(file) => return Ok((aside, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Replaces a file by its migrated lines; only its owner may read the new one. The returned file is open for appending and locked before anybody can see
/// it.
pub(super) fn rewrite(path: &Path, pieces: &[Piece]) -> Result<File, Error> {
    let failed = |source| Error::Write { path: path.to_owned(), source };
    // A link stays a link: the file behind it is replaced.
    let target = std::fs::canonicalize(path).map_err(failed)?;
    let dir = target.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    let temporary = builder.prefix(".tmp-").append(true).tempfile_in(dir).map_err(failed)?;
    lock(path, temporary.as_file())?;
    fill(temporary.as_file(), pieces).map_err(failed)?;
    let file = temporary.persist(&target).map_err(|error| failed(error.error))?;
    sync_directory(&target).map_err(failed)?;
    Ok(file)
}

fn fill(mut new: &File, pieces: &[Piece]) -> io::Result<()> {
    new.write_all(&pieces_text(pieces.iter()))?;
    new.sync_data()
}

/// Pieces as the lines of a file.
pub(super) fn pieces_text<'p>(pieces: impl Iterator<Item = &'p Piece>) -> Vec<u8> {
    let mut text = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Object(object, _) => text.extend_from_slice(object.as_bytes()),
            Piece::Damaged(bytes) => text.extend_from_slice(bytes),
        }
        text.push(b'\n');
    }
    text
}
