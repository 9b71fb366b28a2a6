//! Temporary files under way, written down, so that a later run removes those of a run that was killed.
//!
//! Each process has a list in the directory `temp_file_registry` of the configuration, locked in the system while the process lives.
//! It is made with the first temporary file and removed at the end; one that is not locked is a dead process's. Nothing is
//! removed that is not on a list and does not have the name of a temporary file.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::thread::JoinHandle;

use pi_guard::Unpoisoned;
use uuid::Uuid;

/// How the names of temporary files begin and end.
pub(crate) const OF_TOOLS: (&str, &str) = (".pi-", ".tmp");
pub(crate) const OF_CONFIGURATION: (&str, &str) = (".tmp-", "");
/// Characters between.
const RANDOM: usize = 6;
/// No list is that long.
const LONGEST_LIST: u64 = 1 << 20;
const ATTEMPTS: u32 = 3;

static STATE: Mutex<RegistryState> =
    Mutex::new(RegistryState { dir: None, list: None, under_way: BTreeSet::new(), cleaning: None });

#[derive(Debug)]
struct RegistryState {
    /// Where lists are.
    dir: Option<PathBuf>,
    list: Option<(PathBuf, File)>,
    under_way: BTreeSet<PathBuf>,
    /// Removes what dead processes have left.
    cleaning: Option<JoinHandle<()>>,
}

/// A temporary file that is under way until this is dropped.
#[derive(Debug)]
pub(crate) struct UnderWay(PathBuf);

fn state() -> MutexGuard<'static, RegistryState> {
    STATE.lock().unpoisoned()
}

/// Keeps lists in this configuration directory from now on, and removes what dead processes have left. The first call of
/// a process counts. Does not wait.
pub(crate) fn keep_in(agent_dir: &Path) {
    let dir = agent_dir.join("unfinished");
    {
        let mut state = state();
        if state.dir.is_some() {
            return;
        }
        state.dir = Some(dir.clone());
    }
    if dir.is_dir() {
        // A thread, because there need not be a runtime.
        let cleaning = std::thread::Builder::new().name("unfinished".to_owned()).spawn(move || remove_left(&dir));
        state().cleaning = cleaning.ok();
    }
}

/// Writes down a file that is about to be made. Without a directory for lists, or where it cannot be written, nothing is.
pub(crate) fn note(path: &Path) -> Option<UnderWay> {
    let path = std::path::absolute(path).ok()?;
    let mut state = state();
    if state.list.is_none() {
        state.list = Some(new_list(state.dir.as_deref()?).ok()?);
    }
    let (_, list) = state.list.as_mut()?;
    list.write_all(&[path.as_os_str().as_bytes(), b"\0"].concat()).ok()?;
    state.under_way.insert(path.clone());
    Some(UnderWay(path))
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = state();
        state.under_way.remove(&self.0);
        if state.under_way.is_empty()
            && let Some((_, list)) = &mut state.list
        {
            // Written at the end, wherever that is then.
            let _ = list.set_len(0);
        }
    }
}

/// The process ends in order: its list goes.
pub fn finish() {
    let cleaning = state().cleaning.take();
    // A run that is over at once leaves nothing for the next one either.
    let _ = cleaning.map(JoinHandle::join);
    let mut state = state();
    if state.under_way.is_empty()
        && let Some((path, _locked)) = state.list.take()
    {
        let _ = fs::remove_file(path);
    }
}

fn new_list(dir: &Path) -> io::Result<(PathBuf, File)> {
    // Not its parents: where there is no configuration, none is made.
    match DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    for _ in 0..ATTEMPTS {
        #[expect(clippy::disallowed_methods, reason = "a name that no other process may have, in a replay either")]
        let path = dir.join(format!("{}-{}", std::process::id(), Uuid::new_v4().simple()));
        let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path)?;
        // Somebody may have taken it for that of a dead process before it was locked.
        if file.try_lock().is_ok() && fs::symlink_metadata(&path).is_ok_and(|it| it.ino() == file_ino(&file)) {
            return Ok((path, file));
        }
    }
    Err(io::Error::from(io::ErrorKind::WouldBlock))
}

fn file_ino(file: &File) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.ino())
}

/// Removes what is on the lists of dead processes, and these lists.
fn remove_left(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Another process may do the same, or the file system knows no locks: then nothing is removed.
            let _ = remove_listed(&entry.path());
        }
    }
}

fn remove_listed(list: &Path) -> io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(list)?;
    file.try_lock()?;
    let mut text = Vec::new();
    (&file).take(LONGEST_LIST).read_to_end(&mut text)?;
    let complete = text.split_inclusive(|byte| *byte == 0).filter_map(|path| path.strip_suffix(b"\0"));
    for path in complete {
        remove_temporary(Path::new(&OsString::from_vec(path.to_vec())));
    }
    fs::remove_file(list)
}

/// Removes a file that this user's programs have made for a moment. Links are not followed.
fn remove_temporary(path: &Path) {
    let is_ours = |metadata: &fs::Metadata| {
        metadata.is_file() && metadata.nlink() == 1 && metadata.uid() == rustix::process::geteuid().as_raw()
    };
    if path.is_absolute()
        && path.file_name().is_some_and(is_temporary)
        && fs::symlink_metadata(path).is_ok_and(|it| is_ours(&it))
    {
        let _ = fs::remove_file(path);
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_str().unwrap_or_default();
    [OF_TOOLS, OF_CONFIGURATION].iter().any(|(start, end)| {
        let random = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_dead_processes_have_listed_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let lists = root.path().join("unfinished");
        let (alive_list, alive) = new_list(&lists).unwrap();
        let names =
            [".pi-abC123.tmp", ".tmp-abC123", ".pi-live12.tmp", "notes.txt", ".pi-abC123.tmp.bak", ".pi-link12.tmp"];
        let paths = names.map(|name| root.path().join(name));
        paths[..5].iter().for_each(|path| fs::write(path, "x").unwrap());
        std::os::unix::fs::symlink(&paths[3], &paths[5]).unwrap();
        (&alive).write_all(&[paths[2].as_os_str().as_bytes(), b"\0"].concat()).unwrap();
        let unlisted = root.path().join(".pi-unlist.tmp");
        fs::write(&unlisted, "x").unwrap();
        let mut left: Vec<u8> = Vec::new();
        for index in [0, 1, 3, 4, 5] {
            left.extend(paths[index].as_os_str().as_bytes());
            left.push(0);
        }
        // The last name was being written.
        left.extend(unlisted.as_os_str().as_bytes());
        fs::write(lists.join("1-dead"), &left).unwrap();
        remove_left(&lists);
        let is_there = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
        assert_eq!(paths.each_ref().map(is_there), [false, false, true, true, true, true]);
        assert!(is_there(&unlisted) && alive_list.exists() && !lists.join("1-dead").exists());
        drop(alive);
        remove_left(&lists);
        assert!(!is_there(&paths[2]) && !alive_list.exists());
    }
}
