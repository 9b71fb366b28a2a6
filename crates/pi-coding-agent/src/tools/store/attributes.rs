//! What a file has besides its content: owner, mode, extended attributes (access lists are among them), access time.
//!
//! Order matters to the kernel: a change of the owner and each write take the setuid and setgid bits and the file's
//! capabilities away. So the owner comes before the content, everything else after it.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::{
    Timespec, Timestamps, UTIME_OMIT, XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr, futimens, getxattr,
    listxattr,
};
use rustix::io::Errno;

/// Room for the names, or for one value. Linux allows 64 KiB for either.
const ROOM: usize = 64 << 10;

/// Rights that a program file gives to its process. Every write takes them away, root's too.
const CAPABILITIES: &str = "security.capability";

/// Gives `new` the owner and the group of the file that `old` describes. Belongs before the content.
///
/// # Errors
/// When the user may not give files to this owner or group.
pub(super) fn copy_owner(old: &Metadata, new: &File) -> io::Result<()> {
    let fresh = new.metadata()?;
    if (fresh.uid(), fresh.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(new, Some(old.uid()), Some(old.gid()))
}

/// Gives `new` the mode, extended attributes and access time of the file at `path`, which `old` describes. Belongs after
/// the content.
///
/// # Errors
/// When the new file could not be made the same.
pub(super) fn copy(path: &Path, old: &Metadata, new: &File) -> io::Result<()> {
    copy_extended(path, new)?;
    // After the access list, which changes the bits of the group.
    new.set_permissions(old.permissions())?;
    // A time is no reason to give up the replacement in one step.
    let _ = set_access_time(new, old);
    Ok(())
}

/// The rights that a write into a file takes away.
#[derive(Debug)]
pub(super) struct Rights {
    old: Metadata,
    capabilities: Option<Vec<u8>>,
}

impl Rights {
    /// Those of a file, before it is written to.
    pub(super) fn of(file: &File) -> io::Result<Self> {
        let capabilities = bytes(|value| fgetxattr(file, CAPABILITIES, spare_capacity(value))).ok();
        Ok(Self { old: file.metadata()?, capabilities })
    }

    /// What the file was.
    pub(super) fn metadata(&self) -> &Metadata {
        &self.old
    }

    /// Gives them back where the kernel lets this user: the owner and root. Where it does not, the file is what a write by
    /// any other program would have left, and its content is stored: no error.
    pub(super) fn restore(&self, file: &File) {
        if file.metadata().is_ok_and(|now| now.mode() != self.old.mode()) {
            let _ = file.set_permissions(self.old.permissions());
        }
        if let Some(value) = &self.capabilities {
            let _ = fsetxattr(file, CAPABILITIES, value, XattrFlags::empty());
        }
    }
}

fn set_access_time(file: &File, old: &Metadata) -> io::Result<()> {
    let last_access = Timespec { tv_sec: old.atime(), tv_nsec: old.atime_nsec() as _ };
    let last_modification = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
    Ok(futimens(file, &Timestamps { last_access, last_modification })?)
}

fn copy_extended(path: &Path, new: &File) -> io::Result<()> {
    let wanted = names(|list| listxattr(path, spare_capacity(list)))?;
    for name in &wanted {
        let value = bytes(|value| getxattr(path, name.as_slice(), spare_capacity(value)))?;
        // The system gives a new file some by itself, and refuses to have them set.
        let has = bytes(|value| fgetxattr(new, name.as_slice(), spare_capacity(value)));
        if !has.is_ok_and(|has| has == value) {
            fsetxattr(new, name.as_slice(), &value, XattrFlags::empty())?;
        }
    }
    // An access list that the new file inherited from its directory.
    for name in names(|list| flistxattr(new, spare_capacity(list)))? {
        if !wanted.contains(&name) {
            fremovexattr(new, name.as_slice())?;
        }
    }
    Ok(())
}

fn names(read: impl FnOnce(&mut Vec<u8>) -> Result<usize, Errno>) -> io::Result<Vec<Vec<u8>>> {
    match bytes(read) {
        Ok(list) => Ok(list.split(|b| *b == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()),
        // A file system without them.
        Err(Errno::NOTSUP | Errno::NOSYS) => Ok(Vec::new()),
        Err(e) => Err(e.into()),
    }
}

fn bytes(read: impl FnOnce(&mut Vec<u8>) -> Result<usize, Errno>) -> Result<Vec<u8>, Errno> {
    let mut bytes = Vec::with_capacity(ROOM);
    read(&mut bytes)?;
    Ok(bytes)
}
