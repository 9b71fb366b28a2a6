//! Content written into the file itself.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::attributes::Rights;
use crate::tools::operations::OperationError;

/// Overwrites whatever is at `path`, devices included.
pub(super) fn overwrite(path: &Path, content: &[u8]) -> Result<(), OperationError> {
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let mut file = opened.map_err(|e| OperationError::from_io(&e, "open", Some(path)))?;
    fill(&mut file, content).map_err(|e| OperationError::from_io(&e, "write", None))
}

fn fill(file: &mut File, content: &[u8]) -> io::Result<()> {
    let rights = Rights::of(file)?;
    let written = put(file, rights.metadata(), content);
    // Also where the write failed: whatever the content is now, the file keeps its rights.
    rights.restore(file);
    written
}

fn put(file: &mut File, old: &Metadata, content: &[u8]) -> io::Result<()> {
    let length = content.len() as u64;
    if old.is_file() && length > old.len() {
        grow(file, old.len(), length)?;
    }
    file.write_all(content)?;
    if old.is_file() && length < old.len() {
        file.set_len(length)?;
    }
    Ok(())
}

/// Takes the room first, so that a full disk is noticed while the old content is still whole.
#[cfg(target_os = "linux")]
fn grow(file: &File, from: u64, to: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;

    match fallocate(file, FallocateFlags::empty(), 0, to) {
        Err(e @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG)) => {
            file.set_len(from)?;
            Err(e.into())
        }
        // Not every file system can; then writing shows.
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn grow(_: &File, _: u64, _: u64) -> io::Result<()> {
    Ok(())
}
