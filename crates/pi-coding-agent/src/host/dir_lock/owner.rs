//! Whether the program that has made a lock's directory still lives. A file beside the directory names it, and is locked
//! in the system for as long as its writer lives. Other programs do not have such a file; of their locks nothing is known.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// Somebody who only looks has the file for a moment.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(1);

/// The file, locked by this process. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Owner {
    path: PathBuf,
    file: File,
}

impl Owner {
    /// Says that this process has made the directory. `None` where that cannot be said: the lock counts all the same.
    pub(super) fn of_new(dir: &Path) -> Option<Self> {
        let take = |attempt| {
            if attempt > 0 {
                sleep(PAUSE);
            }
            Self::lock(dir, true)
        };
        let mut owner = (0..ATTEMPTS).find_map(take)?;
        owner.note(dir);
        Some(owner)
    }

    /// Says the same again, of the directory as it is now.
    pub(super) fn note(&mut self, dir: &Path) {
        let Some(identity) = identity(dir) else { return };
        // What cannot be written does not match later: then the age of the directory counts.
        let _ = self.file.set_len(0).and_then(|()| self.file.rewind()).and_then(|()| self.file.write_all(&identity));
    }

    fn lock(dir: &Path, create: bool) -> Option<Self> {
        let mut path = dir.as_os_str().to_owned();
        path.push(".owner");
        let path = PathBuf::from(path);
        let file = OpenOptions::new().read(true).write(true).create(create).truncate(false).open(&path).ok()?;
        file.try_lock().ok()?;
        Some(Self { path, file })
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // Another may be there by now, whose file it is not ours to remove.
        let same = |a: &fs::Metadata, b: &fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
        if let (Ok(ours), Ok(there)) = (self.file.metadata(), fs::symlink_metadata(&self.path))
            && same(&ours, &there)
        {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes a lock whose owner is known to be dead: it has said that it made this directory, and its file is not locked
/// any more.
pub(super) fn remove_if_dead(dir: &Path) {
    let Some(mut left) = Owner::lock(dir, false) else { return };
    let mut said = Vec::new();
    let is_read = left.file.read_to_end(&mut said).is_ok();
    if is_read && !said.is_empty() && identity(dir).is_some_and(|identity| identity == said) {
        // Whoever loses the race for it simply tries again.
        let _ = fs::remove_dir(dir);
    }
}

/// What tells a directory from others that were, or will be, in its place.
fn identity(dir: &Path) -> Option<Vec<u8>> {
    let is = fs::symlink_metadata(dir).ok()?;
    Some(format!("{} {} {} {}", is.dev(), is.ino(), is.mtime(), is.mtime_nsec()).into_bytes())
}
