//! Sessions beside the one that runs: `SessionManager` and its helpers in `js/pi-coding-agent/sessions.js`.
//!
//! A script holds a session by its number until its engine ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Message;
use pi_script::{Args, Data, OpError, OpResult, Permission};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Ops, json as as_json, lock};
use crate::errors::failed;
use crate::host::ScriptHost;
use crate::state::{Held, Holding};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::json::views::{entries_json, entry_json, tree_json};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::session::{
    BranchSummary, Compaction, CustomMessageContent, Error, NewSession, SessionContext, SessionHost, SessionManager,
    StoredEntry, list_all_sessions, list_sessions, load_session,
};

/// Takes it out for an agent that is being made. An agent that has ended gives it back.
pub(super) fn hand_over(held: &Held, host: &ScriptHost) -> Result<SessionManager, OpError> {
    let mut holding = lock(held);
    match std::mem::replace(&mut *holding, Holding::Away) {
        Holding::Own(manager) => Ok(*manager),
        Holding::Agent(agent) => {
            let Some(session) = agent.upgrade() else { return Err(OpError::new(AGENT_GONE)) };
            if session.is_closed() {
                let nothing = SessionManager::in_memory(session_host(host), &host.options.cwd);
                return Ok(session.store().edit(|manager| std::mem::replace(manager, nothing)));
            }
            *holding = Holding::Agent(agent);
            Err(OpError::new("Another session goes on with this SessionManager; dispose that first"))
        }
        Holding::Running(session) => {
            *holding = Holding::Running(session);
            Err(OpError::new(RUNNING))
        }
        Holding::Away => Err(OpError::new(AGENT_GONE)),
    }
}

/// What is said to who wants to write to the session that runs.
const RUNNING: &str = "This session is running: it can be read here, and written to with pi.appendEntry, pi.sendMessage, \
    pi.setLabel and pi.setSessionName; SessionManager.forkFrom makes a copy of its file";

const AGENT_GONE: &str = "The session that went on with this SessionManager is gone";

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("sessions.open", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let (kind, place) = (args.text(0)?, args.parse::<ListLocation>(1)?);
        let holding = match running(host, &kind, &place) {
            Some(session) => Holding::Running(session.downgrade()),
            None => Holding::Own(Box::new(open(host, &kind, &place).map_err(failed)?)),
        };
        Ok(json!(host.state.sessions.add(holding.shared())).into())
    });
    ops.sync("sessions.call", |host, _, mut args| {
        let gone = || OpError::new("There is no such session");
        let held = host.state.sessions.get(args.parse(0)?).ok_or_else(gone)?;
        let (name, values) = (args.text(1)?, args.parse::<Vec<Value>>(2)?);
        let mut args = Args(values.into_iter().map(Data::Json).collect());
        match &mut *lock(&held) {
            Holding::Own(manager) => call(manager, &name, &mut args),
            Holding::Agent(agent) => {
                let agent = agent.upgrade().ok_or_else(|| OpError::new(AGENT_GONE))?;
                agent.store().edit(|manager| call(manager, &name, &mut args))
            }
            Holding::Running(session) => {
                let session = session.upgrade().ok_or_else(|| OpError::new(AGENT_GONE))?;
                let is_question = FACTS.contains(&name.as_str()) || ENTRIES.contains(&name.as_str());
                if !is_question {
                    return Err(OpError::new(RUNNING));
                }
                session.store().edit(|manager| ask(manager, &name, &mut args))
            }
            Holding::Away => Err(OpError::new(AGENT_GONE)),
        }
    });
    ops.spawned("sessions.list", |host, _, mut args| async move {
        host.permit(Permission::Files)?;
        let (cwd, dir) = (args.text_or_none(0)?.map(PathBuf::from), args.text_or_none(1)?.map(PathBuf::from));
        let paths = paths(&host);
        let list = move || match cwd {
            Some(cwd) => list_sessions(&paths, &cwd, dir.as_deref(), |_, _| std::ops::ControlFlow::Continue(())),
            None => list_all_sessions(&paths, dir.as_deref(), |_, _| std::ops::ControlFlow::Continue(())),
        };
        as_json(&tokio::task::spawn_blocking(list).await.map_err(failed)?)
    });
    ops.sync("sessions.context", |host, _, mut args| {
        let manager = of_entries(host, &mut args, 0)?;
        let leaf: Option<Option<String>> = if args.0.len() > 1 { Some(args.parse(1)?) } else { None };
        let leaf = leaf.unwrap_or_else(|| manager.leaf_id().map(ToOwned::to_owned));
        context(&manager.entries().context_at(leaf.as_deref()).map_err(failed)?)
    });
    ops.sync("sessions.migrate", |host, _, mut args| migrate(host, &args.parse::<Vec<Value>>(0)?));
}

/// Where a session is to be.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ListLocation {
    path: Option<PathBuf>,
    cwd: Option<PathBuf>,
    dir: Option<PathBuf>,
    id: Option<String>,
    parent_session: Option<PathBuf>,
}

/// The directories of the extension.
pub(super) fn paths(host: &ScriptHost) -> Paths {
    Paths::new(host.env().clone(), &host.options.cwd).with_agent_dir(&host.options.agent_dir)
}

/// The surroundings of a session that the script makes. Clock and ids follow from those of the session that the extension
/// serves, so that they are the same when that is replayed.
pub(super) fn session_host(host: &ScriptHost) -> SessionHost {
    let own = host.session().map(|session| session.store().read(SessionManager::host));
    let SessionHost { clock, ids, .. } = own.unwrap_or_else(|| host.options.host.clone());
    SessionHost { paths: paths(host), clock, ids: ids.branch() }
}

/// The session that the extension serves, when its own file is to be opened.
fn running(host: &ScriptHost, kind: &str, place: &ListLocation) -> Option<AgentSession> {
    let wanted = place.path.as_deref().filter(|_| kind == "open")?;
    let wanted = paths(host).resolve(&wanted.to_string_lossy());
    let wanted = std::fs::canonicalize(&wanted).unwrap_or(wanted);
    let mut sessions = host.contexts.activations().into_iter().filter_map(|api| api.context().session().ok());
    sessions.find(|session| {
        let file = session.session_file();
        file.is_some_and(|file| std::fs::canonicalize(&file).unwrap_or(file) == wanted)
    })
}

fn open(host: &ScriptHost, kind: &str, place: &ListLocation) -> Result<SessionManager, Error> {
    let session = session_host(host);
    let cwd = place.cwd.as_deref().unwrap_or(&host.options.cwd);
    let path = place.path.as_deref().unwrap_or(Path::new(""));
    let ListLocation { dir, id, parent_session, .. } = place;
    let new = NewSession { dir: dir.clone(), id: id.clone(), parent_session: parent_session.clone() };
    match kind {
        "open" => SessionManager::open(session, path, place.cwd.as_deref()),
        "create" => SessionManager::create(session, cwd, &new),
        "continueRecent" => SessionManager::continue_recent(session, cwd, dir.as_deref()),
        "forkFrom" => SessionManager::fork_from(session, path, cwd, &new),
        _ => Ok(SessionManager::in_memory(session, cwd)),
    }
}

/// Questions about a session.
pub(super) const FACTS: &[&str] = &[
    "isPersisted",
    "getCwd",
    "getSessionDir",
    "usesDefaultSessionDir",
    "getSessionId",
    "getSessionFile",
    "getSessionName",
    "getLeafId",
    "getLabel",
    "getHeader",
];

/// Questions about its entries.
pub(super) const ENTRIES: &[&str] =
    &["getLeafEntry", "getEntry", "getChildren", "getBranch", "getEntries", "getTree", "buildSessionContext"];

/// One method of a session.
pub(super) fn call(manager: &mut SessionManager, name: &str, args: &mut Args) -> OpResult {
    match name {
        _ if FACTS.contains(&name) || ENTRIES.contains(&name) => ask(manager, name, args),
        _ if name.starts_with("append") => append(manager, name, args),
        _ => change(manager, name, args),
    }
}

/// A question about a session.
pub(super) fn ask(manager: &SessionManager, name: &str, args: &mut Args) -> OpResult {
    if FACTS.contains(&name) { fact(manager, name, args) } else { entries(manager, name, args) }
}

fn text(path: &Path) -> Data {
    path.to_string_lossy().into_owned().into()
}

fn fact(manager: &SessionManager, name: &str, args: &mut Args) -> OpResult {
    Ok(match name {
        "isPersisted" => manager.storage().is_persisted().into(),
        "usesDefaultSessionDir" => manager.uses_default_session_dir().into(),
        "getCwd" => text(manager.cwd()),
        "getSessionDir" => text(manager.storage().dir()),
        "getSessionId" => manager.session_id().into(),
        "getSessionFile" => manager.session_file().map_or(Data::Undefined, text),
        "getSessionName" => manager.session_name().map_err(failed)?.map_or(Data::Undefined, Data::from),
        "getLeafId" => json!(manager.leaf_id()).into(),
        "getLabel" => manager.entries().label(&args.text(0)?).map_err(failed)?.map_or(Data::Undefined, Data::from),
        _ => return as_json(manager.header()),
    })
}

fn entries(manager: &SessionManager, name: &str, args: &mut Args) -> OpResult {
    let one = |entry: Result<Option<StoredEntry>, Error>| match entry.map_err(failed)? {
        Some(entry) => entry_json(&entry).map(Data::RawJson).map_err(failed),
        None => Ok(Data::Undefined),
    };
    let many = |entries: Result<Vec<StoredEntry>, Error>| {
        entries_json(&entries.map_err(failed)?).map(Data::RawJson).map_err(failed)
    };
    match name {
        "getLeafEntry" => one(manager.entries().leaf()),
        "getEntry" => one(manager.entries().get(&args.text(0)?)),
        "getChildren" => many(manager.entries().children(Some(&args.text(0)?))),
        "getBranch" => many(match args.text_or_none(0)? {
            Some(from) => manager.entries().branch_of(&from),
            None => manager.entries().current_branch(),
        }),
        "getEntries" => many(manager.entries().iter().collect()),
        "getTree" => tree_json(manager).map(Data::RawJson).map_err(failed),
        _ => context(&manager.build_session_context().map_err(failed)?),
    }
}

fn append(manager: &mut SessionManager, name: &str, args: &mut Args) -> OpResult {
    let appended = match name {
        "appendMessage" => manager.append().any_message(Arc::new(args.parse::<Message>(0)?)),
        "appendThinkingLevelChange" => manager.append().thinking_level_change(&args.text(0)?),
        "appendModelChange" => manager.append().model_change(&args.text(0)?, &args.text(1)?),
        "appendCompaction" => manager.append().compaction(Compaction {
            summary: args.text(0)?,
            first_kept_entry_id: args.text(1)?,
            tokens_before: args.parse(2)?,
            details: args.json(3).filter(|details| !details.is_null()),
            from_hook: args.parse(4)?,
        }),
        "appendCustomEntry" => manager.append().custom_entry(&args.text(0)?, args.json(1)),
        "appendCustomMessageEntry" => manager.append().custom_message(CustomMessageContent {
            custom_type: args.text(0)?,
            content: args.parse(1)?,
            display: args.parse::<Option<bool>>(2)?.unwrap_or_default(),
            details: args.json(3).filter(|details| !details.is_null()),
        }),
        "appendSessionInfo" => manager.append().session_info(&args.text(0)?),
        "appendLabelChange" => manager.append().label_change(&args.text(0)?, args.text_or_none(1)?.as_deref()),
        _ => return Err(unknown(name)),
    };
    Ok(appended.map_err(failed)?.into())
}

fn change(manager: &mut SessionManager, name: &str, args: &mut Args) -> OpResult {
    match name {
        "branch" => manager.branch(&args.text(0)?).map_err(failed)?,
        "resetLeaf" => manager.reset_leaf(),
        "branchWithSummary" => {
            let (from, summary) = (args.text_or_none(0)?, args.text(1)?);
            let details = args.json(2).filter(|details| !details.is_null());
            let summary = BranchSummary { summary, details, from_hook: args.parse(3)? };
            return Ok(manager.branch_with_summary(from.as_deref(), summary).map_err(failed)?.into());
        }
        "createBranchedSession" => {
            let file = manager.create_branched_session(&args.text(0)?).map_err(failed)?;
            return Ok(file.as_deref().map_or(Data::Undefined, text));
        }
        "newSession" => {
            let ListLocation { id, parent_session, .. } = args.parse::<Option<ListLocation>>(0)?.unwrap_or_default();
            let file = manager.new_session(&NewSession { dir: None, id, parent_session }).map_err(failed)?;
            return Ok(file.as_deref().map_or(Data::Undefined, text));
        }
        "setSessionFile" => manager.set_session_file(Path::new(&args.text(0)?)).map_err(failed)?,
        _ => return Err(unknown(name)),
    }
    Ok(Data::Undefined)
}

fn unknown(name: &str) -> OpError {
    OpError::type_error(format!("A session has no method {name}"))
}

/// The model's view of a session, as scripts know it.
fn context(context: &SessionContext) -> OpResult {
    let model = context.model.as_ref().map(|model| json!({"provider": model.provider, "modelId": model.model_id}));
    let level = context.thinking_level.unwrap_or_default();
    Ok(json!({"messages": context.messages, "thinkingLevel": level, "model": model}).into())
}

/// A session of entries that a script has.
pub(super) fn of_entries(host: &ScriptHost, args: &mut Args, place: usize) -> Result<SessionManager, OpError> {
    let lines = args.parse::<Vec<Value>>(place)?.into_iter().map(|entry| entry.to_string());
    Ok(SessionManager::in_memory_of(session_host(host), &host.options.cwd, lines))
}

/// The entries of a file, header included, in the current version; `null` when they are already.
fn migrate(host: &ScriptHost, entries: &[Value]) -> OpResult {
    let text: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
    let file = tempfile::NamedTempFile::new().map_err(failed)?;
    std::fs::write(file.path(), text).map_err(failed)?;
    let loaded = load_session(file.path(), &*session_host(host).ids).map_err(failed)?;
    let header = serde_json::to_value(&loaded.header).map_err(failed)?;
    let lines = loaded.entries.iter().filter_map(|entry| serde_json::from_str(entry.raw()).ok());
    Ok(std::iter::once(header).chain(lines).collect::<Value>().into())
}
