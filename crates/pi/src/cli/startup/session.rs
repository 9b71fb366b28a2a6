//! The session of a run: the file that it opens, and the session that is made for it.

use std::sync::Arc;

use super::network::Network;
use super::{Startup, missing_cwd, sessions, tools};
use crate::cli::console::diagnostics::complain;
use crate::cli::error::Error;
use crate::cli::grammar::mode::Mode;
use crate::modes::AskError;
use pi_coding_agent::agent_session::{AgentSession, Limits};
use pi_coding_agent::prompt::{PromptResources, local_date};
use pi_coding_agent::sdk::{CreateAgentSessionOptions, create_agent_session};
use pi_coding_agent::session::{SessionHost, SessionManager};

/// What came of opening a session.
pub(super) enum Opened {
    Session(Box<SessionManager>),
    /// The user was asked and wants none.
    Declined,
    /// A signal ended the question; the program ends with this code.
    Ended(u8),
}

impl Startup {
    /// What sessions of this run have: the clock and the ids of a replay, if it is one.
    pub(super) fn host(&self, network: &Network) -> SessionHost {
        let (clock, ids) = (network.clock(&self.clock), network.ids(&self.ids));
        SessionHost { paths: self.paths.clone(), clock, ids }
    }

    /// Opens the session that is meant, or makes one.
    pub(super) async fn open_session(&mut self, network: &Network) -> Option<Opened> {
        let host = self.host(network);
        let missing_cwd = missing_cwd::option(&self.line.args);
        let missing_cwd = self.settle(missing_cwd)?;
        let opened = if sessions::may_wait(&self.line.args) {
            let (args, settings, mut asker) = (self.line.args.clone(), Arc::clone(&self.settings), self.asker.take());
            let opened = tokio::task::spawn_blocking(move || {
                let opened = sessions::open(&args, missing_cwd, &host, &settings, asker.as_mut());
                (opened, asker)
            });
            let (opened, asker) = self.settle(opened.await)?;
            self.asker = asker;
            opened
        } else {
            sessions::open(&self.line.args, missing_cwd, &host, &self.settings, None)
        };
        if let Err(Error::Ask(AskError::Ended(code))) = &opened {
            return Some(Opened::Ended(*code));
        }
        let opened = opened.map_err(|error| missing_cwd::with_way_out(&error));
        let Some(mut manager) = self.settle(opened)? else { return Some(Opened::Declined) };
        if let Some(file) = manager.session_file().filter(|file| manager.storage().has_no_file_yet() && file.exists()) {
            // Ids do not come again but in a replay.
            return self.fail(format!(
                "The session of this run is there already: {}. Name another directory with --session-dir, or keep none with --no-session",
                file.display()
            ));
        }
        if let Some(name) = self.line.args.name.clone() {
            if name.trim().is_empty() {
                return self.fail("--name requires a non-empty value");
            }
            let named = manager.append().session_info(&name);
            self.settle(named)?;
        }
        Some(Opened::Session(Box::new(manager)))
    }

    pub(super) fn create_session(
        &mut self,
        manager: SessionManager,
        network: &Network,
        resources: PromptResources,
        limits: Limits,
        mode: Mode,
    ) -> Option<AgentSession> {
        let clock = network.clock(&self.clock);
        let tools = tools::selection(&self.line.args);
        let tools = self.settle(tools)?;
        let thinking = self.thinking();
        let choice = self.model(thinking, network.recorded_model.as_deref())?;
        let scope = self.scope()?;
        self.set_runtime_key(&choice, &scope, &manager, network)?;
        self.report_unreadable(&resources);
        let options = CreateAgentSessionOptions::builder()
            .session_manager(manager)
            .settings(Arc::clone(&self.settings))
            .models(Arc::clone(&self.models))
            .resources(resources)
            .date(local_date(&*clock, network.utc_offset(self.offset)))
            .env(self.paths.env().clone())
            .model_opt(choice.model.map(pi_coding_agent::models::ModelChoice::from))
            .thinking_level_opt(choice.thinking_level)
            .scoped_models(scope)
            .trusts(self.trusts_elsewhere())
            .tools(tools)
            .extensions(self.extensions.take_report())
            .apis(Arc::clone(&self.apis))
            .wrap_tool(network.wrap_tool())
            .http_opt(network.transport.clone())
            .limits(limits)
            .clock(clock)
            .warn(self.warn(mode))
            .build();
        let created = create_agent_session(options);
        let created = self.settle(created)?;
        created.model_fallback_message.iter().for_each(|message| self.diagnostics.warning(message));
        self.report_unknown_tools(&created);
        Some(created.session)
    }

    /// Where the session says what goes wrong beside its events.
    fn warn(&self, mode: Mode) -> Arc<dyn Fn(&str) + Send + Sync> {
        let notices = self.notices.clone();
        match mode {
            Mode::Interactive => Arc::new(move |message: &str| notices.put(message)),
            _ => Arc::new(|message: &str| complain(&format!("Warning: {message}"))),
        }
    }
}
