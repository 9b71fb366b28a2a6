//! Waiting until a file changes, without reading it over and over.

use std::path::Path;

/// Waits until a file may have another content; for ever where that cannot be watched.
pub(super) async fn changed(file: &Path) {
    #[cfg(target_os = "linux")]
    if watch(file).await.is_ok() {
        return;
    }
    let _ = file;
    std::future::pending::<()>().await;
}

/// Programs replace files, so the directory is watched.
#[cfg(target_os = "linux")]
async fn watch(file: &Path) -> std::io::Result<()> {
    use rustix::fs::inotify;
    use std::os::unix::ffi::OsStrExt;
    use tokio::io::unix::AsyncFd;

    let (dir, name) = file.parent().zip(file.file_name()).ok_or(std::io::ErrorKind::NotFound)?;
    let descriptor = inotify::init(inotify::CreateFlags::NONBLOCK | inotify::CreateFlags::CLOEXEC)?;
    let what = inotify::WatchFlags::CLOSE_WRITE | inotify::WatchFlags::MOVED_TO | inotify::WatchFlags::CREATE;
    inotify::add_watch(&descriptor, dir, what)?;
    // The other way is unsafe, and this descriptor is ours alone.
    #[expect(deprecated, reason = "no safe constructor takes its place")]
    let descriptor = AsyncFd::new(descriptor)?;
    let mut buffer = [const { std::mem::MaybeUninit::uninit() }; 4096];
    loop {
        let mut ready = descriptor.readable().await?;
        let mut is_meant = false;
        let mut reader = inotify::Reader::new(descriptor.get_ref(), &mut buffer);
        loop {
            match reader.next() {
                Ok(event) => is_meant |= event.file_name().is_some_and(|other| other.to_bytes() == name.as_bytes()),
                Err(rustix::io::Errno::WOULDBLOCK) => break,
                Err(error) => return Err(error.into()),
            }
        }
        ready.clear_ready();
        if is_meant {
            return Ok(());
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn a_change_of_the_file_is_noticed_and_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("theme.json");
        std::fs::write(&file, "1").unwrap();
        let within = |ms| tokio::time::timeout(Duration::from_millis(ms), changed(&file));
        let write = |name: &str| std::fs::write(dir.path().join(name), "2").unwrap();
        let (unnoticed, ()) = tokio::join!(within(300), async { write("other.json") });
        unnoticed.unwrap_err();
        let (noticed, ()) = tokio::join!(within(5000), async { write("theme.json") });
        noticed.unwrap();
    }
}
