//! What a file has besides its content: owner, mode, extended attributes (access lists are among them).

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr, getxattr, listxattr};
use rustix::io::Errno;

/// Room for the names, or for one value. Linux allows 64 KiB for either.
const ROOM: usize = 64 << 10;

/// Gives `new` all that the file at `path` has; `old` describes that one.
///
/// # Errors
/// When the new file could not be made the same.
pub(super) fn copy(path: &Path, old: &Metadata, new: &File) -> io::Result<()> {
    let fresh = new.metadata()?;
    if (fresh.uid(), fresh.gid()) != (old.uid(), old.gid()) {
        fchown(new, Some(old.uid()), Some(old.gid()))?;
    }
    copy_extended(path, new)?;
    // Last: changing the owner takes bits away, and an access list changes those of the group.
    new.set_permissions(old.permissions())
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
