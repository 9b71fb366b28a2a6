//! Sessions come and go: new, loaded with their history, resumed without it, closed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agent_client_protocol_schema::v1::{
    CloseSessionRequest, CloseSessionResponse, ContentChunk, Error, LoadSessionRequest, LoadSessionResponse, McpServer,
    NewSessionRequest, NewSessionResponse, NoticeSeverity, ResumeSessionRequest, ResumeSessionResponse, SessionId,
    SessionUpdate,
};

use tokio::sync::OwnedSemaphorePermit;

use super::agent::{Agent, Answer};
use super::client_files::ClientFiles;
use super::directories::Directories;
use super::errors::{invalid_params, not_found, of_sdk};
use super::open_session::OpenSession;
use super::present_files::PresentFiles;
use super::updates::Seams;
use super::{config_options, listing, replay, sign_in, tool_servers, trust};
use crate::agent_session::{self, AgentSession};
use crate::gate::{GateMode, PermissionGate};
use crate::host::without_links;
use crate::sdk::CreateAgentSessionOptions;
use crate::session::{NewSession, SessionManager};

/// A session that is closed has so long to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Begins a session.
pub(super) async fn new(agent: &Arc<Agent>, request: NewSessionRequest) -> Result<Answer, Error> {
    check_directories(&request.cwd, &request.additional_directories)?;
    let directories = Directories::new(request.additional_directories);
    let asks = agent.options().asks;
    let Prepared { options, files, seams } = prepare(agent, &request.cwd, asks, &request.mcp_servers, &directories);
    let created = agent.pool().create(options).await.map_err(|error| of_sdk(agent, &error))?;
    let id = SessionId::new(created.session.session_id());
    let open = listened_to(agent, id.clone(), created.session, files, seams, None);
    if !has_model(&open) {
        drop(agent.pool().remove(&id.0, PATIENCE).await);
        return Err(sign_in::required(agent, &agent_session::Error::NoModelSelected.to_string()));
    }
    agent.take_in(Arc::clone(&open));
    let response = NewSessionResponse::new(id).config_options(config_options::current(&open));
    Ok(Answer::of(&response)?.then(begin(agent, open, request.cwd, request.mcp_servers, true)))
}

/// Opens a stored session and tells what was said in it.
pub(super) async fn load(agent: &Arc<Agent>, request: LoadSessionRequest) -> Result<Answer, Error> {
    check_directories(&request.cwd, &request.additional_directories)?;
    let (open, is_new) = open(agent, &request.session_id, &request.mcp_servers, request.additional_directories).await?;
    replay::replay(&open).await;
    let response = LoadSessionResponse::new().config_options(config_options::current(&open));
    Ok(Answer::of(&response)?.then(begin(agent, open, request.cwd, request.mcp_servers, is_new)))
}

/// Opens a stored session for somebody who knows what was said in it.
pub(super) async fn resume(agent: &Arc<Agent>, request: ResumeSessionRequest) -> Result<Answer, Error> {
    check_directories(&request.cwd, &request.additional_directories)?;
    let (open, is_new) = open(agent, &request.session_id, &request.mcp_servers, request.additional_directories).await?;
    let response = ResumeSessionResponse::new().config_options(config_options::current(&open));
    Ok(Answer::of(&response)?.then(begin(agent, open, request.cwd, request.mcp_servers, is_new)))
}

/// Ends a session; it can be loaded again.
pub(super) async fn close(agent: &Arc<Agent>, request: &CloseSessionRequest) -> Result<Answer, Error> {
    if !end(agent, &request.session_id).await? {
        return Err(not_found(&request.session_id));
    }
    Answer::of(&CloseSessionResponse::new())
}

/// Ends a session if it is open; says whether it was.
pub(super) async fn end(agent: &Arc<Agent>, id: &SessionId) -> Result<bool, Error> {
    let gate = agent.opening(id);
    // The semaphore is never closed.
    let _turn = gate.acquire().await;
    let Some(open) = agent.take_out(id) else { return Ok(false) };
    open.close();
    agent.pool().remove(&id.0, PATIENCE).await.map_err(|error| of_sdk(agent, &error))?;
    Ok(true)
}

/// What comes behind the answer that names a session: the client may be asked about it from here on.
fn begin(
    agent: &Arc<Agent>,
    open: Arc<OpenSession>,
    cwd: PathBuf,
    servers: Vec<McpServer>,
    is_new: bool,
) -> impl Future<Output = ()> + Send + 'static {
    let (agent, held) = (Arc::clone(agent), open.hold());
    async move {
        report_other_directory(&open, &cwd).await;
        tool_servers::report_left_out(&agent, &open, &servers, is_new).await;
        // Otherwise the session is beginning already.
        let is_trusted = held.is_some()
            && tokio::select! {
                is_trusted = trust::ask(&agent, &open) => is_trusted,
                () = open.closed() => false,
            };
        match is_trusted {
            true => begin_anew(&agent, &open, held, &servers).await,
            false if open.is_closed() => {}
            false => open.begin(held).await,
        }
    }
}

/// A stored session stays where it was begun: its paths and settings are those of that place. The client may have meant another.
async fn report_other_directory(open: &OpenSession, asked: &Path) {
    let own = open.session().store().read(|manager| manager.cwd().to_owned());
    if without_links(&own) != without_links(asked) {
        let text = format!(
            "This session was begun in {} and goes on there, not in {}. For that directory begin a new one.",
            own.display(),
            asked.display()
        );
        open.updates().notify(NoticeSeverity::Warning, &text).await;
    }
}

/// Begins the session with what its project brings.
async fn begin_anew(agent: &Arc<Agent>, open: &OpenSession, held: Option<OwnedSemaphorePermit>, servers: &[McpServer]) {
    let gate = agent.opening(open.id());
    // The semaphore is never closed. Whoever closes the session meanwhile finds the old one or the new one.
    let opening = gate.acquire().await;
    if open.is_closed() {
        return;
    }
    match make_anew(agent, open, servers).await {
        Ok(open) => {
            let held_anew = open.hold();
            agent.take_in(Arc::clone(&open));
            drop((held, opening));
            open.updates().send_options(&open).await;
            open.begin(held_anew).await;
        }
        Err(error) => {
            agent.take_out(open.id());
            complain(agent, open.id(), &error).await;
        }
    }
}

/// The same session with what its project brings, which counts from now on.
async fn make_anew(agent: &Arc<Agent>, open: &OpenSession, servers: &[McpServer]) -> Result<Arc<OpenSession>, Error> {
    let id = open.id().clone();
    let file = open.session().session_file().filter(|file| file.exists());
    let cwd = open.session().store().read(|manager| manager.cwd().to_owned());
    agent.pool().remove(&id.0, PATIENCE).await.map_err(|error| of_sdk(agent, &error))?;
    // Prompts that wait hold the old session, and it would hold the file.
    let none = SessionManager::in_memory(agent.pool().host(), &cwd);
    open.session().store().edit(|manager| *manager = none);
    let Prepared { options, files, seams } =
        prepare(agent, &cwd, open.permissions().mode(), servers, open.directories());
    let made = match file {
        Some(file) => agent.pool().open(&file, CreateAgentSessionOptions { session_manager: None, ..options }).await,
        None => {
            let new = NewSession {
                dir: agent.options().session_dir.clone(),
                id: Some(id.to_string()),
                ..NewSession::default()
            };
            let manager = SessionManager::create(agent.pool().host(), &cwd, &new);
            let manager = manager.map_err(|error| of_sdk(agent, &error.into()))?;
            agent.pool().create(CreateAgentSessionOptions { session_manager: Some(manager), ..options }).await
        }
    };
    let made = made.map_err(|error| of_sdk(agent, &error))?;
    Ok(listened_to(agent, id, made.session, files, seams, Some(open)))
}

/// Says why a session is gone.
async fn complain(agent: &Agent, id: &SessionId, error: &Error) {
    let text = format!("The session is closed: {}", error.message);
    let chunk = ContentChunk::new(text.as_str().into());
    agent.connection().update(id, SessionUpdate::AgentMessageChunk(chunk)).await;
}

/// The open session of an id; one that is only stored is opened, with these servers. Whether it was. Its directories are
/// these from now on.
async fn open(
    agent: &Arc<Agent>,
    id: &SessionId,
    servers: &[McpServer],
    directories: Vec<PathBuf>,
) -> Result<(Arc<OpenSession>, bool), Error> {
    let gate = agent.opening(id);
    // The semaphore is never closed.
    let _turn = gate.acquire().await;
    if let Some(open) = agent.find(id) {
        open.directories().set(directories);
        return Ok((open, false));
    }
    let Some((file, cwd)) = listing::find(agent, id).await else { return Err(not_found(id)) };
    let Prepared { options, files, seams } =
        prepare(agent, &cwd, agent.options().asks, servers, &Directories::new(directories));
    let options = CreateAgentSessionOptions { session_manager: None, ..options };
    let opened = agent.pool().open(&file, options).await.map_err(|error| of_sdk(agent, &error))?;
    let open = listened_to(agent, id.clone(), opened.session, files, seams, None);
    agent.take_in(Arc::clone(&open));
    Ok((open, true))
}

/// What a session in a directory is made with.
struct Prepared {
    options: CreateAgentSessionOptions,
    /// Its files, where the client has them.
    files: Option<Arc<ClientFiles>>,
    seams: Seams,
}

fn prepare(agent: &Agent, cwd: &Path, asks: GateMode, servers: &[McpServer], directories: &Directories) -> Prepared {
    let mut options = (agent.options().prepare)(agent.pool().options(cwd), cwd);
    let with_servers = agent.options().tool_servers.as_ref();
    if let Some(extension) = with_servers.and_then(|make| make(cwd, tool_servers::entries(agent, servers))) {
        options.extensions = options.extensions.with(extension);
    }
    options.project_trusted = options.project_trusted.or_else(|| agent.trusts(cwd));
    let host = agent.pool().host();
    let permissions = PermissionGate::new(asks, host.paths, host.clock);
    options.extensions = options.extensions.with(Arc::new(directories.clone())).with(Arc::new(permissions.clone()));
    let files = ClientFiles::install(&mut options, agent.client(), agent.connection(), cwd, directories);
    let (directories, present) = (directories.clone(), PresentFiles::install(&mut options));
    let seams = Seams { permissions, files: present, directories };
    Prepared { options, files, seams }
}

/// A session that was made or opened, of which the client is told from now on; `old` is the one in the place of which it comes.
fn listened_to(
    agent: &Agent,
    id: SessionId,
    session: AgentSession,
    files: Option<Arc<ClientFiles>>,
    seams: Seams,
    old: Option<&OpenSession>,
) -> Arc<OpenSession> {
    files.inspect(|files| files.belong_to(id.clone()));
    OpenSession::new(agent, id, session, seams, old)
}

fn has_model(open: &OpenSession) -> bool {
    let (session, model) = (open.session(), open.session().model());
    session.models().registry().has_configured_auth(&model)
}

/// # Errors
/// When a directory cannot be a session's.
fn check_directories(cwd: &Path, others: &[PathBuf]) -> Result<(), Error> {
    let others = others.iter().map(|other| ("additionalDirectories", other.as_path()));
    for (name, directory) in std::iter::once(("cwd", cwd)).chain(others) {
        let problem = match directory {
            relative if !relative.is_absolute() => "an absolute path",
            missing if !missing.is_dir() => "a directory",
            _ => continue,
        };
        return Err(invalid_params(format!("{name} is not {problem}: {}", directory.display())));
    }
    Ok(())
}
