//! Session files into the trash, or away where there is no trash.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pi_coding_agent::env::Env;
use pi_coding_agent::session::{self, removal};

/// Programs that move files into the trash, with what comes before the names. The first that is installed is used.
const TRASHES: [(&str, &[&str]); 3] = [("trash", &[]), ("trash-put", &["--"]), ("gio", &["trash", "--"])];

/// A program that moves files into the trash.
#[derive(Debug, Clone)]
pub(crate) struct Trash {
    program: PathBuf,
    arguments: &'static [&'static str],
}

/// What became of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removed {
    /// It is in the trash.
    Trashed,
    /// It is gone.
    Deleted,
}

impl Removed {
    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Trashed => "trashed",
            Self::Deleted => "deleted",
        }
    }
}

/// Why a session is still there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Somebody has it open, or it cannot be opened.
    #[error("{} is not removed: {source}", file.display())]
    Claim {
        /// Which.
        file: PathBuf,
        /// Why.
        source: session::Error,
    },
    /// It could not be deleted.
    #[error("{} is not removed: {source}", file.display())]
    Delete {
        /// Which.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The trash does not take it.
    #[error("{} is not removed: {} failed: {said}", file.display(), program.display())]
    Trash {
        /// Which.
        file: PathBuf,
        /// What was to take it.
        program: PathBuf,
        /// What that said.
        said: String,
    },
    /// The trash cannot be started.
    #[error("{} is not removed: cannot start {}: {source}", file.display(), program.display())]
    NoTrash {
        /// Which.
        file: PathBuf,
        /// What was to take it.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Trash {
    /// The program, from the `PATH`.
    pub(crate) fn find(env: &Env) -> Option<Self> {
        let path = env.var("PATH")?;
        let dirs: Vec<PathBuf> = std::env::split_paths(&path).filter(|dir| dir.is_absolute()).collect();
        TRASHES.iter().find_map(|(name, arguments)| {
            let program = dirs.iter().map(|dir| dir.join(name)).find(|program| program.is_file())?;
            Some(Self { program, arguments })
        })
    }

    fn take(&self, file: &Path, files: &[PathBuf]) -> Result<(), Error> {
        let output = Command::new(&self.program).args(self.arguments).args(files).stdin(Stdio::null()).output();
        let (file, program) = (file.to_owned(), self.program.clone());
        match output {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                Err(Error::Trash { file, program, said })
            }
            Err(source) => Err(Error::NoTrash { file, program, source }),
        }
    }
}

/// Removes a session with the files beside it: into the trash if there is one, else for good. Blocks.
///
/// # Errors
/// When it is in use, and when it cannot be removed in the way that was asked for.
pub(crate) fn remove(file: &Path, trash: Option<&Trash>) -> Result<Removed, Error> {
    // Nobody writes to it until it is gone.
    let _claim = removal::claim(file).map_err(|source| Error::Claim { file: file.to_owned(), source })?;
    let files = removal::with_companions(file);
    match trash {
        Some(trash) => trash.take(file, &files).map(|()| Removed::Trashed),
        None => delete(file, &files).map(|()| Removed::Deleted),
    }
}

/// The same, but for good where the trash does not take it. Blocks.
///
/// # Errors
/// When it is in use, and when it cannot be deleted.
pub(crate) fn remove_somehow(file: &Path, trash: Option<&Trash>) -> Result<Removed, Error> {
    match remove(file, trash) {
        Err(Error::Trash { .. } | Error::NoTrash { .. }) => remove(file, None),
        other => other,
    }
}

fn delete(file: &Path, files: &[PathBuf]) -> Result<(), Error> {
    files.iter().try_for_each(std::fs::remove_file).map_err(|source| Error::Delete { file: file.to_owned(), source })
}
