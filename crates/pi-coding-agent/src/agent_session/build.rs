//! Puts a session together from its parts and connects them.

use std::sync::Arc;

use pi_agent_core::{Agent, StreamFn};
use pi_ai::transport::HttpTransport;
use pi_ai::{ApiRegistry, Clock};

use super::environment::SessionEnvironment;
use super::extensions::Extensions;
use super::listeners::Listeners;
use super::run_control::RunControl;
use super::store::Store;
use super::{
    AgentSession, DirectoryState, Inner, Limits, SessionServices, StartingChoice, WorkspaceFactory, event_pump,
    extensions, limits, turn_update,
};
use crate::config::models::ModelRegistry;
use crate::config::settings::SettingsManager;
use crate::extension::LoadReport;
use crate::session::SessionManager;

/// What a session is put together from.
pub(crate) struct SessionParts {
    pub(crate) agent: Agent,
    pub(crate) stream: Arc<StreamFn>,
    pub(crate) apis: Arc<ApiRegistry>,
    pub(crate) http: Option<Arc<dyn HttpTransport>>,
    pub(crate) manager: SessionManager,
    pub(crate) settings: Arc<SettingsManager>,
    pub(crate) models: Arc<ModelRegistry>,
    pub(crate) furnishing: WorkspaceFactory,
    pub(crate) workspace: DirectoryState,
    pub(crate) choice: StartingChoice,
    pub(crate) extensions: LoadReport,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: Limits,
    /// Told in one sentence about what went wrong without stopping the session.
    pub(crate) warn: Arc<dyn Fn(&str) + Send + Sync>,
}

/// Puts a session together and connects it to its agent.
pub(crate) fn assemble(parts: SessionParts) -> AgentSession {
    let date = parts.furnishing.date;
    let clock = Arc::clone(&parts.clock);
    let inner = Arc::new(Inner {
        run: RunControl::new(parts.agent, parts.stream, parts.limits),
        store: Store::new(parts.manager, parts.warn, parts.clock),
        place: SessionEnvironment::new(parts.settings, parts.models, parts.choice, parts.furnishing, parts.workspace),
        surroundings: SessionServices { apis: parts.apis, http: parts.http, clock, date },
        listeners: Listeners::default(),
        extensions: Extensions::new(parts.extensions),
    });
    event_pump::connect(&inner);
    inner.place.furnishing().facts.bind(&inner);
    inner.extensions.runner().runtime().bind(extensions::connection(&inner));
    extensions::install_hooks(&inner);
    limits::install(&inner);
    turn_update::install(&inner);
    AgentSession(inner)
}
