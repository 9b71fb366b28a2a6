//! Which file a path or a handle means, whatever its name is. Nothing is opened here.

use std::fs::Metadata;

/// A file of this machine. As long as somebody has it open, no other file gets the same identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file that metadata is of; `None` where the system does not tell.
    #[cfg(unix)]
    #[must_use]
    pub fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self { device: metadata.dev(), inode: metadata.ino() })
    }

    /// The file that metadata is of; `None` where the system does not tell.
    #[cfg(not(unix))]
    #[must_use]
    pub fn of(_metadata: &Metadata) -> Option<Self> {
        None
    }
}
