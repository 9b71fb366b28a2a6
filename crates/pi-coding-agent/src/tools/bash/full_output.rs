//! Where the whole of a long output goes: a file with a random name in the directory for temporary files.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncWriteExt;

use super::old_logs;
use crate::tools::command_log::SpillNames;

/// Starts and ends the names of the files.
const NAME_AFFIXES: (&str, &str) = ("pi-bash-", ".log");

/// Whether a path has the form of those that [`FullOutput`] makes in a directory.
pub(crate) fn is_spill_path(dir: &Path, path: &Path) -> bool {
    path.parent() == Some(dir) && path.file_name().is_some_and(is_spill_name)
}

/// Whether a file's name has this form.
pub(super) fn is_spill_name(name: &OsStr) -> bool {
    let name = name.to_str().unwrap_or_default();
    let digits = name.strip_prefix(NAME_AFFIXES.0).and_then(|rest| rest.strip_suffix(NAME_AFFIXES.1));
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(is_digit))
}

/// A copy of all raw bytes: held in memory while short, then in a file. The file is not deleted; the model may
/// want to read it; see [`super::old_logs`].
#[derive(Debug)]
pub(crate) struct FullOutput {
    max_bytes: u64,
    /// What has not been handed to the file yet.
    buffer: Vec<u8>,
    state: FileState,
}

#[derive(Debug)]
enum FileState {
    Memory,
    File {
        path: PathBuf,
        file: File,
        /// Bytes that may still be written; `None` when the limit was reached.
        room: Option<u64>,
    },
    /// The file could not be written; the rest of the output is not kept.
    Failed {
        path: PathBuf,
        reason: String,
    },
}

impl FullOutput {
    pub(crate) fn new(max_bytes: u64) -> Self {
        Self { max_bytes, buffer: Vec::new(), state: FileState::Memory }
    }

    /// Keeps these bytes too.
    pub(crate) async fn push(&mut self, bytes: &[u8]) {
        match &mut self.state {
            FileState::Memory => self.buffer.extend_from_slice(bytes),
            FileState::File { path, file, room } => {
                if let Err(e) = write_within(file, bytes, room, self.max_bytes).await {
                    self.state = failed(path, &e);
                }
            }
            FileState::Failed { .. } => {}
        }
    }

    /// Moves to the file `{dir}/pi-bash-{name}.log`, unless that has happened.
    pub(crate) async fn open(&mut self, dir: &Path, names: &dyn SpillNames) {
        if !matches!(self.state, FileState::Memory) {
            return;
        }
        let path = dir.join(format!("{}{}{}", NAME_AFFIXES.0, names.next(), NAME_AFFIXES.1));
        let buffer = std::mem::take(&mut self.buffer);
        self.state = match create(&path).await {
            Ok(file) => FileState::File { path, file, room: Some(self.max_bytes) },
            Err(e) => failed(&path, &e),
        };
        self.push(&buffer).await;
        if let FileState::File { path, .. } = &self.state {
            old_logs::remove_once(path);
        }
    }

    /// Waits until everything is in the file.
    pub(crate) async fn flush(&mut self) {
        if let FileState::File { path, file, .. } = &mut self.state
            && let Err(e) = file.flush().await
        {
            self.state = failed(path, &e);
        }
    }

    /// So many bytes of the output are in the file, if the output was longer.
    pub(crate) fn cut_at(&self) -> Option<u64> {
        matches!(&self.state, FileState::File { room: None, .. }).then_some(self.max_bytes)
    }

    /// The file, if there is one with all of the output, or with as much as the limit allows.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.state {
            FileState::File { path, .. } => Some(path),
            FileState::Memory | FileState::Failed { .. } => None,
        }
    }

    /// Why there is no complete file, in words.
    pub(crate) fn failure(&self) -> Option<String> {
        match &self.state {
            FileState::Failed { path, reason } => Some(format!("could not be saved to {}: {reason}", path.display())),
            FileState::Memory | FileState::File { .. } => None,
        }
    }
}

async fn create(path: &Path) -> io::Result<File> {
    // Output may hold secrets: for the user's eyes only.
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).await
}

/// Writes as much as there is room for, and where that is not all, a line that says so.
async fn write_within(file: &mut File, bytes: &[u8], room: &mut Option<u64>, max_bytes: u64) -> io::Result<()> {
    let Some(left) = *room else { return Ok(()) };
    if bytes.len() as u64 <= left {
        *room = Some(left - bytes.len() as u64);
        return file.write_all(bytes).await;
    }
    *room = None;
    file.write_all(&bytes[..usize::try_from(left).unwrap_or(bytes.len())]).await?;
    let said = format!(
        "\n[pi: the log ends here, after {max_bytes} bytes (setting commandLogMaxMb). The command went on and wrote more.]\n"
    );
    file.write_all(said.as_bytes()).await
}

fn failed(path: &Path, error: &io::Error) -> FileState {
    FileState::Failed { path: path.to_owned(), reason: error.to_string() }
}
