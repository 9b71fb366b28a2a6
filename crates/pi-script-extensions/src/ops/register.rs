//! What an extension brings: handlers, tools, commands, flags, shortcuts, renderers.

use std::sync::Arc;
use std::time::Duration;

use pi_script::{Callback, Data, Error, OpError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Ops, context_number};
use crate::contexts::Entry;
use crate::errors::to_handler;
use crate::events;
use crate::host::{ScriptHost, number};
use crate::link::Link;
use crate::tool::{CallEnd, ToolDescription, script_tool};
use pi_coding_agent::extension::events::{Event, EventInfo, ProjectTrustEvent};
use pi_coding_agent::extension::json::{JsonReply, JsonTrustHandler, subscribe, subscribe_trust};
use pi_coding_agent::extension::{
    Flag, FlagKind, FlagValue, RenderOptions, Shortcut, Subscription, ToolRegistration, ToolRenderer, ToolView,
    TrustContext,
};
use pi_coding_agent::messages::CustomMessage;

/// How long a script may take to draw something. Whoever draws shows something else meanwhile, so this is for promises that are
/// never settled: a script that is only busy answers on the slowest machine, or is interrupted.
const RENDER_LIMIT: Duration = Duration::from_mins(1);

#[derive(Deserialize)]
struct FlagDescription {
    #[serde(default)]
    description: Option<String>,
    #[serde(rename = "type", default)]
    kind: Option<String>,
    #[serde(default)]
    default: Option<Value>,
}

pub(super) fn add(ops: &mut Ops<'_>) {
    add_handlers(ops);
    add_tools_and_flags(ops);
    add_renderers(ops);
}

fn add_handlers(ops: &mut Ops<'_>) {
    ops.sync("pi.on", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (name, callback) = (args.text(1)?, args.callback(2)?);
        let subscription = if name == ProjectTrustEvent::NAME {
            Some(subscribe_trust(&api, trust_handler(host, callback)))
        } else {
            subscribe(&api, &name, events::handler(Link::to(host), callback))
        };
        let handlers = subscription.unwrap_or_default().handlers;
        let Some(event) = EventInfo::of(&name) else { return Ok(json!({"handlers": handlers}).into()) };
        Ok(json!({
            "mutable": event.mutable,
            "isAssignable": event.is_assignable,
            "late": event.late,
            "isAsked": event.is_asked(),
            "handlers": handlers,
        })
        .into())
    });
    ops.sync("pi.off", |host, _, mut args| {
        // Of a session that is gone nothing is left to be taken back.
        if let Ok(api) = host.contexts.api(context_number(&mut args)?) {
            api.off(&Subscription { handlers: args.parse(1)? });
        }
        Ok(Data::Undefined)
    });
}

fn add_tools_and_flags(ops: &mut Ops<'_>) {
    ops.sync("pi.registerTool", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let description: ToolDescription = args.parse(1)?;
        let (prompt_snippet, prompt_guidelines) = description.for_prompt();
        let is_boxed = description.is_boxed();
        let (execute, prepare) = (args.callback(2)?, args.callback_or_none(3)?);
        let updates = Arc::clone(&host.state.updates);
        let renderer = args.callback_or_none(4)?.map(|callback| tool_renderer(Link::to(host), callback));
        let tool = script_tool(description, Link::to(host), execute, prepare, updates, CallEnd::AllSaid);
        let said =
            ToolRegistration { prompt_snippet, prompt_guidelines, renderer, is_boxed, ..ToolRegistration::new(tool) };
        api.register_tool(said);
        Ok(Data::Undefined)
    });
    ops.sync("pi.registerMcpServer", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        api.register_mcp_server(args.text(1)?, args.parse(2)?);
        Ok(Data::Undefined)
    });
    ops.sync("pi.registerFlag", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (name, said) = (args.text(1)?, args.parse::<FlagDescription>(2)?);
        api.register_flag(flag(name, said)?);
        Ok(Data::Undefined)
    });
    ops.sync("pi.getFlag", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        Ok(api.flag(&args.text(1)?).map_or(Data::Undefined, |value| Data::json(&value)))
    });
    ops.sync("pi.registerShortcut", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (key, description, callback) = (args.text(1)?, args.text_or_none(2)?, args.callback(3)?);
        let link = Link::to(host);
        let shortcut = Shortcut::new(key, move |_| {
            let link = link.clone();
            async move { link.invoke(callback, Vec::new()).await.map(drop).map_err(to_handler) }
        });
        api.register_shortcut(Shortcut { description, ..shortcut });
        Ok(Data::Undefined)
    });
}

fn add_renderers(ops: &mut Ops<'_>) {
    ops.sync("pi.registerMessageRenderer", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (custom_type, callback) = (args.text(1)?, args.callback(2)?);
        let link = Link::to(host);
        api.register_message_renderer(custom_type, move |message, options| draw(&link, callback, message, options));
        Ok(Data::Undefined)
    });
    ops.sync("pi.registerEntryRenderer", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (custom_type, callback) = (args.text(1)?, args.callback(2)?);
        let link = Link::to(host);
        api.register_entry_renderer(custom_type, move |entry, options| {
            try_lines(&link, callback, vec![entry.clone().into(), about(options).into()]).map_err(to_handler)
        });
        Ok(Data::Undefined)
    });
    ops.sync("pi.registerMarkdownTransformer", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let callback = args.callback(1)?;
        let link = Link::to(host);
        api.register_markdown_transformer(move |text, kind, options| {
            let about = json!({
                "messageType": kind, "isStreaming": options.is_partial, "availableWidth": options.width
            });
            let changed = link.invoke_blocking(callback, vec![text.into(), about.into()], RENDER_LIMIT);
            // What is no text changes nothing.
            let text = |changed: Data| serde_json::from_value(changed.into_json()?).ok();
            changed.map(text).map_err(to_handler)
        });
        Ok(Data::Undefined)
    });
}

fn flag(name: String, said: FlagDescription) -> Result<Flag, OpError> {
    let kind = match said.kind.as_deref() {
        Some("boolean") => FlagKind::Boolean,
        Some("string") => FlagKind::String,
        other => {
            let other = other.unwrap_or("nothing");
            return Err(OpError::type_error(format!(
                "Flag \"{name}\": type is {other}; it must be \"boolean\" or \"string\""
            )));
        }
    };
    let default = match said.default {
        None | Some(Value::Null) => None,
        Some(Value::Bool(value)) => Some(FlagValue::Boolean(value)),
        Some(Value::String(text)) => Some(FlagValue::String(text)),
        Some(other) => Some(FlagValue::String(other.to_string())),
    };
    Ok(Flag { name, description: said.description, kind, default })
}

/// There is no session yet: the handler gets a context of its own.
fn trust_handler(host: &Arc<ScriptHost>, callback: Callback) -> Arc<JsonTrustHandler> {
    let (host, link) = (Arc::downgrade(host), Link::to(host));
    Arc::new(move |event, context: TrustContext| {
        let (host, link) = (host.clone(), link.clone());
        Box::pin(async move {
            let Some(host) = host.upgrade() else { return Ok(JsonReply::default()) };
            let about = json!({"cwd": context.cwd, "mode": context.mode, "hasUI": context.ui.is_available()});
            let (entry, _) = host.contexts.add(Entry::Trust(context));
            let reply = events::call(&link, callback, event, vec![number(entry), about.into()]).await;
            host.contexts.remove(entry);
            reply
        })
    })
}

/// The lines of a custom message; `None` leaves it to the default.
fn draw(link: &Link, callback: Callback, message: &CustomMessage, options: RenderOptions) -> Option<Vec<String>> {
    lines(link, callback, vec![Data::json(message), about(options).into()])
}

/// The lines of a call of a tool and of its result.
fn tool_renderer(link: Link, callback: Callback) -> Arc<ToolRenderer> {
    Arc::new(move |view, options| {
        let ToolView { call_id, arguments, is_complete, has_begun, result } = view;
        let (result, is_error) = result.unzip();
        let what = json!({
            "slot": if result.is_some() { "result" } else { "call" },
            "id": call_id,
            "args": arguments,
            "argsComplete": is_complete,
            "executionStarted": has_begun,
            "result": result,
            "isError": is_error.unwrap_or_default(),
        });
        lines(&link, callback, vec![what.into(), about(options).into()])
    })
}

fn about(options: RenderOptions) -> Value {
    json!({"width": options.width, "expanded": options.expanded, "isPartial": options.is_partial})
}

fn lines(link: &Link, callback: Callback, args: Vec<Data>) -> Option<Vec<String>> {
    try_lines(link, callback, args).ok()?
}

fn try_lines(link: &Link, callback: Callback, args: Vec<Data>) -> Result<Option<Vec<String>>, Error> {
    let lines = link.invoke_blocking(callback, args, RENDER_LIMIT)?;
    Ok(lines.into_json().and_then(|lines| serde_json::from_value(lines).ok()))
}
