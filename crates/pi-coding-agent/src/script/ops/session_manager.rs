//! The session's entries: `ctx.sessionManager`.

use std::path::Path;

use pi_script::{Args, Data, OpError, OpResult};

use super::{Ops, context_number, json};
use crate::Error;
use crate::extension::json::views::{entries_json, entry_json, tree_json};
use crate::script::errors::failed;
use crate::session::{SessionManager, StoredEntry};

/// What can be asked; the same list is in `js/bridge/session_manager.js`.
const QUESTIONS: &[&str] = &[
    "getCwd",
    "getSessionDir",
    "getSessionId",
    "getSessionFile",
    "getLeafId",
    "getLeafEntry",
    "getEntry",
    "getLabel",
    "getBranch",
    "getHeader",
    "getEntries",
    "getChildren",
    "getSessionName",
    "isPersisted",
    "getTree",
];

pub(super) fn add(ops: &mut Ops<'_>) {
    for question in QUESTIONS {
        ops.sync(&format!("sm.{question}"), move |host, _, mut args| {
            let context = host.contexts.context(context_number(&mut args)?)?;
            let args = Args(args.0.into_iter().skip(1).collect());
            context.with_manager(|manager| answer(manager, question, args)).map_err(failed)?
        });
    }
}

/// Answers a question about a session.
pub(super) fn answer(manager: &SessionManager, question: &str, mut args: Args) -> OpResult {
    let path = |path: &Path| Data::from(path.to_string_lossy().into_owned());
    let text = |text: Option<&str>| text.map_or(Data::Undefined, Data::from);
    match question {
        "getCwd" => Ok(path(manager.cwd())),
        "getSessionDir" => Ok(path(manager.session_dir())),
        "getSessionId" => Ok(manager.session_id().into()),
        "getSessionFile" => Ok(manager.session_file().map_or(Data::Undefined, path)),
        "getSessionName" => Ok(text(manager.session_name().map_err(failed)?)),
        "getLeafId" => json(&manager.leaf_id()),
        "getLabel" => Ok(text(manager.label(&args.text(0)?).map_err(failed)?)),
        "isPersisted" => Ok(manager.is_persisted().into()),
        "getHeader" => json(manager.header()),
        "getLeafEntry" => one(manager.leaf_entry()),
        "getEntry" => one(manager.entry(&args.text(0)?)),
        "getChildren" => many(manager.children(Some(&args.text(0)?))),
        "getBranch" => many(match args.text_or_none(0)? {
            Some(from) => manager.branch_of(&from),
            None => manager.current_branch(),
        }),
        "getEntries" => many(manager.entries().collect()),
        "getTree" => tree_json(manager).map(Data::RawJson).map_err(failed),
        other => Err(OpError::type_error(format!("sessionManager.{other} is not a function"))),
    }
}

fn one(entry: Result<Option<StoredEntry>, Error>) -> OpResult {
    let Some(entry) = entry.map_err(failed)? else { return Ok(Data::Undefined) };
    entry_json(&entry).map(Data::RawJson).map_err(failed)
}

fn many(entries: Result<Vec<StoredEntry>, Error>) -> OpResult {
    entries_json(&entries.map_err(failed)?).map(Data::RawJson).map_err(failed)
}
