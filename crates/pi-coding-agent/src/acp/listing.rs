//! Which sessions there are: listed, found by id, deleted.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    DeleteSessionRequest, DeleteSessionResponse, Error, ErrorCode, ListSessionsRequest, ListSessionsResponse,
    SessionId, SessionInfo,
};
use serde_json::Value;

use super::agent::{Agent, Answer};
use super::sessions;
use crate::host::iso_time::to_iso;
use crate::session::{self, SessionManager, SessionMatch, find_session, list_all_sessions, list_sessions, removal};

/// Sessions of one answer.
const PAGE: usize = 100;
/// Titles are cut at so many characters.
const TITLE_LENGTH: usize = 100;

/// The stored sessions, those with the newest message first.
pub(super) async fn list(agent: &Arc<Agent>, request: ListSessionsRequest) -> Result<Answer, Error> {
    let start = match request.cursor.as_deref().map(str::parse::<usize>) {
        None => 0,
        Some(Ok(start)) => start,
        Some(Err(_)) => {
            return Err(Error::invalid_params().data(Value::from("this cursor was not given by session/list")));
        }
    };
    if request.cwd.as_deref().is_some_and(|cwd| !cwd.is_absolute()) {
        return Err(Error::invalid_params().data(Value::from("cwd is not an absolute path")));
    }
    let (host, dir) = (agent.pool().host(), agent.options().session_dir.clone());
    let found = blocking(move || {
        let go_on = |_, _| ControlFlow::Continue(());
        match request.cwd.as_deref() {
            Some(cwd) => list_sessions(&host.paths, cwd, dir.as_deref(), go_on),
            None => list_all_sessions(&host.paths, dir.as_deref(), go_on),
        }
    })
    .await?;
    let next = (found.len() > start + PAGE).then(|| (start + PAGE).to_string());
    // A session that does not say where it belongs cannot be opened by an editor.
    let page = found.into_iter().skip(start).take(PAGE).filter(|info| Path::new(&info.cwd).is_absolute());
    Answer::of(&ListSessionsResponse::new(page.map(|info| listed(&info)).collect()).next_cursor(next))
}

fn listed(info: &session::SessionInfo) -> SessionInfo {
    let title = info.name.as_deref().unwrap_or(&info.first_message);
    let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TITLE_LENGTH).collect();
    SessionInfo::new(info.id.clone(), &info.cwd).title(title).updated_at(to_iso(info.modified))
}

/// Deletes a session. One that is gone already is no error.
pub(super) async fn delete(agent: &Arc<Agent>, request: DeleteSessionRequest) -> Result<Answer, Error> {
    let id = request.session_id;
    sessions::end(agent, &id).await?;
    if let Some((file, _)) = find(agent, &id).await {
        blocking(move || remove(&file)).await??;
    }
    Answer::of(&DeleteSessionResponse::new())
}

fn remove(file: &Path) -> Result<(), Error> {
    let failed = |reason: &dyn std::fmt::Display| Error::new(ErrorCode::InternalError.into(), reason.to_string());
    let _claim = removal::claim(file).map_err(|error| failed(&error))?;
    for file in removal::with_companions(file) {
        std::fs::remove_file(&file).map_err(|error| failed(&format!("Cannot remove {}: {error}", file.display())))?;
    }
    Ok(())
}

/// The file of the stored session with exactly this id, and its directory.
pub(super) async fn find(agent: &Arc<Agent>, id: &SessionId) -> Option<(PathBuf, PathBuf)> {
    let (host, dir, id) = (agent.pool().host(), agent.options().session_dir.clone(), id.to_string());
    let found = blocking(move || {
        let file = match find_session(&host.paths, host.paths.cwd(), dir.as_deref(), &id) {
            SessionMatch::Here(file) | SessionMatch::Elsewhere { file, .. } => file,
            SessionMatch::Path(_) | SessionMatch::None => return None,
        };
        let manager = SessionManager::open_read_only(host, &file, None).ok();
        let cwd = manager.map(|manager| (manager.session_id() == id, manager.cwd().to_owned()));
        // A file of an old format is brought up to date when it is opened.
        match cwd {
            Some((true, cwd)) => Some((file, cwd)),
            _ => None,
        }
    });
    found.await.ok().flatten()
}

/// Work on files that may take long.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(Error::into_internal_error)
}
