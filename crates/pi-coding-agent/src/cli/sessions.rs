//! Which session to use: none, a named file, the most recent, a new one.

use std::path::{Path, PathBuf};

use super::args::Args;
use crate::error::Error;
use crate::paths::Paths;
use crate::session::{LoadReport, NewSession, SessionHost, SessionManager};
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
    let dir = directory(args.session_dir.as_deref(), &host.paths, settings);
    if args.r#continue {
        return SessionManager::continue_recent(host.clone(), cwd, dir.as_deref());
    }
    SessionManager::create(host.clone(), cwd, &NewSession { dir, ..NewSession::default() })
}

/// `--session-dir`, else the environment, else the setting; `None` for the default.
pub(super) fn directory(option: Option<&str>, paths: &Paths, settings: &SettingsManager) -> Option<PathBuf> {
    let given = option.map(ToOwned::to_owned).or_else(|| paths.env().var(SESSION_DIR_VARIABLE));
    given.map(|dir| paths.resolve(&dir)).or_else(|| settings.session_dir())
}

/// Complaints about damage that opening a session found; nothing of it was lost.
pub(super) fn complaints(manager: &SessionManager) -> Vec<String> {
    damage(manager.session_file().unwrap_or(Path::new("")), manager.load_report())
}

fn damage(file: &Path, report: &LoadReport) -> Vec<String> {
    let file = file.display();
    let torn = report.torn_tail.as_ref().map(|aside| {
        format!("The last line of session file {file} was cut off by a crash; it was moved to {}", aside.display())
    });
    let mut lines: Vec<usize> = report.problems.iter().map(|problem| problem.line).collect();
    lines.sort_unstable();
    lines.dedup();
    if torn.is_some() {
        // The torn line is the last one; it was spoken of.
        lines.pop();
    }
    let damaged = (!lines.is_empty()).then(|| {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        format!("Session file {file} is damaged at line {}; the rest was read, nothing was removed", lines.join(", "))
    });
    torn.into_iter().chain(damaged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::ids::RandomIds;
    use crate::session::LineProblem;

    fn host(dir: &Path, variables: &[(&str, &str)]) -> SessionHost {
        let home = ("HOME", dir.to_str().unwrap());
        let env = Env::fixed(variables.iter().copied().chain([home]));
        SessionHost { paths: Paths::new(env, dir), clock: pi_ai::system_clock(), ids: RandomIds::shared() }
    }

    fn settings(json: &serde_json::Value) -> SettingsManager {
        SettingsManager::in_memory(json.as_object().unwrap().clone(), Env::fixed([("HOME", "/nowhere")]))
    }

    #[test]
    fn the_option_wins_over_the_variable_over_the_setting() {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path();
        let option = Args { session_dir: Some("by/option".to_owned()), ..Args::default() };
        let variable = [(SESSION_DIR_VARIABLE, "~/by/variable")];
        let setting = settings(&serde_json::json!({"sessionDir": "/by/setting"}));
        let empty = settings(&serde_json::json!({}));
        let none = Args::default();
        for (args, variables, settings, expected) in [
            (&option, &variable[..], &setting, Some(dir.join("by/option"))),
            (&none, &variable[..], &setting, Some(dir.join("by/variable"))),
            (&none, &[][..], &setting, Some("/by/setting".into())),
            (&none, &[][..], &empty, None),
        ] {
            let option = args.session_dir.as_deref();
            assert_eq!(directory(option, &host(dir, variables).paths, settings), expected);
        }
    }

    #[test]
    fn sessions_in_memory_touch_nothing() {
        let root = tempfile::tempdir().unwrap();
        let args = Args { no_session: true, session: Some("x.jsonl".to_owned()), ..Args::default() };
        let manager = open(&args, &host(root.path(), &[]), &settings(&serde_json::json!({}))).unwrap();
        assert!(!manager.is_persisted());
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn damage_is_told_once() {
        let problem = |line| LineProblem { line, reason: "why".to_owned() };
        let report = |lines: &[usize], torn: bool| LoadReport {
            problems: lines.iter().copied().map(problem).collect(),
            torn_tail: torn.then(|| "/s.torn-1".into()),
            ..LoadReport::default()
        };
        let texts = |lines: &[usize], torn| damage(Path::new("/s"), &report(lines, torn)).join("\n");
        assert_eq!(texts(&[], false), "");
        let torn = "The last line of session file /s was cut off by a crash; it was moved to /s.torn-1";
        assert_eq!(texts(&[9], true), torn);
        let damaged = "Session file /s is damaged at line 3, 5; the rest was read, nothing was removed";
        assert_eq!(texts(&[5, 3, 5], false), damaged);
        assert_eq!(texts(&[5, 9, 3], true), format!("{torn}\n{damaged}"));
    }
}
