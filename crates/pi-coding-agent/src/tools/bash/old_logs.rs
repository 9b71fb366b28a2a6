//! Removes files of long output that nobody can want any more.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use super::full_output::is_spill_name;

/// Nothing was written to them for so long.
const AGE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Removes old files beside `written`, a file that was written just now, once per process and beside everything else.
pub(super) fn remove_once(written: &Path) {
    static IS_DONE: AtomicBool = AtomicBool::new(false);
    if !IS_DONE.swap(true, Ordering::Relaxed) {
        let written = written.to_owned();
        tokio::task::spawn_blocking(move || remove_beside(&written));
    }
}

/// The age of files is told by another file and not by a clock: a clock of a replay knows nothing of them, and one of this
/// machine may differ from that of the file system.
fn remove_beside(written: &Path) {
    let now = fs::symlink_metadata(written).and_then(|metadata| metadata.modified());
    if let (Ok(now), Some(dir)) = (now, written.parent()) {
        remove(dir, now);
    }
}

/// Only regular files of this user whose name is that of a log. A link is none, wherever it leads.
fn remove(dir: &Path, now: SystemTime) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if !is_spill_name(&entry.file_name()) {
            continue;
        }
        // Of the entry itself, links are not followed.
        let Ok(metadata) = entry.metadata() else { continue };
        let age = metadata.modified().ok().and_then(|time| now.duration_since(time).ok());
        let is_ours = metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw();
        if is_ours && age.is_some_and(|age| age > AGE) {
            // Somebody else was faster, or the directory does not allow it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn only_old_logs_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let written = dir.path().join("pi-bash-0000000000000002.log");
        let now = File::create(&written).unwrap().metadata().unwrap().modified().unwrap();
        let old = now - AGE - Duration::from_secs(60);
        let make = |name: &str, time: SystemTime| {
            File::create(dir.path().join(name)).unwrap().set_modified(time).unwrap();
        };
        make("pi-bash-0000000000000001.log", old);
        make("pi-bash-000000000000000G.log", old);
        make("pi-bash-1.log", old);
        make("other.log", old);
        let (link, folder) =
            (dir.path().join("pi-bash-0000000000000003.log"), dir.path().join("pi-bash-0000000000000004.log"));
        std::os::unix::fs::symlink(dir.path().join("other.log"), &link).unwrap();
        fs::create_dir(&folder).unwrap();
        // The link is old, too.
        remove_beside(&written);
        remove(dir.path(), now + Duration::from_secs(60));
        let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        let expected = [
            "other.log",
            "pi-bash-0000000000000002.log",
            "pi-bash-0000000000000003.log",
            "pi-bash-0000000000000004.log",
            "pi-bash-000000000000000G.log",
            "pi-bash-1.log",
        ];
        assert_eq!(left, expected);
        remove(dir.path(), now + AGE + Duration::from_secs(60));
        assert!(!dir.path().join(expected[1]).exists());
        assert!(link.is_symlink() && folder.is_dir() && dir.path().join("other.log").exists());
    }
}
