//! Which session to use: none, a copy of another one, a named one, the most recent, a new one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::wait_for_session::wait_for;
use super::{missing_cwd, resume};
use crate::cli::error::Error;
use crate::cli::grammar::args::Args;
use crate::modes::Asker;
use pi_coding_agent::SessionIdError;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{self, MissingCwd, NewSession, SessionHost, SessionManager, SessionMatch, find_session};
use pi_coding_agent::settings::SettingsManager;

/// Environment variable that moves session files.
const SESSION_DIR_VARIABLE: &str = "PI_CODING_AGENT_SESSION_DIR";

/// Whether opening may take long, because somebody else may have the session open, or a person is asked.
pub(in crate::cli) fn may_wait(args: &Args) -> bool {
    let names_one = args.session.is_some() || args.session_id.is_some() || args.fork.is_some();
    names_one || args.r#continue || args.resume
}

/// Opens or creates the session that was asked for; `missing_cwd` is for one whose directory is gone. `None` when the user was asked and declined. Blocks.
///
/// # Errors
/// When options contradict each other, no session is meant, or the file or the directory cannot be used; nothing is
/// changed then.
pub(in crate::cli) fn open(
    args: &Args,
    missing_cwd: Option<MissingCwd>,
    host: &SessionHost,
    settings: &SettingsManager,
    asker: Option<&mut Asker>,
) -> Result<Option<SessionManager>, Error> {
    check_options(args)?;
    if args.no_session || args.list_models {
        return Ok(Some(SessionManager::in_memory(host.clone(), host.paths.cwd())));
    }
    let mut choice =
        Choice { host, missing_cwd, asker, dir: directory(args.session_dir.as_deref(), &host.paths, settings) };
    let mut opened = choice.open(args)?;
    if let Some(manager) = &mut opened {
        if let (Some(reason), Some(file)) = (manager.storage().read_only(), manager.session_file()) {
            return Err(session::Error::ReadOnly { path: file.to_owned(), reason }.into());
        }
        manager.set_durability(settings.sessions().durability());
    }
    Ok(opened)
}

/// Options that each choose a session on their own.
fn check_options(args: &Args) -> Result<(), Error> {
    let others = [
        ("--session", args.session.is_some()),
        ("--continue", args.r#continue),
        ("--resume", args.resume),
        ("--no-session", args.no_session),
    ];
    let others: Vec<&str> = others.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    for (option, given) in [("--fork", args.fork.is_some()), ("--session-id", args.session_id.is_some())] {
        if given && !others.is_empty() {
            return Err(Error::OptionsExclude { option, others: others.join(", ") });
        }
    }
    Ok(())
}

struct Choice<'a> {
    host: &'a SessionHost,
    /// What becomes of a session whose directory is gone.
    missing_cwd: Option<MissingCwd>,
    /// Asks the user, where that is not done by lines of text.
    asker: Option<&'a mut Asker>,
    dir: Option<PathBuf>,
}

impl Choice<'_> {
    fn open(&mut self, args: &Args) -> Result<Option<SessionManager>, Error> {
        if let Some(source) = &args.fork {
            return self.fork(source, args.session_id.as_deref()).map(Some);
        }
        if let Some(wanted) = &args.session {
            return self.named(wanted);
        }
        if args.resume {
            let chosen = resume::choose(self.host, self.dir.as_deref(), self.asker.as_deref_mut())?;
            return chosen.map_or(Ok(None), |file| self.open_file(&file));
        }
        let (host, cwd) = (self.host.clone(), self.host.paths.cwd());
        let opened = match &args.session_id {
            _ if args.r#continue => {
                wait_for(|| SessionManager::continue_recent(host.clone(), cwd, self.dir.as_deref()))
            }
            Some(id) => {
                let dir = self.dir.as_deref();
                let opened = wait_for(|| SessionManager::open_or_create(host.clone(), cwd, dir, id))?;
                return missing_cwd::settle(opened, self.missing_cwd, &self.fresh(None), self.asker.as_deref_mut());
            }
            None => SessionManager::create(host, cwd, &self.fresh(None)),
        };
        opened.map(Some).map_err(Into::into)
    }

    fn fresh(&self, id: Option<&str>) -> NewSession {
        NewSession { dir: self.dir.clone(), id: id.map(ToOwned::to_owned), parent_session: None }
    }

    /// The file that is meant, and its working directory if that is another project's.
    fn find(&self, wanted: &str) -> Result<(PathBuf, Option<String>), Error> {
        match find_session(&self.host.paths, self.host.paths.cwd(), self.dir.as_deref(), wanted) {
            SessionMatch::Path(file) | SessionMatch::Here(file) => Ok((file, None)),
            SessionMatch::Elsewhere { file, cwd } => Ok((file, Some(cwd))),
            SessionMatch::None => Err(Error::NoSuchSession { wanted: wanted.to_owned() }),
        }
    }

    fn fork(&self, wanted: &str, id: Option<&str>) -> Result<SessionManager, Error> {
        let (file, _) = self.find(wanted)?;
        let here = self.host.paths.cwd();
        wait_for(|| SessionManager::fork_from(self.host.clone(), &file, here, &self.fresh(id))).map_err(Into::into)
    }

    fn open_file(&mut self, file: &Path) -> Result<Option<SessionManager>, Error> {
        let manager = wait_for(|| SessionManager::open(self.host.clone(), file, None))?;
        missing_cwd::settle(manager, self.missing_cwd, &self.fresh(None), self.asker.as_deref_mut())
    }

    fn named(&mut self, wanted: &str) -> Result<Option<SessionManager>, Error> {
        match self.find(wanted)? {
            (file, None) => self.open_file(&file),
            (file, Some(cwd)) if self.missing_cwd.is_some() && !Path::new(&cwd).is_dir() => self.open_file(&file),
            (file, Some(cwd)) => {
                let wanted = wanted.to_owned();
                let wants_fork = match self.asker.as_deref_mut() {
                    Some(asker) => ask_fork(&cwd, asker)?,
                    None => wants_fork(&cwd).ok_or(SessionIdError::Elsewhere { wanted, cwd })?,
                };
                if !wants_fork {
                    return Ok(None);
                }
                let here = self.host.paths.cwd();
                SessionManager::fork_from(self.host.clone(), &file, here, &self.fresh(None))
                    .map(Some)
                    .map_err(Into::into)
            }
        }
    }
}

/// The same question as [`wants_fork`], as a list.
fn ask_fork(cwd: &str, asker: &mut Asker) -> Result<bool, Error> {
    let answers = vec!["Go on with a copy of it here".to_owned(), "Do not open it".to_owned()];
    let question = asker.choose("This session belongs to another directory", cwd.to_owned(), answers);
    Ok(tokio::runtime::Handle::current().block_on(question)? == Some(0))
}

/// Asks whether a session of another directory is to be copied into this one. `None` at the end of the input, where nobody
/// answers.
fn wants_fork(cwd: &str) -> Option<bool> {
    let mut out = io::stderr();
    let asked =
        write!(out, "Session found in different project: {cwd}\nFork this session into current directory? [y/N] ");
    let mut answer = String::new();
    let read = asked.and_then(|()| out.flush()).and_then(|()| io::stdin().read_line(&mut answer));
    if !read.is_ok_and(|length| length > 0) {
        let _ = writeln!(out);
        return None;
    }
    let yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    if !yes {
        crate::cli::console::diagnostics::complain("Aborted.");
    }
    Some(yes)
}

/// `--session-dir`, else the environment, else the setting; `None` for the default.
pub(in crate::cli) fn directory(option: Option<&str>, paths: &Paths, settings: &SettingsManager) -> Option<PathBuf> {
    let given = option.map(ToOwned::to_owned).or_else(|| paths.env().var(SESSION_DIR_VARIABLE));
    given.map(|dir| paths.resolve(&dir)).or_else(|| settings.sessions().dir())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::ids::RandomIds;

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
        let args = Args { no_session: true, session_dir: Some("made".to_owned()), ..Args::default() };
        let manager =
            open(&args, None, &host(root.path(), &[]), &settings(&serde_json::json!({})), None).unwrap().unwrap();
        assert!(!manager.storage().is_persisted());
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn options_that_choose_a_session_exclude_each_other() {
        let excluded = |args: Args| check_options(&args).map_err(|error| error.to_string());
        let fork = Args { fork: Some("x".to_owned()), ..Args::default() };
        assert_eq!(excluded(Args { session_id: Some("y".to_owned()), ..fork.clone() }), Ok(()));
        let both = Args { session: Some("z".to_owned()), no_session: true, ..fork };
        assert_eq!(excluded(both), Err("--fork cannot be combined with --session, --no-session".to_owned()));
        let id = Args { session_id: Some("y".to_owned()), r#continue: true, ..Args::default() };
        assert_eq!(excluded(id), Err("--session-id cannot be combined with --continue".to_owned()));
    }
}
