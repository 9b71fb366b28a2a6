//! The screen, for `js/bridge/screen.js` and what stands on it: views, the editor, what is typed, themes.

use std::sync::Arc;

use futures::FutureExt;
use pi_script::{Args, Callback, Data, OpError, OpResult};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Ops, context_number};
use crate::host::{ScriptHost, number};
use crate::link::Link;
use crate::view::{OpenView, ScriptView};
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::{
    Completion, CompletionQuery, OverlayChange, OverlayOptions, Screen, ViewPlace, WidgetPlacement, WorkingChange,
};
use pi_coding_agent::theme::{ColourMode, Theme, Token};

pub(super) fn add(ops: &mut Ops<'_>) {
    add_views(ops);
    add_editor(ops);
    add_switches(ops);
    add_themes(ops);
}

/// The screen of a context, if it has one.
fn screen(host: &Arc<ScriptHost>, args: &mut Args) -> Result<Option<Arc<dyn Screen>>, OpError> {
    Ok(host.contexts.ui(context_number(args)?)?.screen())
}

/// An operation that does nothing where there is no screen, and answers with this then.
fn on_screen(
    ops: &mut Ops<'_>,
    name: &'static str,
    otherwise: impl Fn() -> Data + Send + Sync + 'static,
    act: impl Fn(&Arc<ScriptHost>, Arc<dyn Screen>, Args) -> OpResult + Send + Sync + 'static,
) {
    ops.sync(name, move |host, _, mut args| match screen(host, &mut args)? {
        Some(screen) => act(host, screen, args),
        None => Ok(otherwise()),
    });
}

fn nothing() -> Data {
    Data::Undefined
}

/// Where a script puts a view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
enum Place {
    Widget {
        key: String,
        // Other places than the program knows are the usual one.
        #[serde(default)]
        placement: Value,
    },
    Header,
    Footer,
    Editor,
}

impl From<Place> for ViewPlace {
    fn from(place: Place) -> Self {
        match place {
            Place::Widget { key, placement } => Self::Widget(key, placed(placement)),
            Place::Header => Self::Header,
            Place::Footer => Self::Footer,
            Place::Editor => Self::Editor,
        }
    }
}

/// Where a widget stands.
pub(super) fn placed(said: Value) -> WidgetPlacement {
    serde_json::from_value(said).unwrap_or(WidgetPlacement::AboveEditor)
}

fn view(host: &Arc<ScriptHost>, args: &mut Args, place: usize) -> Result<Option<OpenView>, OpError> {
    let number: Option<u32> = args.parse(place)?;
    Ok(number.and_then(|number| host.state.views.get(number)))
}

fn add_views(ops: &mut Ops<'_>) {
    ops.sync("ui.hasScreen", |host, _, mut args| Ok(screen(host, &mut args)?.is_some().into()));
    on_screen(
        ops,
        "ui.size",
        || json!({"columns": 80, "rows": 24}).into(),
        |_, screen, _| {
            let size = screen.size();
            Ok(json!({"columns": size.columns, "rows": size.rows}).into())
        },
    );
    on_screen(ops, "ui.keys", || json!([]).into(), |_, screen, _| Ok(Data::json(&screen.keys())));
    ops.sync("ui.view", |host, _, mut args| {
        let link = Link::to(host);
        let (draw, input, set_text) = (args.callback(1)?, args.callback(2)?, args.callback(3)?);
        let (invalidate, closed) = (args.callback(4)?, args.callback(5)?);
        let view = Arc::new(ScriptView { link, draw, input, set_text, invalidate, closed });
        let open = OpenView { view, closed: CancellationToken::new() };
        Ok(number(host.state.views.add(open)))
    });
    ops.sync("ui.closeView", |host, _, mut args| {
        if let Some(open) = host.state.views.take(args.parse(0)?) {
            open.closed.cancel();
        }
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.put", nothing, |host, screen, mut args| {
        let place: Place = args.parse(1)?;
        let view = view(host, &mut args, 2)?;
        screen.put(&host.path, place.into(), view.map(|open| open.view));
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.redraw", nothing, |host, screen, mut args| {
        if let Some(open) = view(host, &mut args, 1)? {
            screen.redraw(&open.view);
        }
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.redrawCall", nothing, |_, screen, mut args| {
        screen.redraw_call(&args.text(1)?);
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.changeOverlay", nothing, |host, screen, mut args| {
        let open = view(host, &mut args, 1)?;
        let change: OverlayChange = args.parse(2)?;
        if let Some(open) = open {
            screen.change_overlay(&open.view, change);
        }
        Ok(Data::Undefined)
    });
    ops.spawned("ui.show", |host, _, mut args| async move {
        let ui = host.contexts.ui(context_number(&mut args)?)?;
        let Some(open) = view(&host, &mut args, 1)? else { return Ok(Data::Undefined) };
        let overlay: Option<OverlayOptions> = args.parse(2)?;
        // The program may close it, too: then it tells the script.
        open.closed.run_until_cancelled(ui.show(&host.path, Arc::clone(&open.view), overlay)).await;
        Ok(Data::Undefined)
    });
}

fn add_editor(ops: &mut Ops<'_>) {
    on_screen(ops, "ui.editorText", || Data::from(String::new()), |_, screen, _| Ok(screen.editor_text().into()));
    ops.sync("ui.paste", |host, _, mut args| {
        let (ui, text) = (host.contexts.ui(context_number(&mut args)?)?, args.text(1)?);
        match ui.screen() {
            Some(screen) => screen.paste(&text),
            // The same request as for the whole text.
            None => host.begin(async move { ui.set_editor_text(&text).await }.boxed())?,
        }
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.edited", nothing, |host, screen, mut args| {
        let (open, text) = (view(host, &mut args, 1)?, args.text(2)?);
        if let Some(open) = open {
            screen.edited(&open.view, &text);
        }
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.act", nothing, |_, screen, mut args| {
        screen.act(&args.text(1)?);
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.hookInput", nothing, |host, screen, mut args| {
        let (link, callback) = (Link::to(host), args.callback(1)?);
        let hook = move |typed: String| {
            let link = link.clone();
            async move { link.ask(callback, vec![typed.into()]).await.ok()?.into_text() }.boxed()
        };
        Ok(json!(screen.hook_input(&host.path, Arc::new(hook))).into())
    });
    on_screen(ops, "ui.unhookInput", nothing, |_, screen, mut args| {
        if let Some(hook) = args.parse::<Option<u64>>(1)? {
            screen.unhook_input(hook);
        }
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.completeWith", nothing, |host, screen, mut args| {
        let marks: Vec<String> = args.parse(1)?;
        let (link, callback) = (Link::to(host), args.callback(2)?);
        let marks = marks.iter().filter_map(|mark| mark.chars().next()).collect();
        screen.complete_with(&host.path, marks, Arc::new(move |query| complete(link.clone(), callback, query).boxed()));
        Ok(Data::Undefined)
    });
}

/// What a script finds.
#[derive(Deserialize)]
struct Found {
    items: Vec<Item>,
    prefix: String,
}

#[derive(Deserialize)]
struct Item {
    value: String,
    label: String,
    #[serde(default)]
    description: Option<String>,
}

async fn complete(link: Link, callback: Callback, query: CompletionQuery) -> Option<(Vec<Completion>, String)> {
    let CompletionQuery { text, line, column, is_forced } = query;
    let args = vec![text.into(), json!(line).into(), json!(column).into(), is_forced.into()];
    let found = link.ask(callback, args).await.ok()?.into_json()?;
    let Found { items, prefix } = serde_json::from_value(found).ok()?;
    let completion = |Item { value, label, description }| Completion { value, label, description };
    Some((items.into_iter().map(completion).collect(), prefix))
}

fn add_switches(ops: &mut Ops<'_>) {
    on_screen(
        ops,
        "ui.footerFacts",
        || json!({"statuses": [], "providers": 0}).into(),
        |_, screen, _| {
            let facts = screen.footer_facts();
            Ok(json!({"branch": facts.branch, "statuses": facts.statuses, "providers": facts.providers}).into())
        },
    );
    on_screen(ops, "ui.setWorking", nothing, |_, screen, mut args| {
        screen.set_working(args.parse::<WorkingChange>(1)?);
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.setHiddenThinkingLabel", nothing, |_, screen, mut args| {
        screen.set_hidden_thinking_label(args.text_or_none(1)?.as_deref());
        Ok(Data::Undefined)
    });
    on_screen(ops, "ui.isExpanded", || false.into(), |_, screen, _| Ok(screen.is_expanded().into()));
    on_screen(ops, "ui.setExpanded", nothing, |_, screen, mut args| {
        screen.set_expanded(args.parse(1)?);
        Ok(Data::Undefined)
    });
}

fn add_themes(ops: &mut Ops<'_>) {
    ops.sync("ui.theme", |host, _, _| {
        let screen = host.contexts.activations().into_iter().rev().find_map(|api| api.context().ui().screen());
        let in_force = screen.as_ref().and_then(|screen| screen.theme(None));
        let mut said = theme(&in_force.unwrap_or_else(Theme::dark), host.env());
        said["isOfScreen"] = screen.is_some().into();
        Ok(said.into())
    });
    on_screen(ops, "ui.themeNamed", nothing, |host, screen, mut args| {
        let name = args.text(1)?;
        Ok(screen.theme(Some(&name)).map_or(Data::Undefined, |found| theme(&found, host.env()).into()))
    });
    on_screen(
        ops,
        "ui.themes",
        || json!([]).into(),
        |_, screen, _| {
            let themes = screen.themes().into_iter().map(|(name, path)| match path {
                Some(path) => json!({"name": name, "path": path}),
                None => json!({"name": name}),
            });
            Ok(themes.collect::<Value>().into())
        },
    );
    on_screen(ops, "ui.setTheme", nothing, |_, screen, mut args| {
        let name = args.text_or_none(1)?.unwrap_or_default();
        Ok(match screen.set_theme(&name) {
            Ok(()) => json!({"success": true}),
            Err(error) => json!({"success": false, "error": error}),
        }
        .into())
    });
}

/// The escape sequences of a theme's colours.
fn theme(theme: &Theme, env: &Env) -> Value {
    let mode = ColourMode::detect(env);
    let escapes = |is_background: bool| -> serde_json::Map<String, Value> {
        let tokens = Token::ALL.iter().filter(|token| token.is_background() == is_background);
        tokens.map(|token| (token.name().to_owned(), theme.escape(*token, mode).into())).collect()
    };
    json!({"name": theme.name(), "mode": format!("{mode:?}"), "fg": escapes(false), "bg": escapes(true)})
}
