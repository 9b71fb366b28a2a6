//! Claims on sessions that have no file yet, so that no two of them have one id, or want to make one file.
//!
//! A claim belongs to the value and goes with the process, however that ends. It lasts until the session's file is there,
//! which has a lock of its own (`lock.rs`). So whoever has claimed an id has only to look once whether there is a file.
//!
//! On Linux a claim is the name of a socket that has no place in the file system: nothing is left behind. Elsewhere, and
//! where there are no such sockets, it is a locked file beside the sessions, removed with the claim; one that a killed
//! process left is taken over.

use std::fs::File;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::list::SessionsLocation;
use super::lock::{self, is_current};
use super::private::private_file;
use crate::host::without_links;
use crate::session::{Error, SessionIdError};

/// A claim; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    _held: Box<dyn Held>,
}

/// What keeps others out as long as it is there.
trait Held: std::fmt::Debug + Send + Sync {}

#[cfg(target_os = "linux")]
impl Held for std::os::unix::net::UnixListener {}

impl Held for LockedFile {}

/// What is claimed.
#[derive(Debug, Clone, Copy)]
enum Wanted<'a> {
    /// Of the sessions of this working directory only, if one is named.
    Id(&'a str, Option<&'a Path>),
    File(&'a Path),
}

impl Claim {
    /// Claims an id among the sessions of a place, whose directory must exist.
    ///
    /// # Errors
    /// [`Error::Id`]; [`Error::Open`] when the claim cannot be written down.
    pub(super) fn id(place: &SessionsLocation, id: &str) -> Result<Self, Error> {
        Self::take(&place.dir, Wanted::Id(id, place.only_of.as_deref()))
    }

    /// Claims a file that is to be made in a directory that exists.
    ///
    /// # Errors
    /// [`Error::Locked`]; [`Error::Open`] when the claim cannot be written down.
    pub(super) fn file(file: &Path) -> Result<Self, Error> {
        Self::take(file.parent().unwrap_or(Path::new("")), Wanted::File(file))
    }

    fn take(dir: &Path, wanted: Wanted<'_>) -> Result<Self, Error> {
        let name = name(dir, wanted);
        lock::unless_copied(|| match hold(dir, &name)? {
            Some(held) => Ok(Self { _held: held }),
            None => Err(in_use(wanted, holder(&name))),
        })
    }
}

fn in_use(wanted: Wanted<'_>, pid: Option<u32>) -> Error {
    match wanted {
        Wanted::Id(id, _) => SessionIdError::InUse { id: id.to_owned(), pid }.into(),
        Wanted::File(file) => Error::Locked { path: file.to_owned(), pid },
    }
}

/// One name for one thing, whatever links lead to its directory.
fn name(dir: &Path, wanted: Wanted<'_>) -> String {
    let dir = without_links(dir);
    let mut hash = Sha256::new();
    hash.update(dir.as_os_str().as_encoded_bytes());
    match wanted {
        Wanted::Id(id, only_of) => {
            hash.update(b"\0id\0");
            hash.update(id);
            hash.update(only_of.map_or(&b""[..], |cwd| cwd.as_os_str().as_encoded_bytes()));
        }
        Wanted::File(file) => {
            hash.update(b"\0file\0");
            hash.update(file.file_name().unwrap_or_default().as_encoded_bytes());
        }
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// `None` when somebody else holds the name.
#[cfg(target_os = "linux")]
fn hold(dir: &Path, name: &str) -> Result<Option<Box<dyn Held>>, Error> {
    use std::io::ErrorKind;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};
    match SocketAddr::from_abstract_name(socket_name(name)).and_then(|address| UnixListener::bind_addr(&address)) {
        Ok(socket) => Ok(Some(Box::new(socket))),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Ok(None),
        // Some sandboxes have no sockets.
        Err(_) => LockedFile::take(dir, name),
    }
}

#[cfg(not(target_os = "linux"))]
fn hold(dir: &Path, name: &str) -> Result<Option<Box<dyn Held>>, Error> {
    LockedFile::take(dir, name)
}

#[cfg(target_os = "linux")]
fn socket_name(name: &str) -> String {
    format!("pi-session-{}-{name}", rustix::process::geteuid().as_raw())
}

/// The process that has the socket, as far as this user may look.
#[cfg(target_os = "linux")]
fn holder(name: &str) -> Option<u32> {
    let name = format!("@{}", socket_name(name));
    let sockets = std::fs::read_to_string("/proc/net/unix").ok()?;
    // For example `0000000000000000: 00000002 00000000 00010000 0001 01 31337 @pi-session-0-00ff`.
    let line = sockets.lines().find(|line| line.ends_with(&name))?;
    let link = format!("socket:[{}]", line.split_whitespace().rev().nth(1)?);
    let has_it = |pid: &u32| {
        let files = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        files.filter_map(|file| std::fs::read_link(file.path()).ok()).any(|target| target.as_os_str() == link.as_str())
    };
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    processes.filter_map(|process| process.file_name().to_str()?.parse().ok()).find(has_it)
}

#[cfg(not(target_os = "linux"))]
fn holder(_name: &str) -> Option<u32> {
    None
}

/// A locked file that says by its name what is claimed.
#[derive(Debug)]
struct LockedFile {
    path: PathBuf,
    /// Holds the lock.
    _file: File,
}

impl LockedFile {
    fn take(dir: &Path, name: &str) -> Result<Option<Box<dyn Held>>, Error> {
        let path = dir.join(format!(".claim-{name}"));
        let failed = |source| Error::Open { path: path.clone(), source };
        loop {
            let file = private_file().create(true).append(true).open(&path).map_err(failed)?;
            match lock::try_lock(&path, &file) {
                // Its last holder may have removed it meanwhile.
                Ok(()) if is_current(&path, &file) => return Ok(Some(Box::new(Self { path, _file: file }))),
                Ok(()) => {}
                Err(Error::Locked { .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Before the lock ends, so that nobody else's file is removed. One that stays is taken over.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_lasts_until_it_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let place = |dir: PathBuf, only_of: Option<&str>| SessionsLocation { dir, only_of: only_of.map(PathBuf::from) };
        let here = place(dir.path().to_owned(), None);
        let first = Claim::id(&here, "one").unwrap();
        let refused = Claim::id(&place(dir.path().join("."), None), "one").unwrap_err().to_string();
        let process = std::process::id();
        let way_out = "Close that session, or choose another id.";
        assert_eq!(refused, format!("Session one is in use by process {process}. {way_out}"));
        let file = dir.path().join("one");
        let of_project = place(dir.path().to_owned(), Some("/project"));
        let _others = [Claim::id(&here, "two"), Claim::id(&of_project, "one"), Claim::file(&file)].map(Result::unwrap);
        assert!(Claim::file(&file).is_err());
        drop(first);
        Claim::id(&here, "one").unwrap();
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn without_sockets_a_locked_file_does_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let take = || LockedFile::take(dir.path(), "one").unwrap();
        let first = take();
        assert!(first.is_some() && take().is_none());
        drop(first);
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
        // A killed process leaves the file, but not the lock.
        std::fs::write(dir.path().join(".claim-one"), "").unwrap();
        assert!(take().is_some());
    }
}
