//! Where the whole of a long output goes: a file with a random name in the directory for temporary files.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

use tokio::fs::{File, OpenOptions};
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

/// Source of names that do not repeat.
pub trait SpillNames: Debug + Send + Sync {
    /// Sixteen hexadecimal digits.
    fn next(&self) -> String;
}

/// Random names.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomSpillNames;

impl SpillNames for RandomSpillNames {
    fn next(&self) -> String {
        let (high, low) = Uuid::new_v4().as_u64_pair();
        format!("{:016x}", high ^ low)
    }
}

/// Starts and ends the names of the files.
const NAME_AFFIXES: (&str, &str) = ("pi-bash-", ".log");

/// Whether a path has the form of those that [`Spill`] makes in a directory.
pub(crate) fn is_spill_path(dir: &Path, path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let digits = name.strip_prefix(NAME_AFFIXES.0).and_then(|rest| rest.strip_suffix(NAME_AFFIXES.1));
    let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    path.parent() == Some(dir) && digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(is_digit))
}

/// A copy of all raw bytes: held in memory while short, then in a file. The file is not deleted; the model may
/// want to read it.
#[derive(Debug)]
pub(crate) struct Spill {
    /// What has not been handed to the file yet.
    buffer: Vec<u8>,
    state: State,
}

#[derive(Debug)]
enum State {
    Memory,
    File {
        path: PathBuf,
        file: File,
    },
    /// The file could not be written; the rest of the output is not kept.
    Failed {
        path: PathBuf,
        reason: String,
    },
}

impl Spill {
    pub(crate) fn new() -> Self {
        Self { buffer: Vec::new(), state: State::Memory }
    }

    /// Keeps these bytes too.
    pub(crate) async fn push(&mut self, bytes: &[u8]) {
        match &mut self.state {
            State::Memory => self.buffer.extend_from_slice(bytes),
            State::File { path, file } => {
                if let Err(e) = file.write_all(bytes).await {
                    self.state = failed(path, &e);
                }
            }
            State::Failed { .. } => {}
        }
    }

    /// Moves to the file `{dir}/pi-bash-{name}.log`, unless that has happened.
    pub(crate) async fn open(&mut self, dir: &Path, names: &dyn SpillNames) {
        if !matches!(self.state, State::Memory) {
            return;
        }
        let path = dir.join(format!("{}{}{}", NAME_AFFIXES.0, names.next(), NAME_AFFIXES.1));
        let buffer = std::mem::take(&mut self.buffer);
        self.state = match create(&path, &buffer).await {
            Ok(file) => State::File { path, file },
            Err(e) => failed(&path, &e),
        };
    }

    /// Waits until everything is in the file.
    pub(crate) async fn flush(&mut self) {
        if let State::File { path, file } = &mut self.state
            && let Err(e) = file.flush().await
        {
            self.state = failed(path, &e);
        }
    }

    /// The file, if there is a complete one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.state {
            State::File { path, .. } => Some(path),
            State::Memory | State::Failed { .. } => None,
        }
    }

    /// Why there is no complete file, in words.
    pub(crate) fn failure(&self) -> Option<String> {
        match &self.state {
            State::Failed { path, reason } => Some(format!("could not be saved to {}: {reason}", path.display())),
            State::Memory | State::File { .. } => None,
        }
    }
}

async fn create(path: &Path, start: &[u8]) -> io::Result<File> {
    // Output may hold secrets: for the user's eyes only.
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).await?;
    file.write_all(start).await?;
    Ok(file)
}

fn failed(path: &Path, error: &io::Error) -> State {
    State::Failed { path: path.to_owned(), reason: error.to_string() }
}
