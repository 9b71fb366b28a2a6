//! A new file beside the old one, renamed when it is complete.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::attributes;
use crate::host::temp_file_registry::{self, OF_TOOLS, UnderWay};

/// What a new file may be before the umask takes away from it.
const NEW_FILE: u32 = 0o666;
/// Until it has the mode of the file that it replaces, nobody else may look into it.
const PRIVATE_FILE: u32 = 0o600;

/// Why a file was not replaced. It is as it was, and nothing is left beside it.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// It cannot be done this way.
    InPlaceOnly,
    /// The place for the file is not there.
    Open(io::Error),
    /// The content could not be written.
    Write(io::Error),
}

/// Puts a file at `target`, which is no link; `old` describes the one that is there.
///
/// A replacement is synced before it takes its place, so that a power failure costs at most the change, never the
/// content before it: milliseconds, against seconds for the answer of a model. A new file has nothing to lose.
pub(super) fn replace(target: &Path, old: Option<&Metadata>, content: &[u8]) -> Result<(), Obstacle> {
    let mode = if old.is_some() { PRIVATE_FILE } else { NEW_FILE };
    let (mut file, _under_way) = beside(target, mode).map_err(Obstacle::of_place)?;
    if let Some(old) = old {
        attributes::copy_owner(old, file.as_file()).map_err(|_| Obstacle::InPlaceOnly)?;
    }
    // Through the file itself, whose errors carry the system's code.
    file.as_file_mut().write_all(content).map_err(Obstacle::Write)?;
    if let Some(old) = old {
        attributes::copy(target, old, file.as_file()).map_err(|_| Obstacle::InPlaceOnly)?;
        sync(file.as_file()).map_err(Obstacle::Write)?;
    }
    // A failure drops the temporary file, and with it its name.
    file.persist(target).map_err(|failed| Obstacle::of_place(failed.error))?;
    Ok(())
}

fn beside(target: &Path, mode: u32) -> io::Result<(NamedTempFile<File>, Option<UnderWay>)> {
    let dir = target.parent().unwrap_or(Path::new("/"));
    let mut under_way = None;
    let create = |path: &Path| {
        // First: a kill right after must not leave a file that nobody knows.
        under_way = temp_file_registry::note(path);
        OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
    };
    let file = Builder::new().prefix(OF_TOOLS.0).suffix(OF_TOOLS.1).make_in(dir, create)?;
    Ok((file, under_way))
}

fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        // Some file systems cannot, which does not make the content worse.
        Err(e) if matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

impl Obstacle {
    /// What an error of the directory means: it may not be changed although the file in it may, or that file is a
    /// mount point. Anything else, a full disk above all, is no reason to touch the old content.
    fn of_place(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::ResourceBusy
            | ErrorKind::CrossesDevices => Self::InPlaceOnly,
            _ => Self::Open(error),
        }
    }
}
