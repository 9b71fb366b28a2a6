//! The branch of Git, and when it changes: the file that names it is watched, not read over and over.

use std::path::{Path, PathBuf};

use pi_coding_agent::host::{self, FileKind};

use super::file_watch;

/// Where the branch of a directory is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitHead(PathBuf);

impl GitHead {
    /// The head of the repository that a directory lies in.
    pub(super) fn of(cwd: &Path) -> Option<Self> {
        cwd.ancestors().find_map(|dir| {
            let git = dir.join(".git");
            let meta = std::fs::metadata(&git).ok()?;
            if meta.is_dir() {
                return Some(Self(git.join("HEAD")));
            }
            // A work tree beside the repository names its place in a file.
            let text = read(&git)?;
            let place = text.strip_prefix("gitdir:")?.trim();
            Some(Self(dir.join(place).join("HEAD")))
        })
    }

    /// The branch; `detached` where there is none.
    pub(super) fn branch(&self) -> Option<String> {
        let text = read(&self.0)?;
        Some(match text.trim().strip_prefix("ref: ") {
            Some(name) => name.strip_prefix("refs/heads/").unwrap_or(name).to_owned(),
            None => "detached".to_owned(),
        })
    }

    /// Waits until the branch may be another. Where that cannot be watched, it is read again after every run.
    pub(super) async fn changed(&self) {
        file_watch::changed(&self.0).await;
    }
}

fn read(path: &Path) -> Option<String> {
    let bytes = host::read_bytes(path, FileKind::Attachment).ok()?;
    String::from_utf8(bytes).ok()
}
