//! The sockets of programs that listen: one file a program, in a directory that only the user can enter.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use pi_coding_agent::host;
use pi_coding_agent::paths::Paths;
use tokio::net::UnixListener;

/// The end of their names.
const ENDING: &str = "sock";
/// So many bytes of a path the system takes on all platforms, the end of the text included.
const LONGEST: usize = 104;

/// Why a program cannot listen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SocketError {
    /// The system's limit.
    #[error(
        "cannot listen on {path}: the system takes at most {most} bytes of a path; point PI_CODING_AGENT_DIR to a shorter one"
    )]
    TooLong { path: String, most: usize },
    /// Somebody else could put a socket of theirs there.
    #[error("cannot listen in {0}: it belongs to another user")]
    Foreign(String),
    /// The directory, or the socket, cannot be made.
    #[error("cannot listen on {path}: {error}")]
    Failed { path: String, error: io::Error },
}

/// A socket that listens; its file goes with it.
#[derive(Debug)]
pub(super) struct Socket {
    pub(super) listener: UnixListener,
    path: PathBuf,
}

/// Where they are.
pub(crate) fn directory(paths: &Paths) -> PathBuf {
    paths.agent_dir().join("run")
}

impl Socket {
    /// Listens under the number of this process.
    pub(super) fn bind(paths: &Paths) -> Result<Self, SocketError> {
        let dir = directory(paths);
        let path = dir.join(format!("{}.{ENDING}", std::process::id()));
        let shown = path.display().to_string();
        if shown.len() >= LONGEST {
            return Err(SocketError::TooLong { path: shown, most: LONGEST - 1 });
        }
        let failed = |error| SocketError::Failed { path: shown.clone(), error };
        DirBuilder::new().recursive(true).mode(0o700).create(&dir).map_err(failed)?;
        if fs::symlink_metadata(&dir).map_err(failed)?.uid() != rustix::process::geteuid().as_raw() {
            return Err(SocketError::Foreign(dir.display().to_string()));
        }
        // It may have been made by something else.
        fs::set_permissions(&dir, Permissions::from_mode(0o700)).map_err(failed)?;
        // Left by a process of the same number that is gone.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let listener = UnixListener::bind(&path).map_err(failed)?;
        fs::set_permissions(&path, Permissions::from_mode(0o600)).map_err(failed)?;
        Ok(Self { listener, path })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// The sockets in a directory, the newest first.
pub(crate) fn list(dir: &Path) -> Vec<PathBuf> {
    let sockets = host::list(dir)
        .unwrap_or_default()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == ENDING));
    let mut sockets: Vec<_> =
        sockets.map(|path| (fs::symlink_metadata(&path).and_then(|of| of.modified()).ok(), path)).collect();
    sockets.sort_by(|a, b| b.cmp(a));
    sockets.into_iter().map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pi_coding_agent::env::Env;

    use super::*;

    fn paths(dir: &Path) -> Paths {
        let env = BTreeMap::from([("PI_CODING_AGENT_DIR".to_owned(), dir.display().to_string())]);
        Paths::new(Env::fixed(env), dir.to_owned())
    }

    #[tokio::test]
    async fn only_the_user_reaches_a_socket_and_it_goes_with_its_program() {
        let home = tempfile::tempdir().unwrap();
        let paths = paths(home.path());
        let socket = Socket::bind(&paths).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&directory(&paths)), mode(socket.path())), (0o700, 0o600));
        assert_eq!(list(&directory(&paths)), [socket.path()]);
        drop(socket);
        assert!(list(&directory(&paths)).is_empty());
        // One that was left does not stand in the way.
        fs::write(directory(&paths).join(format!("{}.sock", std::process::id())), "").unwrap();
        Socket::bind(&paths).unwrap();
    }

    #[tokio::test]
    async fn a_path_that_the_system_does_not_take_is_told() {
        let home = tempfile::tempdir().unwrap();
        let deep = home.path().join("d".repeat(120));
        let error = Socket::bind(&paths(&deep)).unwrap_err().to_string();
        assert!(error.contains("at most 103 bytes of a path; point PI_CODING_AGENT_DIR"), "{error}");
    }
}
