//! Sessions whose working directory is gone: they can go on in the directory of the run, or be copied into it.

use serde::{Deserialize, Serialize};

use super::lock::patiently;
use super::manager::{NewSession, SessionManager};
use crate::session::Error;

/// What becomes of a session whose directory is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MissingCwd {
    /// It goes on in the directory of the run. Its file stays where it is and keeps naming the old one.
    Here,
    /// A copy that belongs to the directory of the run goes on; the session stays as it is.
    Fork,
}

impl MissingCwd {
    /// The names there are.
    pub const NAMES: &'static [&'static str] = &["here", "fork"];

    /// By its name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "here" => Some(Self::Here),
            "fork" => Some(Self::Fork),
            _ => None,
        }
    }
}

/// A session as it is if its directory exists, else what was wanted for that case. `options` are those of a copy. Blocks.
///
/// # Errors
/// [`Error::MissingCwd`] when nothing was wanted; those of [`SessionManager::open`] and [`SessionManager::fork_from`].
pub fn settle_cwd(
    session: SessionManager,
    wanted: Option<MissingCwd>,
    options: &NewSession,
) -> Result<SessionManager, Error> {
    let Err(missing) = session.check_cwd() else { return Ok(session) };
    let (Some(wanted), Some(file)) = (wanted, session.session_file().map(ToOwned::to_owned)) else {
        return Err(missing);
    };
    let host = session.host();
    // The file is locked as long as it is open.
    drop(session);
    let here = host.paths.cwd();
    match wanted {
        MissingCwd::Here => patiently(|| SessionManager::open(host.clone(), &file, Some(here))),
        MissingCwd::Fork => patiently(|| SessionManager::fork_from(host.clone(), &file, here, options)),
    }
}
