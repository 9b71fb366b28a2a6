//! Settings beside those of the session: `SettingsManager` in `js/pi-coding-agent/settings.js`.
//!
//! A script holds settings by their number until it lets them go. `read` and `write` have the methods by name.

mod read;
mod write;

use std::sync::Arc;

use pi_script::{Args, Data, OpError, Permission};
use serde_json::{Map, Value, json};

use super::sessions;
use super::{Ops, json as as_json};
use crate::host::{ScriptHost, number};
use pi_coding_agent::settings::{SettingsManager, SettingsScope};

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("settings.create", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let (cwd, agent_dir) = (args.text(0)?, args.text_or_none(1)?);
        let mut paths = sessions::paths(host);
        if let Some(dir) = agent_dir {
            let dir = paths.resolve(&dir);
            paths = paths.with_agent_dir(dir);
        }
        let trusted = args.parse::<Option<bool>>(2)?.unwrap_or(true);
        let manager = SettingsManager::load(&paths, &paths.resolve(&cwd), trusted, Arc::clone(host.clock()));
        Ok(number(host.state.settings.add(Arc::new(manager))))
    });
    ops.sync("settings.inMemory", |host, _, mut args| {
        let values = args.parse::<Option<Map<String, Value>>>(0)?.unwrap_or_default();
        let manager = SettingsManager::in_memory(values, host.env().clone());
        Ok(number(host.state.settings.add(Arc::new(manager))))
    });
    ops.sync("settings.drop", |host, _, mut args| {
        host.state.settings.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
    ops.sync("settings.get", |host, _, mut args| {
        let (manager, name) = (held(host, &mut args)?, args.text(1)?);
        read::read(&manager, &name).ok_or_else(|| unknown(&name))
    });
    // A value that could not be saved still holds. The script gets the error, and keeps it for `drainErrors`.
    ops.sync("settings.set", |host, _, mut args| {
        let (manager, name) = (held(host, &mut args)?, args.text(1)?);
        write::write(&manager, &name, &mut args, 2)
    });
    add_whole(ops);
}

/// Operations on all settings at once.
fn add_whole(ops: &mut Ops<'_>) {
    ops.sync("settings.scope", |host, _, mut args| {
        let manager = held(host, &mut args)?;
        as_json(&manager.scope(scope(&args.text(1)?)))
    });
    // For settings whose storage is the script's own: the values that it has read.
    ops.sync("settings.replace", |host, _, mut args| {
        let manager = held(host, &mut args)?;
        manager.replace(scope(&args.text(1)?), args.parse::<Map<String, Value>>(2)?);
        Ok(Data::Undefined)
    });
    ops.sync("settings.override", |host, _, mut args| {
        let manager = held(host, &mut args)?;
        manager.apply_overrides(&args.parse::<Map<String, Value>>(1)?);
        Ok(Data::Undefined)
    });
    ops.sync("settings.trust", |host, _, mut args| {
        let manager = held(host, &mut args)?;
        manager.set_project_trusted(args.parse(1)?);
        Ok(Data::Undefined)
    });
    ops.spawned("settings.reload", |host, _, mut args| async move {
        let manager = held(&host, &mut args)?;
        in_background(move || manager.reload()).await?;
        Ok(Data::Undefined)
    });
    // Returns the error of a failed save.
    ops.spawned("settings.flush", |host, _, mut args| async move {
        let manager = held(&host, &mut args)?;
        let flushed = in_background(move || manager.flush()).await?;
        Ok(flushed.err().map_or(Data::Undefined, |error| error.to_string().into()))
    });
    ops.sync("settings.drainErrors", |host, _, mut args| {
        let problems = held(host, &mut args)?.drain_problems();
        let said = problems.iter().map(|problem| json!({"scope": problem.scope.as_str(), "message": problem.message}));
        Ok(said.collect::<Value>().into())
    });
}

async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, OpError> {
    tokio::task::spawn_blocking(work).await.map_err(crate::errors::failed)
}

/// The settings that a script holds under this number.
pub(super) fn numbered(host: &ScriptHost, number: u32) -> Result<Arc<SettingsManager>, OpError> {
    host.state.settings.get(number).ok_or_else(|| OpError::new("There are no such settings"))
}

fn held(host: &ScriptHost, args: &mut Args) -> Result<Arc<SettingsManager>, OpError> {
    numbered(host, args.parse(0)?)
}

fn scope(name: &str) -> SettingsScope {
    if name == "project" { SettingsScope::Project } else { SettingsScope::Global }
}

fn unknown(name: &str) -> OpError {
    OpError::type_error(format!("Settings have no method {name}"))
}
