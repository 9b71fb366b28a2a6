//! Content written into the file itself.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::tools::operations::OperationError;

/// Overwrites whatever is at `path`, devices included.
pub(super) fn overwrite(path: &Path, content: &[u8]) -> Result<(), OperationError> {
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let mut file = opened.map_err(|e| OperationError::from_io(&e, "open", Some(path)))?;
    fill(&mut file, content).map_err(|e| OperationError::from_io(&e, "write", None))
}

fn fill(file: &mut File, content: &[u8]) -> io::Result<()> {
    let old = file.metadata()?;
    if old.is_file() {
        reserve(file, content.len() as u64)?;
    }
    file.write_all(content)?;
    if old.is_file() && old.len() > content.len() as u64 {
        file.set_len(content.len() as u64)?;
    }
    Ok(())
}

/// Takes the room first, so that a full disk is noticed while the old content is still whole.
#[cfg(target_os = "linux")]
fn reserve(file: &File, bytes: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;

    match fallocate(file, FallocateFlags::KEEP_SIZE, 0, bytes) {
        Err(e @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG)) => Err(e.into()),
        // Not every file system can; then writing shows.
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64) -> io::Result<()> {
    Ok(())
}
