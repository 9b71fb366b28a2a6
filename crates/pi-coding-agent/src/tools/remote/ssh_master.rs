//! Shared connections: one `ssh` that stays, over which the others open sessions.
//!
//! The one that stays is a session of ours like any other, with a script that waits for the end of its input. So it ends
//! with this program, however that ends, and leaves nothing behind.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex as StdMutex};

use pi_guard::Unpoisoned;
use tempfile::TempDir;
use tokio::sync::Mutex;

use super::script::Script;
use super::session::Session;
use super::shell::ShellCommand;
use super::ssh::Host;
use crate::tools::operations::OperationError;

/// Servers take ten sessions on a connection by default. One is the connection's own, one is left for the user.
const SESSIONS_PER_CONNECTION: usize = 8;
/// The longest path that surely fits into a socket's address, with the ending that ssh adds while it makes one.
const MAX_SOCKET_PATH: usize = 80;
/// Where sockets go when the directory for temporary files has too long a name.
const SHORT_TEMP_DIR: &str = "/tmp";

/// The shared connections to one machine: more than one only when more sessions are open than one takes.
#[derive(Debug)]
pub(super) struct Masters {
    /// Private to this user, deleted on drop.
    dir: TempDir,
    masters: StdMutex<Vec<Arc<Mutex<Option<Master>>>>>,
}

#[derive(Debug)]
struct Master {
    session: Session,
    socket: String,
}

impl Masters {
    pub(super) fn new() -> Result<Self, OperationError> {
        let dir = directory(&std::env::temp_dir());
        let dir = dir.map_err(|e| {
            OperationError::new(format!(
                "No directory for the sockets of ssh: {e}. Set TMPDIR, or do not share the connection."
            ))
        })?;
        Ok(Self { dir, masters: StdMutex::default() })
    }

    /// The socket of the connection for the session of this number. Connects if need be, once for all who wait.
    pub(super) async fn ready(&self, session: usize, host: &Arc<Host>, script: &str) -> Result<String, OperationError> {
        let index = session / SESSIONS_PER_CONNECTION;
        let master = self.at(index);
        let mut master = master.lock().await;
        if let Some(master) = &mut *master
            && master.session.is_running()
        {
            return Ok(master.socket.clone());
        }
        *master = None;
        let socket = self.dir.path().join(index.to_string());
        // One that was killed leaves its socket behind.
        _ = std::fs::remove_file(&socket);
        let socket = socket.to_string_lossy().into_owned();
        let command = ShellCommand::new(host.ssh(&socket, "yes", script));
        let session = Session::run(host.clone(), command, Script::new("cat >/dev/null\n")).await?;
        Ok(master.insert(Master { session, socket }).socket.clone())
    }

    fn at(&self, index: usize) -> Arc<Mutex<Option<Master>>> {
        let mut masters = self.masters.lock().unpoisoned();
        while masters.len() <= index {
            masters.push(Arc::default());
        }
        masters[index].clone()
    }
}

fn directory(temp_dir: &Path) -> std::io::Result<TempDir> {
    let fits = temp_dir.as_os_str().len() <= MAX_SOCKET_PATH - "/pi-ssh-123456/99".len();
    let place = if fits { temp_dir.to_owned() } else { PathBuf::from(SHORT_TEMP_DIR) };
    tempfile::Builder::new().prefix("pi-ssh-").tempdir_in(place)
}
