//! The real path of a file on this machine, whether it exists or not.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::operations::OperationError;

/// As many links as Linux follows in one look-up.
const MAX_LINKS: usize = 40;

/// Resolves every symbolic link of an absolute path, also one that leads to nothing; names that do not exist stay as
/// they are.
pub(super) fn real_path(path: &Path) -> Result<PathBuf, OperationError> {
    // The common case, in one system call.
    if let Ok(real) = fs::canonicalize(path) {
        return Ok(real);
    }
    resolve(path).map_err(|e| OperationError::from_io(&e, "realpath", Some(path)))
}

fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut real = PathBuf::new();
    let mut rest = reversed(path);
    let mut links = 0;
    while let Some(name) = rest.pop() {
        match Path::new(&name).components().next() {
            Some(Component::ParentDir) => _ = real.pop(),
            Some(Component::RootDir) => real = PathBuf::from("/"),
            _ => match target(&real.join(&name))? {
                Some(target) => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(rustix::io::Errno::LOOP.into());
                    }
                    rest.extend(reversed(&target));
                }
                None => real.push(name),
            },
        }
    }
    Ok(real)
}

/// Where a link leads; `None` for anything else, existing or not.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::read_link(path) {
        Ok(target) => Ok(Some(target)),
        Err(e) => match e.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
            _ => Err(e),
        },
    }
}

/// The components of a path, the last one first.
fn reversed(path: &Path) -> Vec<OsString> {
    path.components().rev().filter(|part| *part != Component::CurDir).map(|part| part.as_os_str().to_owned()).collect()
}
