//! The branch of Git, and when it changes: the file that names it is watched, not read over and over.

use std::path::{Path, PathBuf};

use pi_coding_agent::host::{self, FileKind};

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

    /// Waits until the branch may be another.
    #[cfg(target_os = "linux")]
    pub(super) async fn changed(&self) {
        if self.watch().await.is_err() {
            // Without a watch the branch is read again after every run.
            std::future::pending::<()>().await;
        }
    }

    /// Nothing is watched here: the branch is read again after every run.
    #[cfg(not(target_os = "linux"))]
    pub(super) async fn changed(&self) {
        std::future::pending::<()>().await;
    }

    /// Git replaces the file, so its directory is watched.
    #[cfg(target_os = "linux")]
    async fn watch(&self) -> std::io::Result<()> {
        use rustix::fs::inotify;
        use tokio::io::unix::AsyncFd;

        let dir = self.0.parent().ok_or(std::io::ErrorKind::NotFound)?;
        let descriptor = inotify::init(inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC)?;
        let what = inotify::WatchFlags::CLOSE_WRITE | inotify::WatchFlags::MOVED_TO | inotify::WatchFlags::CREATE;
        inotify::add_watch(&descriptor, dir, what)?;
        let descriptor = AsyncFd::new(descriptor)?;
        let mut buffer = [const { std::mem::MaybeUninit::uninit() }; 4096];
        loop {
            let mut ready = descriptor.readable().await?;
            let mut names_head = false;
            let mut reader = inotify::Reader::new(descriptor.get_ref(), &mut buffer);
            loop {
                match reader.next() {
                    Ok(event) => {
                        names_head |= event.file_name().is_some_and(|name| name.to_bytes() == b"HEAD");
                    }
                    Err(rustix::io::Errno::WOULDBLOCK) => break,
                    Err(error) => return Err(error.into()),
                }
            }
            ready.clear_ready();
            if names_head {
                return Ok(());
            }
        }
    }
}

fn read(path: &Path) -> Option<String> {
    let bytes = host::read_bytes(path, FileKind::Attachment).ok()?;
    String::from_utf8(bytes).ok()
}
