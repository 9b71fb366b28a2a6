//! Whether projects are trusted, at the start and wherever the session goes later.

use std::path::Path;
use std::sync::Arc;

use super::Startup;
use super::left_out::untrusted;
use super::trust_questions::{self, TrustUi};
use crate::cli::console::diagnostics::Diagnostics;
use crate::cli::grammar::mode::Mode;
use crate::modes::{AskError, Asker};
use pi_coding_agent::agent_session::TrustDecision;
use pi_coding_agent::extension::events::ProjectTrustEvent;
use pi_coding_agent::extension::{self, ExtensionRunner};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::SessionManager;
use pi_coding_agent::settings::SettingsManager;
use pi_coding_agent::trust::{TrustChoice, is_project_trusted, remember_trust, trust_subjects, undecided_subjects};

/// Whether the project in `cwd` is trusted. Decisions that cannot be read are no.
pub(super) fn trusts(
    approval: Option<bool>,
    paths: &Paths,
    settings: &SettingsManager,
    cwd: &Path,
    diagnostics: &mut Diagnostics,
) -> bool {
    is_project_trusted(approval, paths, settings, cwd).unwrap_or_else(|error| {
        diagnostics.warning(format!("{error}. The project is not trusted; --approve trusts it for this run"));
        false
    })
}

impl Startup {
    /// Asks extensions whether the project in `cwd`, whose settings are in force, is trusted, where nothing was said for
    /// this run and there is something that needs trust. What they say comes before stored decisions. They are loaded for
    /// that, without those of the project, and may ask the user.
    ///
    /// # Errors
    /// The exit code, when a signal ended it.
    pub(super) async fn ask_trust(&mut self, cwd: &Path) -> Result<(), u8> {
        let home = self.paths.env().home();
        self.needs_no_trust = self.line.approval.is_some() || trust_subjects(cwd, home.as_deref()).is_empty();
        if self.needs_no_trust {
            return Ok(());
        }
        let own = self.resources(cwd, false);
        // What is wrong is said when all of them are loaded.
        self.extensions.load(&own).await;
        let listens = |runner: &&Arc<ExtensionRunner>| runner.listens::<ProjectTrustEvent>();
        let Some(runner) = self.extensions.runner().filter(listens) else { return Ok(()) };
        let mode = Mode::choose(&self.line.args).map_or(extension::Mode::Print, Mode::for_extensions);
        let (ui, mut questions) = TrustUi::new(self.asker.is_some());
        let mut asked = std::pin::pin!(extension::ask_trust(runner, cwd, mode, ui));
        let reply = loop {
            let question = tokio::select! {
                reply = &mut asked => break reply,
                Some(question) = questions.recv() => question,
            };
            let Some(asker) = &mut self.asker else { continue };
            match trust_questions::answer(asker, question).await {
                Ok(()) => {}
                Err(AskError::Ended(code)) => return Err(code),
                Err(error) => self.diagnostics.warning(error),
            }
        };
        reply.warnings.iter().for_each(|warning| self.diagnostics.warning(warning));
        let Some(verdict) = reply.decision else { return Ok(()) };
        self.trust_was_decided = true;
        self.settings.set_project_trusted(verdict.trusted);
        self.settings.drain_problems().iter().for_each(|problem| self.diagnostics.warning(problem));
        if verdict.remember
            && let Err(error) = remember_trust(&self.paths, cwd, Some(verdict.trusted), &*self.clock)
        {
            self.diagnostics.warning(error);
        }
        Ok(())
    }

    /// In the mode that talks with a person at a terminal, that person is asked. The conversation is in lines, where nobody is
    /// asked, if the settings say so.
    pub(super) fn find_asker(&mut self) {
        self.line.args.plain |= self.settings.interface().terminal().plain;
        let is_interactive = matches!(Mode::choose(&self.line.args), Ok(Mode::Interactive));
        if is_interactive && !self.line.args.list_models {
            self.asker = Some(Asker::new(self.paths.clone(), Arc::clone(&self.settings)));
        }
    }

    /// Asks the user whether the project in `cwd`, whose settings are in force, is trusted, where nothing decided that.
    /// Returns whether it is from now on.
    ///
    /// # Errors
    /// The exit code, when a signal ended it.
    pub(super) async fn ask_user(&mut self, cwd: &Path) -> Result<bool, u8> {
        if self.trust_was_decided || self.settings.is_project_trusted() {
            return Ok(false);
        }
        let Some(asker) = &mut self.asker else { return Ok(false) };
        let subjects = self.trust.open_subjects(&self.paths, &self.settings, cwd);
        if subjects.is_empty() {
            return Ok(false);
        }
        let choice = match asker.trust(cwd, &subjects).await {
            Ok(choice) => choice.unwrap_or(TrustChoice::RefuseThisSession),
            Err(AskError::Ended(code)) => return Err(code),
            Err(error) => {
                self.diagnostics.warning(error);
                return Ok(false);
            }
        };
        self.trust_was_decided = true;
        if let Err(error) = self.trust.settle(&choice, &self.paths, cwd, &*self.clock) {
            self.diagnostics.warning(error);
        }
        self.settings.set_project_trusted(choice.trusts());
        self.settings.drain_problems().iter().for_each(|problem| self.diagnostics.warning(problem));
        Ok(choice.trusts())
    }

    /// A project's settings are those of the session's directory. The decision about one project says nothing about
    /// another. Returns whether it is another directory.
    ///
    /// # Errors
    /// The exit code, when a signal ended it.
    pub(super) async fn follow(&mut self, manager: &SessionManager) -> Result<bool, u8> {
        let is_elsewhere = manager.cwd() != self.paths.cwd();
        if is_elsewhere {
            let decided = self.trust.decided(manager.cwd());
            let trusted = trusts(decided, &self.paths, &self.settings, manager.cwd(), &mut self.diagnostics);
            // That was about the directory of the start.
            self.trust_was_decided = false;
            self.settings.move_to(manager.cwd(), trusted);
            self.settings.drain_problems().iter().for_each(|problem| self.diagnostics.warning(problem));
            self.ask_trust(manager.cwd()).await?;
        }
        Ok(is_elsewhere)
    }

    /// The same decision for directories to which the session may go later. Where there is no screen on which the user is
    /// asked then, a line names what does not count.
    pub(super) fn trusts_elsewhere(&self) -> Arc<TrustDecision> {
        let (trust, approval) = (self.trust.clone(), self.line.approval);
        let may_be_asked = matches!(Mode::choose(&self.line.args), Ok(Mode::Interactive));
        let (paths, settings) = (self.paths.clone(), Arc::clone(&self.settings));
        Arc::new(move |cwd| {
            if let Some(decided) = trust.decided(cwd) {
                return decided;
            }
            let mut diagnostics = Diagnostics::default();
            let trusted = trusts(approval, &paths, &settings, cwd, &mut diagnostics);
            let left_out = if trusted || may_be_asked { Vec::new() } else { undecided_subjects(&paths, cwd) };
            if !left_out.is_empty() {
                diagnostics.warning(untrusted(cwd, &left_out));
            }
            diagnostics.report();
            trusted
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use pi_ai::{ApiRegistry, system_clock};
    use pi_coding_agent::gate::{GateMode, PermissionGate};
    use serde_json::{Map, Value};
    use time::UtcOffset;

    use super::*;
    use crate::cli::grammar::scan::scan;
    use crate::cli::startup::extensions::RunExtensions;
    use crate::cli::startup::fetching::Fetching;
    use pi_coding_agent::auth_storage::AuthStorage;
    use pi_coding_agent::env::Env;
    use pi_coding_agent::extension::events::{TrustAnswer, TrustOutcome};
    use pi_coding_agent::extension::extension_fn;
    use pi_coding_agent::ids::SequentialIds;
    use pi_coding_agent::models::{CatalogModels, ModelRegistry};
    use pi_coding_agent::session::SessionHost;

    /// What became of the project, what is stored, and how often the extension was asked.
    async fn ask(argv: &[&str], answer: TrustOutcome, file: &str) -> (bool, Option<Value>, usize) {
        let home = tempfile::tempdir().unwrap();
        let cwd = fs::canonicalize(home.path()).unwrap().join("project");
        fs::create_dir_all(cwd.join(file).parent().unwrap()).unwrap();
        fs::write(cwd.join(file), "{}").unwrap();
        let env = Env::fixed([("HOME", home.path().to_str().unwrap())]);
        let paths = Paths::new(env.clone(), &cwd);
        let auth = Arc::new(AuthStorage::in_memory(Map::new(), env, system_clock()));
        let host = SessionHost { paths: paths.clone(), clock: system_clock(), ids: SequentialIds::shared() };
        let settings = Arc::new(SettingsManager::load(&paths, &cwd, false, system_clock()));
        let make = crate::cli::startup::script_files::maker(&settings, &host, &system_clock());
        let mut start = Startup {
            line: scan(argv.iter().map(|argument| (*argument).to_owned())),
            settings,
            models: Arc::new(ModelRegistry::new(auth, Arc::new(CatalogModels), None)),
            apis: Arc::new(ApiRegistry::empty()),
            clock: system_clock(),
            ids: SequentialIds::shared(),
            offset: UtcOffset::UTC,
            diagnostics: Diagnostics::default(),
            extensions: RunExtensions::new(Vec::new(), Arc::clone(&make)),
            watcher: crate::modes::ReplacementWatcher::default(),
            packages_of_run: Vec::new(),
            trust_was_decided: false,
            trust: crate::modes::RunTrust::default(),
            needs_no_trust: false,
            has_servers: false,
            fetching: Fetching::default(),
            notices: crate::modes::Notices::default(),
            asker: None,
            gate: PermissionGate::new(GateMode::Never, paths.clone(), system_clock()),
            paths,
        };
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let extension = extension_fn("judge", move |pi| {
            let count = Arc::clone(&count);
            async move {
                pi.on(move |_: ProjectTrustEvent, _| {
                    count.fetch_add(1, Ordering::Relaxed);
                    async move { Ok(answer) }
                });
                Ok(())
            }
        });
        start.extensions = RunExtensions::new(vec![extension], make);
        start.ask_trust(&cwd).await.unwrap();
        let stored = fs::read_to_string(start.paths.trust_file()).ok();
        let stored = stored.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let decision = stored.and_then(|stored| stored.get(cwd.to_str().unwrap()).cloned());
        (start.settings.is_project_trusted(), decision, asked.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn extensions_decide_where_there_is_something_to_decide() {
        let say = |trusted, remember| TrustOutcome { trusted, remember };
        let settings = ".pi/settings.json";
        for (argv, answer, file, expected) in [
            (&[][..], say(TrustAnswer::Yes, true), settings, (true, Some(true), 1)),
            (&[], say(TrustAnswer::Yes, false), settings, (true, None, 1)),
            (&[], say(TrustAnswer::No, true), settings, (false, Some(false), 1)),
            (&[], say(TrustAnswer::Undecided, true), settings, (false, None, 1)),
            (&["--no-approve"], say(TrustAnswer::Yes, true), settings, (false, None, 0)),
            (&[], say(TrustAnswer::Yes, true), "AGENTS.md", (false, None, 0)),
        ] {
            let (trusted, stored, asked) = ask(argv, answer, file).await;
            assert_eq!(
                (trusted, stored.and_then(|stored| stored.as_bool()), asked),
                expected,
                "{argv:?} {answer:?} {file}"
            );
        }
    }
}
