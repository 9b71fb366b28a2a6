//! Commands.

use pi_script::{Callback, Data};
use serde::Deserialize;

use super::{Ops, context_number};
use crate::errors::to_handler;
use crate::link::Link;
use pi_coding_agent::extension::{Command, Completion};

/// A completion, as scripts write it.
#[derive(Deserialize)]
struct ScriptCompletion {
    value: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    description: Option<String>,
}

impl From<ScriptCompletion> for Completion {
    fn from(completion: ScriptCompletion) -> Self {
        let ScriptCompletion { value, label, description } = completion;
        Self { label: label.unwrap_or_else(|| value.clone()), value, description }
    }
}

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("pi.registerCommand", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (name, description) = (args.text(1)?, args.text_or_none(2)?);
        let (handler, complete) = (args.callback(3)?, args.callback_or_none(4)?);
        let link = Link::to(host);
        let command = Command::new(name, move |arguments, _| {
            let link = link.clone();
            async move { link.invoke(handler, vec![arguments.into()]).await.map(drop).map_err(to_handler) }
        });
        let command = match complete {
            Some(complete) => with_completions(command, Link::to(host), complete),
            None => command,
        };
        api.register_command(Command { description, ..command });
        Ok(Data::Undefined)
    });
}

fn with_completions(command: Command, link: Link, callback: Callback) -> Command {
    command.completions(move |prefix| {
        let link = link.clone();
        async move {
            let found = link.invoke(callback, vec![prefix.into()]).await.ok()?.into_json()?;
            let found: Vec<ScriptCompletion> = serde_json::from_value(found).ok()?;
            Some(found.into_iter().map(Into::into).collect())
        }
    })
}
