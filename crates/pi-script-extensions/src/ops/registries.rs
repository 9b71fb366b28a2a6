//! Registries of models beside that of the session, and the numbers of both: `ModelRegistry` in `js/bridge/models.js`.

use std::sync::Arc;

use pi_script::{Args, Data, OpError, Permission};
use serde::Deserialize;

use super::Ops;
use super::sessions;
use crate::errors::failed;
use crate::host::{ScriptHost, number};
use crate::provider::ProviderDescription;
use pi_coding_agent::Error;
use pi_coding_agent::extension::ProviderChange;
use pi_coding_agent::models::{CatalogModels, ModelRegistry};

/// Whose registry a script means.
#[derive(Deserialize)]
#[serde(untagged)]
enum Meant {
    /// That of the session, by the number of the context.
    Context(u32),
    /// One that it holds.
    Held { held: u32 },
}

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("registries.create", |host, _, mut args| {
        host.permit(Permission::Files)?;
        let auth = super::auth::held(host, &mut args)?;
        let paths = sessions::paths(host);
        let file = args.text_or_none(1)?.map_or_else(|| paths.models_file(), |path| paths.resolve(&path));
        let models = ModelRegistry::new(auth, Arc::new(CatalogModels), Some(file));
        Ok(number(host.state.registries.add(Arc::new(models))))
    });
    ops.sync("registries.inMemory", |host, _, mut args| {
        let auth = super::auth::held(host, &mut args)?;
        let models = ModelRegistry::new(auth, Arc::new(CatalogModels), None);
        Ok(number(host.state.registries.add(Arc::new(models))))
    });
    // The number under which others take it.
    ops.sync("registries.hold", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        Ok(number(host.state.registries.add(models)))
    });
    ops.sync("registries.auth", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        Ok(number(host.state.auth.add(Arc::clone(models.auth()))))
    });
    ops.sync("registries.drop", |host, _, mut args| {
        host.state.registries.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
    ops.sync("registries.registerProvider", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        let (provider, said) = (args.text(1)?, args.parse::<ProviderDescription>(2)?);
        said.permit(host)?;
        let registration = Box::new(said.registration(&provider, host));
        change(host, &models, ProviderChange::Register { provider, registration, extension: host.path.clone() })
    });
    ops.sync("registries.unregisterProvider", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        let provider = args.text(1)?;
        change(host, &models, ProviderChange::Unregister { provider, extension: host.path.clone() })
    });
}

fn change(host: &Arc<ScriptHost>, models: &ModelRegistry, change: ProviderChange) -> pi_script::OpResult {
    let _runtime = host.enter();
    let changed: Result<(), Error> =
        models.change_provider(change, &host.state.provider_owner, host.apis()).map_err(Into::into);
    changed.map_err(failed)?;
    Ok(Data::Undefined)
}

/// The registry that the first argument means.
pub(super) fn registry(host: &Arc<ScriptHost>, args: &mut Args) -> Result<Arc<ModelRegistry>, OpError> {
    match args.parse(0)? {
        Meant::Context(context) => host.contexts.context(context)?.models().map_err(failed),
        Meant::Held { held } => {
            host.state.registries.get(held).ok_or_else(|| OpError::new("There is no such registry of models"))
        }
    }
}
