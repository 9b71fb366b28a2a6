//! Where sessions are for a command, and which file an argument means.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Clock;

use super::Failure;
use crate::cli::process_env;
use crate::cli::startup::sessions::directory;
use crate::common::shell_word::quoted;
use pi_coding_agent::host;
use pi_coding_agent::ids::Ids;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{self, LoadedSession, SessionHost, SessionMatch, find_session, load_session};
use pi_coding_agent::settings::SettingsManager;

/// Directories, clock and ids of the run.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) paths: Paths,
    pub(super) clock: Arc<dyn Clock>,
    /// Ids of what is written, and of entries of old versions.
    pub(super) ids: Arc<dyn Ids>,
    /// The session directory that was asked for; `None` for the default of the working directory.
    pub(super) dir: Option<PathBuf>,
}

impl Places {
    /// Those of this process. `dir` is the option `--session-dir`.
    pub(super) fn of_process(dir: Option<&str>) -> Result<Self, Failure> {
        let SessionHost { paths, clock, ids } = process_env::of_process().map_err(Failure::Said)?;
        let settings = SettingsManager::load(&paths, paths.cwd(), false, Arc::clone(&clock));
        let dir = directory(dir, &paths, &settings);
        Ok(Self { paths, clock, ids, dir })
    }

    /// The session file that an argument means: a path, an id, or the beginning of one.
    pub(super) fn locate(&self, argument: &str) -> Result<PathBuf, Failure> {
        let found = find_session(&self.paths, self.paths.cwd(), self.dir.as_deref(), argument);
        let path = match found {
            SessionMatch::Path(path) | SessionMatch::Here(path) => path,
            SessionMatch::Elsewhere { file, .. } => file,
            SessionMatch::None => Some(self.paths.resolve(argument))
                .filter(|path| path.exists() && !argument.is_empty())
                .ok_or_else(|| unknown(argument))?,
        };
        check_file(path)
    }

    /// The file that a path means.
    pub(super) fn file(&self, argument: &str) -> Result<PathBuf, Failure> {
        check_file(self.paths.resolve(argument))
    }

    /// The session in the file that an argument means.
    pub(super) fn load(&self, argument: &str) -> Result<(PathBuf, LoadedSession), Failure> {
        let path = self.locate(argument)?;
        match load_session(&path, &*self.ids) {
            Ok(session) => Ok((path, session)),
            Err(error @ session::Error::Invalid { .. }) => Err(Failure::Said(format!(
                "{error} To see what is in it: pi session doctor {}",
                quoted(&path.display().to_string())
            ))),
            Err(error) => Err(error.into()),
        }
    }
}

fn check_file(path: PathBuf) -> Result<PathBuf, Failure> {
    if path.is_dir() {
        let message = format!(
            "{} is a directory: name a session file in it, or give --session-dir to `pi session ls`",
            path.display()
        );
        return Err(Failure::Said(message));
    }
    if !path.exists() {
        let error = host::Error::NoSuchFile { path };
        return Err(Failure::Said(format!("{error}. `pi session ls --all` lists the sessions that there are")));
    }
    Ok(path)
}

fn unknown(argument: &str) -> Failure {
    Failure::Said(format!(
        "no session has an id that begins with \"{argument}\", and there is no such file. `pi session ls --all` lists the sessions that there are"
    ))
}

/// A path as people see it: relative to the working directory where it lies below.
pub(super) fn shown(path: &Path, places: &Places) -> String {
    path.strip_prefix(places.paths.cwd()).unwrap_or(path).display().to_string()
}
