//! The user: `ctx.ui`.

use std::sync::Arc;
use std::time::Duration;

use pi_script::{Args, Data, OpError};
use serde_json::json;

use super::{Ops, context_number};
use crate::host::ScriptHost;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind, WidgetPlacement};
use pi_coding_agent::theme::{ColourMode, Theme, Token};

pub(super) fn add(ops: &mut Ops<'_>) {
    add_dialogs(ops);
    add_notices(ops);
    ops.sync("ui.theme", |host, _, _| Ok(theme(&Theme::dark(), host.env()).into()));
}

/// Time limit and signal of a dialog.
fn dialog(host: &Arc<ScriptHost>, args: &mut Args, place: usize) -> Result<DialogOptions, OpError> {
    let timeout: Option<f64> = args.parse(place)?;
    let timeout = timeout.filter(|ms| *ms > 0.0).map(|ms| Duration::from_secs_f64(ms / 1000.0));
    Ok(DialogOptions { timeout, cancel: host.state.token(args, place + 1)? })
}

fn add_dialogs(ops: &mut Ops<'_>) {
    ops.spawned("ui.select", |host, _, mut args| async move {
        let ui = host.contexts.ui(context_number(&mut args)?)?;
        let (title, options) = (args.text(1)?, args.parse::<Vec<String>>(2)?);
        let dialog = dialog(&host, &mut args, 3)?;
        host.outbox.emptied().await;
        Ok(ui.select(&title, &options, dialog).await.map_or(Data::Undefined, Data::from))
    });
    ops.spawned("ui.confirm", |host, _, mut args| async move {
        let ui = host.contexts.ui(context_number(&mut args)?)?;
        let (title, message) = (args.text(1)?, args.text_or_none(2)?.unwrap_or_default());
        let dialog = dialog(&host, &mut args, 3)?;
        host.outbox.emptied().await;
        Ok(ui.confirm(&title, &message, dialog).await.into())
    });
    ops.spawned("ui.input", |host, _, mut args| async move {
        let ui = host.contexts.ui(context_number(&mut args)?)?;
        let (title, placeholder) = (args.text(1)?, args.text_or_none(2)?);
        let dialog = dialog(&host, &mut args, 3)?;
        host.outbox.emptied().await;
        Ok(ui.input(&title, placeholder.as_deref(), dialog).await.map_or(Data::Undefined, Data::from))
    });
    ops.spawned("ui.editor", |host, _, mut args| async move {
        let ui = host.contexts.ui(context_number(&mut args)?)?;
        let (title, prefill) = (args.text(1)?, args.text_or_none(2)?);
        host.outbox.emptied().await;
        Ok(ui.editor(&title, prefill.as_deref()).await.map_or(Data::Undefined, Data::from))
    });
}

/// These are said in the order in which the script says them, though it waits for none.
fn add_notices(ops: &mut Ops<'_>) {
    notice(ops, "ui.notify", |ui, mut args| {
        // Kinds that nobody knows are none.
        let (message, kind) = (args.text(1)?, args.parse::<Option<NotifyKind>>(2).unwrap_or_default());
        Ok(async move { ui.notify(&message, kind).await })
    });
    notice(ops, "ui.setStatus", |ui, mut args| {
        let (key, text) = (args.text(1)?, args.text_or_none(2)?);
        Ok(async move { ui.set_status(&key, text.as_deref()).await })
    });
    notice(ops, "ui.setWidget", |ui, mut args| {
        let (key, lines) = (args.text(1)?, args.parse::<Option<Vec<String>>>(2)?);
        let placement = args.parse::<Option<WidgetPlacement>>(3).unwrap_or_default();
        Ok(async move { ui.set_widget(&key, lines.as_deref(), placement).await })
    });
    notice(ops, "ui.setTitle", |ui, mut args| {
        let text = args.text(1)?;
        Ok(async move { ui.set_title(&text).await })
    });
    notice(ops, "ui.setEditorText", |ui, mut args| {
        let text = args.text(1)?;
        Ok(async move { ui.set_editor_text(&text).await })
    });
}

fn notice<F>(
    ops: &mut Ops<'_>,
    name: &'static str,
    say: impl Fn(Arc<dyn ExtensionUi>, Args) -> Result<F, OpError> + Send + Sync + 'static,
) where
    F: Future<Output = ()> + Send + 'static,
{
    ops.told(name, name, move |host, mut args| {
        let said = say(host.contexts.ui(context_number(&mut args)?)?, args)?;
        Ok(async move {
            said.await;
            Ok(())
        })
    });
}

/// The escape sequences of a theme's colours.
fn theme(theme: &Theme, env: &Env) -> serde_json::Value {
    let mode = ColourMode::detect(env);
    let escapes = |is_background: bool| -> serde_json::Map<String, serde_json::Value> {
        let tokens = Token::ALL.iter().filter(|token| token.is_background() == is_background);
        tokens.map(|token| (token.name().to_owned(), theme.escape(*token, mode).into())).collect()
    };
    json!({"name": theme.name(), "mode": format!("{mode:?}"), "fg": escapes(false), "bg": escapes(true)})
}
