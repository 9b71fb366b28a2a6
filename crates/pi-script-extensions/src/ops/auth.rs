//! Credentials beside and of the session: `AuthStorage` in `js/pi-coding-agent/auth.js`.
//!
//! A script holds a storage by its number until it lets it go. What is in a file is for scripts that may read files; keys
//! that are commands are for those that may start programs.

use std::path::PathBuf;
use std::sync::Arc;

use pi_ai::auth::oauth::OAuthRegistry;
use pi_script::{Args, Data, OpError, OpResult, Permission};
use serde_json::{Map, Value, json};

use super::providers::oauth_context;
use super::sessions;
use super::{Ops, json as as_json};
use crate::errors::failed;
use crate::host::{ScriptHost, number};
use crate::link::Link;
use crate::provider::{ScriptUser, UserFunctions};
use pi_coding_agent::agent_session::Error;
use pi_coding_agent::auth_storage::{AuthSource, AuthStatus, AuthStorage, LockedFile};
use pi_coding_agent::config::config_value::ConfigValue;

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("auth.create", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let file = auth_file(host, &mut args)?;
        Ok(hold(host, AuthStorage::new(file, host.env().clone(), Arc::clone(host.clock()))))
    });
    ops.sync("auth.inMemory", |host, _, mut args| {
        let stored = args.parse::<Option<Map<String, Value>>>(0)?.unwrap_or_default();
        permit_entries(host, stored.values())?;
        Ok(hold(host, AuthStorage::in_memory(stored, host.env().clone(), Arc::clone(host.clock()))))
    });
    ops.sync("auth.drop", |host, _, mut args| {
        host.state.auth.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
    add_entries(ops);
    add_facts(ops);
    add_keys(ops);
    add_files(ops);
}

/// Gives it a number. Logins are with the providers that the session knows.
fn hold(host: &Arc<ScriptHost>, auth: AuthStorage) -> Data {
    let providers = OAuthRegistry::default();
    if let Some(session) = host.session() {
        session
            .models()
            .registry()
            .auth()
            .oauth_providers()
            .list()
            .into_iter()
            .for_each(|known| providers.register(known));
    }
    number(host.state.auth.add(Arc::new(auth.with_oauth(Arc::new(providers), oauth_context(host)))))
}

/// What is stored.
fn add_entries(ops: &mut Ops<'_>) {
    ops.sync("auth.get", |host, _, mut args| {
        let auth = readable(host, &mut args)?;
        Ok(auth.entries().shift_remove(&args.text(1)?).map_or(Data::Undefined, Data::from))
    });
    ops.sync("auth.getAll", |host, _, mut args| as_json(&readable(host, &mut args)?.entries()));
    ops.sync("auth.set", |host, _, mut args| {
        let auth = readable(host, &mut args)?;
        let (provider, entry) = (args.text(1)?, args.parse::<Value>(2)?);
        permit_entries(host, [&entry])?;
        Ok(saved(auth.set_entry(&provider, entry).map_err(Into::into)))
    });
    ops.sync("auth.remove", |host, _, mut args| {
        let auth = readable(host, &mut args)?;
        Ok(saved(auth.remove(&args.text(1)?).map_err(Into::into)))
    });
    // What a storage of the script's own holds.
    ops.sync("auth.replace", |host, _, mut args| {
        let (auth, entries) = (readable(host, &mut args)?, args.parse::<Map<String, Value>>(1)?);
        permit_entries(host, entries.values())?;
        auth.replace_entries(entries);
        Ok(Data::Undefined)
    });
    ops.sync("auth.reload", |host, _, mut args| {
        readable(host, &mut args)?.reload();
        Ok(Data::Undefined)
    });
}

/// What scripts may know of any storage.
fn add_facts(ops: &mut Ops<'_>) {
    ops.sync("auth.list", |host, _, mut args| as_json(&held(host, &mut args)?.providers()));
    ops.sync("auth.hasAuth", |host, _, mut args| Ok(held(host, &mut args)?.has_auth(&args.text(1)?).into()));
    ops.sync("auth.status", |host, _, mut args| {
        let auth = held(host, &mut args)?;
        Ok(status(&auth.auth_status(&args.text(1)?)).into())
    });
    ops.sync("auth.providerEnv", |host, _, mut args| {
        let env = readable(host, &mut args)?.provider_env(&args.text(1)?);
        Ok(if env.is_empty() { Data::Undefined } else { Data::json(&env) })
    });
    ops.sync("auth.drainErrors", |host, _, mut args| {
        let problems = held(host, &mut args)?.drain_problems();
        Ok(problems.iter().map(|problem| Value::from(problem.to_string())).collect::<Value>().into())
    });
    ops.sync("auth.oauthProviders", |host, _, mut args| {
        let list = held(host, &mut args)?.oauth_providers().list();
        let said = list.iter().map(
            |oauth| json!({"id": oauth.id(), "name": oauth.name(), "usesCallbackServer": oauth.uses_callback_server()}),
        );
        Ok(said.collect::<Value>().into())
    });
}

/// Keys of this run, and what all sources together come to.
fn add_keys(ops: &mut Ops<'_>) {
    ops.sync("auth.setRuntimeApiKey", |host, _, mut args| {
        held(host, &mut args)?.set_runtime_key(&args.text(1)?, &args.text(2)?);
        Ok(Data::Undefined)
    });
    ops.sync("auth.removeRuntimeApiKey", |host, _, mut args| {
        held(host, &mut args)?.remove_runtime_key(&args.text(1)?);
        Ok(Data::Undefined)
    });
    // Without a key: why, if something went wrong.
    ops.spawned("auth.getApiKey", |host, _, mut args| async move {
        let auth = held(&host, &mut args)?;
        Ok(match auth.api_key(&args.text(1)?).await {
            Ok(key) => json!({"key": key.map(|key| key.expose().to_owned())}),
            Err(error) => json!({"error": error.to_string()}),
        }
        .into())
    });
    ops.spawned("auth.login", |host, op, mut args| async move {
        let auth = readable(&host, &mut args)?;
        host.permit(Permission::Network)?;
        let (provider, said) = (args.text(1)?, args.parse::<UserFunctions>(2)?);
        let cancel = host.state.token(&mut args, 3)?.unwrap_or(op.cancel);
        let user = ScriptUser { link: Link::to(&host), said };
        auth.login(&provider, &user, &cancel).await.map_err(failed)?;
        Ok(Data::Undefined)
    });
}

/// The file under its lock, from `open` to `close`.
fn add_files(ops: &mut Ops<'_>) {
    ops.sync("authFile.open", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let file = auth_file(host, &mut args)?;
        opened(host, LockedFile::acquire(file, host.clock()).map_err(failed)?)
    });
    ops.spawned("authFile.openLong", |host, _, mut args| async move {
        host.permit(Permission::Files)?;
        let file = auth_file(&host, &mut args)?;
        opened(&host, LockedFile::acquire_long(file, host.clock()).await.map_err(failed)?)
    });
    ops.sync("authFile.close", |host, _, mut args| {
        let number = args.parse(0)?;
        let file = host.state.auth_files.get(number);
        host.state.auth_files.remove(number);
        if let (Some(file), Some(next)) = (file, args.text_or_none(1)?) {
            file.replace(&next).map_err(failed)?;
        }
        Ok(Data::Undefined)
    });
}

fn auth_file(host: &ScriptHost, args: &mut Args) -> Result<PathBuf, OpError> {
    let paths = sessions::paths(host);
    Ok(args.text_or_none(0)?.map_or_else(|| paths.auth_file(), |path| paths.resolve(&path)))
}

fn opened(host: &ScriptHost, file: LockedFile) -> OpResult {
    let text = file.text().map_err(failed)?;
    Ok(json!({"number": host.state.auth_files.add(Arc::new(file)), "text": text}).into())
}

/// A storage by its number.
pub(super) fn held(host: &ScriptHost, args: &mut Args) -> Result<Arc<AuthStorage>, OpError> {
    let gone = || OpError::new("There are no such credentials");
    host.state.auth.get(args.parse(0)?).ok_or_else(gone)
}

/// The same for who may see and change what is in it.
fn readable(host: &ScriptHost, args: &mut Args) -> Result<Arc<AuthStorage>, OpError> {
    let auth = held(host, args)?;
    if auth.is_persisted() {
        host.permit(Permission::Files)?;
    }
    Ok(auth)
}

/// Keys can be the output of commands.
fn permit_entries<'a>(host: &ScriptHost, entries: impl IntoIterator<Item = &'a Value>) -> Result<(), OpError> {
    let is_command = |key: &str| matches!(ConfigValue::parse(key), ConfigValue::Command(_));
    if entries.into_iter().any(|entry| entry["key"].as_str().is_some_and(is_command)) {
        host.permit(Permission::Programs)?;
    }
    Ok(())
}

/// Why something could not be saved: scripts ask for that later.
fn saved(result: Result<(), Error>) -> Data {
    result.err().map_or(Data::Undefined, |error| error.to_string().into())
}

/// Where a key would come from, as scripts know it.
pub(super) fn status(status: &AuthStatus) -> Value {
    match &status.source {
        None => json!({"configured": status.configured}),
        Some(AuthSource::Stored) => json!({"configured": status.configured, "source": "stored"}),
        Some(AuthSource::Runtime) => {
            json!({"configured": status.configured, "source": "runtime", "label": "--api-key"})
        }
        Some(AuthSource::Environment(name)) => {
            json!({"configured": status.configured, "source": "environment", "label": name})
        }
    }
}
