//! Which sessions there are: listed, found by id, deleted.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    DeleteSessionRequest, DeleteSessionResponse, Error, ListSessionsRequest, ListSessionsResponse, SessionId,
    SessionInfo,
};

use super::agent::{Agent, Answer};
use super::errors::{internal, invalid_params};
use super::sessions;
use crate::host::iso_time::to_iso;
use crate::session::{self, find_session_anywhere, list_all_sessions, list_sessions, removal};

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
            return Err(invalid_params("this cursor was not given by session/list"));
        }
    };
    if request.cwd.as_deref().is_some_and(|cwd| !cwd.is_absolute()) {
        return Err(invalid_params("cwd is not an absolute path"));
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
    Answer::of(&ListSessionsResponse::new(page.map(|info| listed(agent, &info)).collect()).next_cursor(next))
}

fn listed(agent: &Agent, info: &session::SessionInfo) -> SessionInfo {
    let title = info.name.as_deref().unwrap_or(&info.first_message);
    // Those of a session that is not open are not known: they are told whenever it is opened.
    let directories = agent.find(&SessionId::new(info.id.as_str())).map(|open| open.directories().all());
    SessionInfo::new(info.id.clone(), &info.cwd)
        .title(titled(title))
        .updated_at(to_iso(info.modified))
        .additional_directories(directories.unwrap_or_default())
}

/// A text as a title.
pub(super) fn titled(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TITLE_LENGTH).collect()
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
    let _claim = removal::claim(file).map_err(|error| internal(error.to_string()))?;
    for file in removal::with_companions(file) {
        std::fs::remove_file(&file).map_err(|error| internal(format!("Cannot remove {}: {error}", file.display())))?;
    }
    Ok(())
}

/// The file of the stored session with exactly this id, and its directory.
pub(super) async fn find(agent: &Arc<Agent>, id: &SessionId) -> Option<(PathBuf, PathBuf)> {
    let (host, dir, id) = (agent.pool().host(), agent.options().session_dir.clone(), id.to_string());
    let found = blocking(move || find_session_anywhere(&host.paths, dir.as_deref(), &id)).await.ok().flatten();
    found.filter(|(_, cwd)| cwd.is_absolute())
}

/// Work on files that may take long.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(Error::into_internal_error)
}
