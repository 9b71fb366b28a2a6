//! Options of a session that the editor shows: model, thinking, permissions, compaction. They hold for the session, and are
//! written down as the user's choice only where a setting wants that.

use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    Error, SessionConfigKind, SessionConfigOption, SessionConfigOptionCategory, SessionConfigOptionValue,
    SessionConfigSelect, SessionConfigSelectOption, SetSessionConfigOptionRequest, SetSessionConfigOptionResponse,
};
use pi_ai::{Model, ThinkingLevel};
use serde_json::{Map, Value};

use super::agent::{Agent, Answer};
use super::errors::{self, invalid_params};
use super::open_session::OpenSession;
use super::updates::Updates;
use crate::agent_session::AgentSession;
use crate::gate::GateMode;

const MODEL: &str = "model";
const THINKING: &str = "thought_level";
const MODE: &str = "mode";
const COMPACTION: &str = "compaction";

/// What is chosen now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    model: String,
    level: ThinkingLevel,
}

impl Chosen {
    pub(super) fn of(session: &AgentSession) -> Self {
        Self { model: name_of(&session.model()), level: session.thinking().level() }
    }
}

/// The options of a session, for an answer: the client knows them from then on.
pub(super) fn current(open: &OpenSession) -> Vec<SessionConfigOption> {
    open.updates().note_options(Chosen::of(open.session()));
    options(open.session(), open.updates())
}

/// The options of a session.
pub(super) fn options(session: &AgentSession, updates: &Updates) -> Vec<SessionConfigOption> {
    let mut all = vec![model(session), thinking(session), mode(updates.permissions().mode())];
    if updates.client().has_switches {
        all.push(compaction(session));
    }
    all
}

fn compaction(session: &AgentSession) -> SessionConfigOption {
    SessionConfigOption::boolean(COMPACTION, "Automatic compaction", session.compaction().is_auto())
        .description("Long conversations are summarised when the context is nearly full".to_owned())
}

/// Switches automatic compaction on or off; the user's settings stay as they are.
fn set_compaction(session: &AgentSession, enabled: bool) {
    let enabled = Value::from(Map::from_iter([("enabled".to_owned(), enabled.into())]));
    session.settings().apply_overrides(&Map::from_iter([(COMPACTION.to_owned(), enabled)]));
}

fn name_of(model: &Model) -> String {
    format!("{}/{}", model.provider, model.id)
}

/// The models to choose from: the scope, else all with a key. The one in force is always among them.
fn choices(session: &AgentSession) -> Vec<Arc<Model>> {
    let registry = session.models().registry();
    let scoped = session.models().scoped().into_iter().map(|scoped| scoped.model);
    let mut models: Vec<_> = scoped.filter(|model| registry.has_configured_auth(model)).collect();
    if models.is_empty() {
        models = registry.available();
    }
    let current = session.model();
    if models.iter().all(|model| name_of(model) != name_of(&current)) {
        models.insert(0, current);
    }
    models
}

fn model(session: &AgentSession) -> SessionConfigOption {
    let entry = |model: Arc<Model>| {
        let provider = session.models().registry().display_name(&model.provider);
        SessionConfigSelectOption::new(name_of(&model), model.name.as_str()).description(provider)
    };
    let choices: Vec<_> = choices(session).into_iter().map(entry).collect();
    let select = SessionConfigSelect::new(name_of(&session.model()), choices);
    SessionConfigOption::new(MODEL, "Model", SessionConfigKind::Select(select))
        .category(SessionConfigOptionCategory::Model)
}

fn thinking(session: &AgentSession) -> SessionConfigOption {
    let levels = session.thinking().available().into_iter();
    let choices: Vec<_> = levels.map(|level| SessionConfigSelectOption::new(level.as_str(), level.as_str())).collect();
    let select = SessionConfigSelect::new(session.thinking().level().as_str(), choices);
    SessionConfigOption::new(THINKING, "Thinking", SessionConfigKind::Select(select))
        .category(SessionConfigOptionCategory::ThoughtLevel)
}

fn mode(current: GateMode) -> SessionConfigOption {
    let choices = GateMode::ALL.map(|mode| {
        let (name, about) = match mode {
            GateMode::Never => ("Never ask", "Commands and edits run without a question"),
            GateMode::Commands => {
                ("Ask before commands", "Commands, and tools of servers and extensions, wait for you")
            }
            GateMode::Edits => ("Ask before edits and commands", "Changes of files wait for you, too"),
        };
        SessionConfigSelectOption::new(mode.as_str(), name).description(about.to_owned())
    });
    let select = SessionConfigSelect::new(current.as_str(), choices.to_vec());
    SessionConfigOption::new(MODE, "Permissions", SessionConfigKind::Select(select))
        .category(SessionConfigOptionCategory::Mode)
}

/// Changes an option; answers with all of them, for one may depend on another.
///
/// # Errors
/// What there is not, named.
pub(super) async fn set(agent: &Arc<Agent>, request: &SetSessionConfigOptionRequest) -> Result<Answer, Error> {
    let open = agent.session(&request.session_id)?;
    let session = open.session();
    match (&*request.config_id.0, &request.value) {
        (MODEL, SessionConfigOptionValue::ValueId { value }) => {
            let found = choices(session).into_iter().find(|model| name_of(model) == *value.0);
            let model = found.ok_or_else(|| invalid_params(format!("there is no model {}", value.0)))?;
            session.models().set(model).await.map_err(|error| errors::of_session(agent, &error))?;
        }
        (THINKING, SessionConfigOptionValue::ValueId { value }) => {
            let level = ThinkingLevel::parse(&value.0).filter(|level| session.thinking().available().contains(level));
            let level = level.ok_or_else(|| invalid_params(format!("the model has no thinking level {}", value.0)))?;
            session.thinking().set(level).await;
        }
        (MODE, SessionConfigOptionValue::ValueId { value }) => {
            let mode = GateMode::parse(&value.0);
            let mode = mode.ok_or_else(|| invalid_params(format!("there is no mode {}", value.0)))?;
            open.permissions().set_mode(mode);
        }
        (COMPACTION, SessionConfigOptionValue::Boolean { value }) => set_compaction(session, *value),
        (MODEL | THINKING | MODE | COMPACTION, _) => return Err(invalid_params("the value is of another kind")),
        (other, _) => return Err(invalid_params(format!("there is no option {other}"))),
    }
    Answer::of(&SetSessionConfigOptionResponse::new(current(&open)))
}
