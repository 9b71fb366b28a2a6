//! The session's entries: `ctx.sessionManager`.

use pi_script::{Args, Data, OpError, OpResult};
use std::sync::Arc;

use super::{Ops, context_number, json};
use crate::Error;
use crate::extension::json::views::{entries_json, entry_json, tree_json};
use crate::script::errors::failed;
use crate::script::host::ScriptHost;
use crate::session::{SessionManager, StoredEntry};

pub(super) fn add(ops: &mut Ops<'_>) {
    add_facts(ops);
    add_entries(ops);
}

fn look<R>(
    host: &Arc<ScriptHost>,
    args: &mut Args,
    look: impl FnOnce(&SessionManager) -> R,
) -> Result<R, OpError> {
    host.contexts.context(context_number(args)?)?.with_manager(look).map_err(failed)
}

fn add_facts(ops: &mut Ops<'_>) {
    let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
    ops.sync("sm.getCwd", move |host, _, mut args| Ok(look(host, &mut args, |manager| text(manager.cwd()))?.into()));
    ops.sync("sm.getSessionDir", move |host, _, mut args| {
        Ok(look(host, &mut args, |manager| text(manager.session_dir()))?.into())
    });
    ops.sync("sm.getSessionId", |host, _, mut args| {
        Ok(look(host, &mut args, |manager| manager.session_id().to_owned())?.into())
    });
    ops.sync("sm.getSessionFile", move |host, _, mut args| {
        let file = look(host, &mut args, |manager| manager.session_file().map(text))?;
        Ok(file.map_or(Data::Undefined, Data::from))
    });
    ops.sync("sm.getLeafId", |host, _, mut args| {
        json(&look(host, &mut args, |manager| manager.leaf_id().map(ToOwned::to_owned))?)
    });
    ops.sync("sm.getLabel", |host, _, mut args| {
        let id = args.text(1)?;
        let label = look(host, &mut args, |manager| manager.label(&id).map(|label| label.map(ToOwned::to_owned)))?;
        Ok(label.map_err(failed)?.map_or(Data::Undefined, Data::from))
    });
    ops.sync("sm.getSessionName", |host, _, mut args| {
        let name = look(host, &mut args, |manager| manager.session_name().map(|name| name.map(ToOwned::to_owned)))?;
        Ok(name.map_err(failed)?.map_or(Data::Undefined, Data::from))
    });
    ops.sync("sm.isPersisted", |host, _, mut args| Ok(look(host, &mut args, SessionManager::is_persisted)?.into()));
    ops.sync("sm.getHeader", |host, _, mut args| {
        look(host, &mut args, |manager| serde_json::to_string(manager.header()))?.map(Data::RawJson).map_err(failed)
    });
}

fn add_entries(ops: &mut Ops<'_>) {
    ops.sync("sm.getLeafEntry", |host, _, mut args| one(look(host, &mut args, SessionManager::leaf_entry)?));
    ops.sync("sm.getEntry", |host, _, mut args| {
        let id = args.text(1)?;
        one(look(host, &mut args, |manager| manager.entry(&id))?)
    });
    ops.sync("sm.getChildren", |host, _, mut args| {
        let id = args.text(1)?;
        many(look(host, &mut args, |manager| manager.children(Some(&id)))?)
    });
    ops.sync("sm.getBranch", |host, _, mut args| {
        let from = args.text_or_none(1)?;
        many(look(host, &mut args, |manager| match &from {
            Some(from) => manager.branch_of(from),
            None => manager.current_branch(),
        })?)
    });
    ops.sync("sm.getEntries", |host, _, mut args| {
        many(look(host, &mut args, |manager| manager.entries().collect::<Result<Vec<_>, _>>())?)
    });
    ops.sync("sm.getTree", |host, _, mut args| {
        look(host, &mut args, tree_json)?.map(Data::RawJson).map_err(failed)
    });
}

fn one(entry: Result<Option<StoredEntry>, Error>) -> OpResult {
    let Some(entry) = entry.map_err(failed)? else { return Ok(Data::Undefined) };
    entry_json(&entry).map(Data::RawJson).map_err(failed)
}

fn many(entries: Result<Vec<StoredEntry>, Error>) -> OpResult {
    entries_json(&entries.map_err(failed)?).map(Data::RawJson).map_err(failed)
}
