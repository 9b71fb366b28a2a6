//! What an extension does to its session: the methods of `pi` that act.

use std::sync::Arc;
use std::time::Duration;

use pi_ai::{Model, ThinkingLevel, UserContent};
use pi_script::{Data, OpError, Permission};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Ops, context_number, json};
use crate::errors::failed;
use pi_coding_agent::agent_session::StreamingBehavior;
use pi_coding_agent::extension::{DeliverAs, ExecOptions, ExecResult, SendMessageOptions, SendUserMessageOptions};
use pi_coding_agent::host::json_depth::shallow;
use pi_coding_agent::session::CustomMessageContent;

/// A custom message, as scripts write it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScriptMessage {
    custom_type: String,
    #[serde(default)]
    content: Option<UserContent>,
    /// Whatever counts as true.
    #[serde(default)]
    display: Value,
    #[serde(default)]
    details: Option<Value>,
}

impl From<ScriptMessage> for CustomMessageContent {
    fn from(message: ScriptMessage) -> Self {
        let ScriptMessage { custom_type, content, display, details } = message;
        let display = !matches!(display, Value::Null | Value::Bool(false)) && display != "" && display != 0;
        Self { custom_type, content: content.unwrap_or_else(|| "".into()), display, details: details.map(shallow) }
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Delivery {
    trigger_turn: bool,
    deliver_as: Option<DeliverAs>,
}

impl Delivery {
    pub(super) fn for_message(&self) -> SendMessageOptions {
        SendMessageOptions { trigger_turn: self.trigger_turn, deliver_as: self.deliver_as }
    }

    pub(super) fn for_prompt(&self) -> Option<StreamingBehavior> {
        match self.deliver_as {
            Some(DeliverAs::Steer) => Some(StreamingBehavior::Steer),
            Some(DeliverAs::FollowUp) => Some(StreamingBehavior::FollowUp),
            Some(DeliverAs::NextTurn) | None => None,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ExecSettings {
    /// Milliseconds.
    timeout: Option<f64>,
    cwd: Option<std::path::PathBuf>,
}

pub(super) fn add(ops: &mut Ops<'_>) {
    add_sending(ops);
    add_session(ops);
    add_choices(ops);
    ops.spawned("pi.exec", |host, _, mut args| async move {
        let api = host.contexts.api(context_number(&mut args)?)?;
        host.permit(Permission::Programs)?;
        let (program, arguments) = (args.text(1)?, args.parse::<Option<Vec<String>>>(2)?.unwrap_or_default());
        let settings = args.parse::<Option<ExecSettings>>(3)?.unwrap_or_default();
        let options = ExecOptions {
            cwd: settings.cwd,
            timeout: settings.timeout.filter(|ms| *ms > 0.0).map(|ms| Duration::from_secs_f64(ms / 1000.0)),
            cancel: host.state.token(&mut args, 4)?,
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ExecResult { stdout, stderr, code, killed } = api.exec(&program, &arguments, options).await;
        Ok(json!({"stdout": stdout, "stderr": stderr, "code": code, "killed": killed}).into())
    });
}

fn add_sending(ops: &mut Ops<'_>) {
    ops.notify("pi.sendMessage", "send_message", |host, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        api.context().session().map_err(failed)?;
        let message: ScriptMessage = args.parse(1)?;
        let delivery = args.parse::<Option<Delivery>>(2)?.unwrap_or_default();
        Ok(async move { api.send_message(message.into(), delivery.for_message()).await })
    });
    ops.sync("pi.sendUserMessage", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let content: UserContent = args.parse(1)?;
        let delivery = args.parse::<Option<Delivery>>(2)?.unwrap_or_default();
        let options = SendUserMessageOptions { deliver_as: delivery.for_prompt() };
        // The prompt runs on the program's runtime, not on the script's thread.
        let _runtime = host.enter();
        api.send_user_message(content, options).map_err(failed)?;
        Ok(Data::Undefined)
    });
}

fn add_session(ops: &mut Ops<'_>) {
    ops.sync("pi.appendEntry", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        // Listeners may go on with it on the program's runtime.
        let _runtime = host.enter();
        api.append_entry(&args.text(1)?, args.json(2)).map_err(failed)?;
        Ok(Data::Undefined)
    });
    ops.notify("pi.setSessionName", "set_session_name", |host, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let name = args.text(1)?;
        Ok(async move { api.set_session_name(&name).await })
    });
    ops.sync("pi.getSessionName", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        Ok(api.session_name().map_err(failed)?.map_or(Data::Undefined, Data::from))
    });
    ops.sync("pi.setLabel", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let (entry, label) = (args.text(1)?, args.text_or_none(2)?);
        api.set_label(&entry, label.as_deref()).map_err(failed)?;
        Ok(Data::Undefined)
    });
}

fn add_choices(ops: &mut Ops<'_>) {
    ops.sync("pi.getActiveTools", |host, _, mut args| {
        json(&host.contexts.api(context_number(&mut args)?)?.active_tools().map_err(failed)?)
    });
    ops.sync("pi.getAllTools", |host, _, mut args| {
        json(&host.contexts.api(context_number(&mut args)?)?.all_tools().map_err(failed)?)
    });
    ops.sync("pi.setActiveTools", |host, _, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let names: Vec<String> = args.parse(1)?;
        let _runtime = host.enter();
        api.set_active_tools(&names).map_err(failed)?;
        Ok(Data::Undefined)
    });
    ops.sync("pi.getCommands", |host, _, mut args| {
        json(&host.contexts.api(context_number(&mut args)?)?.commands().map_err(failed)?)
    });
    ops.spawned("pi.setModel", |host, _, mut args| async move {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let models = api.context().models().map_err(failed)?;
        // The registry's own object, so that the choice is the same as if the user had made it.
        let said: Map<String, Value> = args.parse(1)?;
        let text = |key: &str| said.get(key).and_then(Value::as_str).unwrap_or_default();
        let model = match models.find(text("provider"), text("id")) {
            Some(model) => model,
            // Nobody has a key for it.
            None if text("provider").is_empty() => return Ok(false.into()),
            None => Arc::new(Model::deserialize(Value::Object(said)).map_err(failed)?),
        };
        Ok(api.set_model(model).await.map_err(failed)?.into())
    });
    ops.sync("pi.getThinkingLevel", |host, _, mut args| {
        json(&host.contexts.api(context_number(&mut args)?)?.thinking_level().map_err(failed)?)
    });
    ops.notify("pi.setThinkingLevel", "set_thinking_level", |host, mut args| {
        let api = host.contexts.api(context_number(&mut args)?)?;
        let level: ThinkingLevel =
            args.parse(1).map_err(|error: OpError| OpError::new(format!("No such thinking level. {error}")))?;
        Ok(async move { api.set_thinking_level(level).await })
    });
}
