//! Models and their keys: `ctx.modelRegistry`.

use std::sync::Arc;

use pi_ai::Model;
use pi_script::{Args, Data, OpError};

use super::{Ops, context_number, json};
use crate::models::ModelRegistry;
use crate::script::errors::failed;
use crate::script::host::ScriptHost;

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("models.find", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        let (provider, id) = (args.text(1)?, args.text(2)?);
        Ok(models.find(&provider, &id).map_or(Data::Undefined, |model| Data::json(&*model)))
    });
    ops.sync("models.getAll", |host, _, mut args| json(&list(registry(host, &mut args)?.all())));
    ops.sync("models.getAvailable", |host, _, mut args| json(&list(registry(host, &mut args)?.available())));
    ops.sync("models.hasConfiguredAuth", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        let model: Model = args.parse(1)?;
        Ok(models.has_configured_auth(&model).into())
    });
    ops.sync("models.getProviderDisplayName", |host, _, mut args| {
        let models = registry(host, &mut args)?;
        Ok(models.display_name(&args.text(1)?).into())
    });
}

pub(super) fn registry(host: &Arc<ScriptHost>, args: &mut Args) -> Result<Arc<ModelRegistry>, OpError> {
    host.contexts.context(context_number(args)?)?.models().map_err(failed)
}

fn list(models: Vec<Arc<Model>>) -> Vec<Arc<Model>> {
    models
}
