//! Leaving a session for another one: what commands do.

use std::path::PathBuf;
use std::sync::Arc;

use pi_script::{Callback, Data, OpError};
use serde::Deserialize;
use serde_json::json;

use super::actions::{Delivery, ScriptMessage};
use super::setup::set_up;
use super::{Ops, context_number};
use crate::contexts::Entry;
use crate::errors::{failed, to_handler};
use crate::host::{ScriptHost, number};
use crate::link::Link;
use pi_coding_agent::agent_session::{ForkPosition, NavigateOptions, Replacement};
use pi_coding_agent::extension::{NewSessionOptions, ReplacementOptions, WithSessionFn};

/// How to go to another place in the tree, as scripts say it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Navigation {
    summarize: bool,
    custom_instructions: Option<String>,
    replace_instructions: bool,
    label: Option<String>,
}

impl From<Navigation> for NavigateOptions {
    fn from(said: Navigation) -> Self {
        let Navigation { summarize, custom_instructions, replace_instructions, label } = said;
        Self { summarize, custom_instructions, replace_instructions, label }
    }
}

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.spawned("ctx.newSession", |host, _, mut args| async move {
        let context = host.contexts.command_context(context_number(&mut args)?)?;
        let parent_session = args.text_or_none(1)?.map(PathBuf::from);
        let with_session = args.callback_or_none(2)?.map(|callback| go_on(&host, callback));
        let setup = args.callback_or_none(3)?.map(|callback| set_up(&host, callback)).transpose()?;
        let options = NewSessionOptions { parent_session, setup, with_session };
        cancelled(context.new_session(options).await)
    });
    ops.spawned("ctx.fork", |host, _, mut args| async move {
        let context = host.contexts.command_context(context_number(&mut args)?)?;
        let (entry, position) = (args.text(1)?, args.text_or_none(2)?);
        let position = match position.as_deref() {
            None | Some("before") => ForkPosition::Before,
            Some("at") => ForkPosition::At,
            Some(other) => {
                return Err(OpError::type_error(format!("position is \"{other}\"; it must be \"before\" or \"at\"")));
            }
        };
        let with_session = args.callback_or_none(3)?.map(|callback| go_on(&host, callback));
        cancelled(
            context.fork(&entry, position, ReplacementOptions { with_session, ..ReplacementOptions::default() }).await,
        )
    });
    ops.spawned("ctx.switchSession", |host, _, mut args| async move {
        let context = host.contexts.command_context(context_number(&mut args)?)?;
        let file = PathBuf::from(args.text(1)?);
        let with_session = args.callback_or_none(2)?.map(|callback| go_on(&host, callback));
        cancelled(
            context.switch_session(&file, ReplacementOptions { with_session, ..ReplacementOptions::default() }).await,
        )
    });
    ops.spawned("ctx.navigateTree", |host, _, mut args| async move {
        let context = host.contexts.command_context(context_number(&mut args)?)?;
        let target = args.text(1)?;
        let options = args.parse::<Option<Navigation>>(2)?.unwrap_or_default();
        let outcome = context.navigate_tree(&target, options.into()).await.map_err(failed)?;
        Ok(json!({"cancelled": outcome.cancelled}).into())
    });
    add_messages(ops);
}

/// These wait for the run that they start, unlike those of `pi`.
fn add_messages(ops: &mut Ops<'_>) {
    ops.spawned("ctx.sendMessage", |host, _, mut args| async move {
        let context = host.contexts.command_context(context_number(&mut args)?)?;
        let message: ScriptMessage = args.parse(1)?;
        let delivery = args.parse::<Option<Delivery>>(2)?.unwrap_or_default();
        context.send_message(message.into(), delivery.for_message()).await.map_err(failed)?;
        Ok(Data::Undefined)
    });
    ops.spawned("ctx.sendUserMessage", |host, _, mut args| async move {
        let context = host.contexts.command_context(context_number(&mut args)?)?;
        let content: pi_ai::UserContent = args.parse(1)?;
        let delivery = args.parse::<Option<Delivery>>(2)?.unwrap_or_default();
        context.send_user_message(content, delivery.for_prompt()).await.map_err(failed)?;
        Ok(Data::Undefined)
    });
}

fn cancelled(outcome: Result<Replacement, pi_coding_agent::agent_session::Error>) -> pi_script::OpResult {
    Ok(json!({"cancelled": outcome.map_err(failed)?.cancelled}).into())
}

/// Calls a function of the script with a context of the session that took the place of the old one.
fn go_on(host: &Arc<ScriptHost>, callback: Callback) -> Box<WithSessionFn> {
    let (host, link) = (Arc::downgrade(host), Link::to(host));
    Box::new(move |context| {
        Box::pin(async move {
            let Some(host) = host.upgrade() else { return Ok(()) };
            let (entry, _) = host.contexts.add(Entry::Session((*context).clone()));
            link.invoke(callback, vec![number(entry)]).await.map(drop).map_err(to_handler)
        })
    })
}
