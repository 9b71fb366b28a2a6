//! Which session to use: none, a named file, the most recent, a new one.

use std::path::{Path, PathBuf};

use super::args::Args;
use crate::error::Error;
use crate::paths::Paths;
use crate::session::{NewSession, SessionHost, SessionManager};
use crate::settings::SettingsManager;

/// Environment variable that moves session files.
const SESSION_DIR_VARIABLE: &str = "PI_CODING_AGENT_SESSION_DIR";

/// Opens or creates the session that was asked for.
///
/// # Errors
/// When the file or the directory cannot be used; nothing is changed then.
pub(super) fn open(args: &Args, host: &SessionHost, settings: &SettingsManager) -> Result<SessionManager, Error> {
    let cwd = host.paths.cwd();
    if args.no_session || args.list_models {
        return Ok(SessionManager::in_memory(host.clone(), cwd));
    }
    if let Some(file) = &args.session {
        let manager = SessionManager::open(host.clone(), &host.paths.resolve(file), None)?;
        manager.check_cwd()?;
        return Ok(manager);
    }
    let dir = directory(args, &host.paths, settings);
    if args.r#continue {
        return SessionManager::continue_recent(host.clone(), cwd, dir.as_deref());
    }
    SessionManager::create(host.clone(), cwd, &NewSession { dir, ..NewSession::default() })
}

/// `--session-dir`, else the environment, else the setting; `None` for the default.
fn directory(args: &Args, paths: &Paths, settings: &SettingsManager) -> Option<PathBuf> {
    let given = args.session_dir.clone().or_else(|| paths.env().var(SESSION_DIR_VARIABLE));
    given.map(|dir| paths.resolve(&dir)).or_else(|| settings.session_dir())
}

/// Complaints about damage that opening a session found; nothing of it was lost.
pub(super) fn complaints(manager: &SessionManager) -> Vec<String> {
    let report = manager.load_report();
    let file = manager.session_file().unwrap_or(Path::new("")).display();
    let torn = report.torn_tail.iter().map(|aside| {
        format!("The last line of session file {file} was cut off by a crash; it was moved to {}", aside.display())
    });
    let damaged = (!report.problems.is_empty()).then(|| {
        let lines: Vec<String> = report.problems.iter().map(|problem| problem.line.to_string()).collect();
        format!("Session file {file} is damaged at line {}; the rest was read, nothing was removed", lines.join(", "))
    });
    torn.chain(damaged).collect()
}
