//! The user: `ctx.ui`.

use std::sync::Arc;
use std::time::Duration;

use pi_script::{Args, Data, OpError};

use super::screen::placed;
use super::{Ops, context_number};
use crate::host::ScriptHost;
use pi_coding_agent::extension::{DialogOptions, ExtensionUi, NotifyKind, WidgetPlacement};

pub(super) fn add(ops: &mut Ops<'_>) {
    add_dialogs(ops);
    add_notices(ops);
    add_lines(ops);
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
    notice(ops, "ui.setTitle", |ui, mut args| {
        let text = args.text(1)?;
        Ok(async move { ui.set_title(&text).await })
    });
    notice(ops, "ui.setEditorText", |ui, mut args| {
        let text = args.text(1)?;
        Ok(async move { ui.set_editor_text(&text).await })
    });
}

/// Lines beside the editor. On a screen they belong to the extension; elsewhere the user is told of them.
fn add_lines(ops: &mut Ops<'_>) {
    ops.notify("ui.setWidget", "ui.setWidget", |host, mut args| {
        let ui = host.contexts.ui(context_number(&mut args)?)?;
        let (key, lines) = (args.text(1)?, args.parse::<Option<Vec<String>>>(2)?);
        let said = args.json(3);
        let owner = host.path.clone();
        Ok(async move {
            match ui.screen() {
                Some(screen) => screen.put_lines(&owner, &key, lines, placed(said.unwrap_or_default())),
                None => {
                    let placement = said.and_then(|said| serde_json::from_value::<WidgetPlacement>(said).ok());
                    ui.set_widget(&key, lines.as_deref(), placement).await;
                }
            }
            Ok(())
        })
    });
}

fn notice<F>(
    ops: &mut Ops<'_>,
    name: &'static str,
    say: impl Fn(Arc<dyn ExtensionUi>, Args) -> Result<F, OpError> + Send + Sync + 'static,
) where
    F: Future<Output = ()> + Send + 'static,
{
    ops.notify(name, name, move |host, mut args| {
        let said = say(host.contexts.ui(context_number(&mut args)?)?, args)?;
        Ok(async move {
            said.await;
            Ok(())
        })
    });
}
