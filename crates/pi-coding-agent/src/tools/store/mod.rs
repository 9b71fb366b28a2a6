//! Puts new content into a file of this machine so that nothing is lost when that fails.
//!
//! `store` decides between the two ways: `replace` writes a new file beside the old one (with its `attributes`) and
//! renames it; `overwrite` writes into the file itself, where that cannot or must not be done. Everything here blocks.

mod attributes;
mod overwrite;
mod replace;

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use rustix::fs::Access;

use super::operations::OperationError;
use super::real_path::real_path;
use super::regular_file::{not_regular, open_quietly};
use overwrite::overwrite;
use replace::{Obstacle, replace};

/// Bytes that are compared in one go.
const PIECE_BYTES: usize = 64 << 10;

/// Makes `content` the content of a file, which is created if need be. Symbolic links are written through.
///
/// A file is replaced in one step: whoever reads it, and whoever looks after a failure, sees the old content or the new.
/// It is written in place if it is no regular file, if it has other names (hard links), or if its directory, owner or
/// attributes leave no other way. A file that has this content already is not touched, and keeps its times.
pub(super) fn store(path: &Path, content: &[u8]) -> Result<(), OperationError> {
    let target = real_path(path)?;
    let replaced = match fs::metadata(&target) {
        // Opening a pipe that nobody reads would block for ever; devices such as /dev/null are fine.
        Ok(old) if old.file_type().is_fifo() => return Err(not_regular(path, "a named pipe")),
        Ok(old) if old.is_file() => {
            // A new file in its place must not be a way around write protection.
            rustix::fs::access(&target, Access::WRITE_OK).map_err(|e| cannot_open(path, &e.into()))?;
            match old.nlink() {
                _ if has_content(&target, &old, content) => Ok(()),
                1 => replace(&target, Some(&old), content),
                _ => Err(Obstacle::InPlaceOnly),
            }
        }
        Ok(_) => Err(Obstacle::InPlaceOnly),
        Err(e) if e.kind() == io::ErrorKind::NotFound => replace(&target, None, content),
        Err(e) => Err(Obstacle::Open(e)),
    };
    match replaced {
        Ok(()) => Ok(()),
        Err(Obstacle::InPlaceOnly) => overwrite(path, content),
        Err(Obstacle::Open(e)) => Err(cannot_open(path, &e)),
        Err(Obstacle::Write(e)) => Err(OperationError::from_io(&e, "write", None)),
    }
}

/// Whether a file has this content. One that cannot be read is taken for different.
fn has_content(path: &Path, old: &Metadata, content: &[u8]) -> bool {
    old.len() == content.len() as u64 && open_quietly(path).is_ok_and(|file| reads_as(file, content).unwrap_or(false))
}

fn reads_as(mut file: File, content: &[u8]) -> io::Result<bool> {
    let mut piece = vec![0; PIECE_BYTES.min(content.len())];
    for expected in content.chunks(PIECE_BYTES) {
        let piece = &mut piece[..expected.len()];
        file.read_exact(piece)?;
        if piece != expected {
            return Ok(false);
        }
    }
    // It may have grown meanwhile.
    Ok(file.read(&mut [0])? == 0)
}

fn cannot_open(path: &Path, error: &io::Error) -> OperationError {
    OperationError::from_io(error, "open", Some(path))
}
