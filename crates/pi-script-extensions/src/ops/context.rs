//! What handlers learn of their session, and what they ask of it: `ctx`.

use futures::FutureExt;
use pi_script::Data;
use serde_json::json;

use super::agents::scoped_models;
use super::models::chosen;
use super::{Ops, context_number, json};
use crate::errors::failed;
use crate::link::Link;
use pi_coding_agent::extension::CompactOptions;
use pi_coding_agent::extension::json::views::system_prompt_options_json;

pub(super) fn add(ops: &mut Ops<'_>) {
    add_facts(ops);
    add_run(ops);
    add_requests(ops);
}

fn add_facts(ops: &mut Ops<'_>) {
    ops.sync("ctx.mode", |host, _, mut args| json(&host.contexts.context(context_number(&mut args)?)?.mode()));
    ops.sync("ctx.hasUI", |host, _, mut args| Ok(host.contexts.context(context_number(&mut args)?)?.has_ui().into()));
    ops.sync("ctx.cwd", |host, _, mut args| {
        let cwd = host.contexts.context(context_number(&mut args)?)?.cwd().map_err(failed)?;
        Ok(cwd.to_string_lossy().into_owned().into())
    });
    ops.sync("ctx.model", |host, _, mut args| {
        let context = host.contexts.context(context_number(&mut args)?)?;
        chosen(&*context.model().map_err(failed)?)
    });
    ops.sync("ctx.thinkingLevel", |host, _, mut args| {
        let session = host.contexts.context(context_number(&mut args)?)?.session().map_err(failed)?;
        json(&session.thinking().level())
    });
    ops.sync("ctx.scopedModels", |host, _, mut args| {
        let session = host.contexts.context(context_number(&mut args)?)?.session().map_err(failed)?;
        Ok(scoped_models(&session).into())
    });
    ops.sync("ctx.isIdle", |host, _, mut args| {
        Ok(host.contexts.context(context_number(&mut args)?)?.is_idle().map_err(failed)?.into())
    });
    ops.sync("ctx.isProjectTrusted", |host, _, mut args| {
        Ok(host.contexts.context(context_number(&mut args)?)?.is_project_trusted().map_err(failed)?.into())
    });
    ops.sync("ctx.hasPendingMessages", |host, _, mut args| {
        Ok(host.contexts.context(context_number(&mut args)?)?.has_pending_messages().map_err(failed)?.into())
    });
    ops.sync("ctx.getContextUsage", |host, _, mut args| {
        let usage = host.contexts.context(context_number(&mut args)?)?.context_usage().map_err(failed)?;
        Ok(usage.map_or(Data::Undefined, |usage| Data::json(&usage)))
    });
    ops.sync("ctx.getSystemPrompt", |host, _, mut args| {
        let prompt = host.contexts.context(context_number(&mut args)?)?.system_prompt().map_err(failed)?;
        Ok((*prompt).into())
    });
    ops.sync("ctx.getSystemPromptOptions", |host, _, mut args| {
        let options = host.contexts.command_context(context_number(&mut args)?)?.system_prompt_options();
        let options = options.map_err(failed)?;
        Ok(Data::RawJson(system_prompt_options_json(&options).map_err(failed)?))
    });
}

/// The run that is in progress.
fn add_run(ops: &mut Ops<'_>) {
    // The number of the run that is in progress, and whether it was aborted.
    ops.sync("ctx.run", |host, _, mut args| {
        let session = host.contexts.context(context_number(&mut args)?)?.session().map_err(failed)?;
        let is_aborted = session.agent().cancellation().is_some_and(|token| token.is_cancelled());
        Ok(match session.agent().run_number() {
            Some(run) => json!({"run": run, "isAborted": is_aborted}).into(),
            None => json!({}).into(),
        })
    });
    // Calls back when the run that is in progress is aborted. False when there is none.
    ops.sync("ctx.watch", |host, _, mut args| {
        let context = host.contexts.context(context_number(&mut args)?)?;
        let callback = args.callback(1)?;
        let session = context.session().map_err(failed)?;
        let Some(token) = session.agent().cancellation() else { return Ok(false.into()) };
        let link = Link::to(host);
        host.runtime()?.spawn(async move {
            tokio::select! {
                biased;
                () = token.cancelled() => link.emit(callback, Vec::new()),
                () = session.wait_for_idle() => {}
            }
            link.forget(callback);
        });
        Ok(true.into())
    });
}

fn add_requests(ops: &mut Ops<'_>) {
    // The number of the run that is aborted.
    ops.sync("ctx.abort", |host, _, mut args| {
        let context = host.contexts.context(context_number(&mut args)?)?;
        let run = context.session().map_err(failed)?.agent().run_number();
        let _runtime = host.enter();
        context.abort().map_err(failed)?;
        Ok(run.map_or(Data::Undefined, |run| json!(run).into()))
    });
    ops.sync("ctx.shutdown", |host, _, mut args| {
        let context = host.contexts.context(context_number(&mut args)?)?;
        let _runtime = host.enter();
        context.shutdown();
        Ok(Data::Undefined)
    });
    ops.sync("ctx.compact", |host, _, mut args| {
        let context = host.contexts.context(context_number(&mut args)?)?;
        let (custom_instructions, callback) = (args.text_or_none(1)?, args.callback(2)?);
        let link = Link::to(host);
        let done = move |outcome: Result<_, pi_coding_agent::agent_session::Error>| {
            let reply = match outcome {
                Ok(outcome) => vec![true.into(), Data::json(&outcome)],
                Err(error) => vec![false.into(), error.to_string().into()],
            };
            async move { link.emit(callback, reply) }.boxed()
        };
        let _runtime = host.enter();
        context.compact(CompactOptions { custom_instructions, on_done: Some(Box::new(done)) }).map_err(failed)?;
        Ok(Data::Undefined)
    });
    ops.spawned("ctx.waitForIdle", |host, _, mut args| async move {
        host.contexts.command_context(context_number(&mut args)?)?.wait_for_idle().await.map_err(failed)?;
        Ok(Data::Undefined)
    });
    ops.spawned("ctx.reload", |host, _, mut args| async move {
        host.contexts.command_context(context_number(&mut args)?)?.reload().await.map_err(failed)?;
        Ok(Data::Undefined)
    });
}
