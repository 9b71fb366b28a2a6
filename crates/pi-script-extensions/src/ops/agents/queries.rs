//! Questions about a session beside the own one.

use std::sync::Arc;

use pi_agent_core::StreamingMessage;
use pi_ai::Message;
use pi_script::{Args, Data, OpError, OpResult};
use serde_json::{Value, json};

use super::super::models::chosen;
use super::super::resources::template_json;
use super::super::{Ops, json as as_json};
use super::beside;
use crate::state::{Held, Holding};
use pi_coding_agent::agent_session::AgentSession;

pub(super) fn add(ops: &mut Ops<'_>) {
    // The session, what is asked, and more if that needs more.
    ops.sync("agents.get", |host, _, mut args| {
        let beside = beside(host, &mut args)?;
        let name = args.text(1)?;
        let answer = [switches, identity, state, tools, choices, figures]
            .into_iter()
            .find_map(|ask| ask(&beside.session, &name, &mut args));
        answer.unwrap_or_else(|| Err(OpError::type_error(format!("A session has no member {name}"))))
    });
    // The number of its manager, for `SessionManager` in `sessions.js`.
    ops.sync("agents.manager", |host, _, mut args| {
        let held: Held = Holding::of(&beside(host, &mut args)?.session).shared();
        Ok(json!(host.state.sessions.add(held)).into())
    });
}

fn text(value: Option<impl Into<String>>) -> OpResult {
    Ok(value.map_or(Data::Undefined, |text| text.into().into()))
}

fn switches(session: &AgentSession, name: &str, _: &mut Args) -> Option<OpResult> {
    let is = match name {
        "isStreaming" => session.is_streaming(),
        "isCompacting" => session.compaction().is_running(),
        "isRetrying" => session.retry().is_waiting(),
        "isBashRunning" => session.shell().is_running(),
        "hasPendingBashMessages" => session.shell().has_pending(),
        "autoRetryEnabled" => session.retry().is_auto(),
        "autoCompactionEnabled" => session.compaction().is_auto(),
        "supportsThinking" => session.thinking().is_supported(),
        "hasQueuedMessages" => session.agent().has_queued_messages(),
        _ => return None,
    };
    Some(Ok(is.into()))
}

fn identity(session: &AgentSession, name: &str, _: &mut Args) -> Option<OpResult> {
    Some(match name {
        "sessionId" => Ok(session.session_id().into()),
        "sessionFile" => text(session.session_file().map(|file| file.to_string_lossy().into_owned())),
        "sessionName" => text(session.name().get()),
        "systemPrompt" => Ok((*session.system_prompt()).into()),
        "getLastAssistantText" => text(session.last_assistant_text()),
        _ => return None,
    })
}

fn state(session: &AgentSession, name: &str, _: &mut Args) -> Option<OpResult> {
    Some(match name {
        "messages" => as_json(&session.messages()),
        "streamingMessage" => streaming(session),
        "pendingToolCalls" => session.agent().with_state(|state| as_json(&state.pending_tool_calls)),
        "errorMessage" => text(session.agent().with_state(|state| state.error_message.clone())),
        "queued" => as_json(&session.queue().texts()),
        "pendingMessageCount" => Ok(json!(session.queue().count()).into()),
        "retryAttempt" => Ok(json!(session.retry().attempt()).into()),
        _ => return None,
    })
}

fn streaming(session: &AgentSession) -> OpResult {
    let message: Option<Arc<Message>> = session.agent().with_state(|state| {
        let streaming = state.streaming_message.as_ref()?;
        Some(match streaming {
            StreamingMessage::Whole(message) => Arc::clone(message),
            StreamingMessage::Partial(partial) => Arc::new(Message::from((*partial.snapshot()).clone())),
        })
    });
    message.map_or(Ok(Data::Undefined), |message| as_json(&*message))
}

fn tools(session: &AgentSession, name: &str, args: &mut Args) -> Option<OpResult> {
    Some(match name {
        "getActiveToolNames" => as_json(&session.tools().active()),
        "getAllTools" => as_json(&session.tools().all()),
        "activeTools" => session.agent().with_state(|state| {
            let tools = state.tools.iter().map(|tool| json!(&**tool.definition()));
            Ok(tools.collect::<Value>().into())
        }),
        "getToolDefinition" => args.text(2).and_then(|tool| {
            let found = session.tools().all().into_iter().find(|listed| listed.name == tool);
            found.map_or(Ok(Data::Undefined), |found| as_json(&found))
        }),
        _ => return None,
    })
}

fn choices(session: &AgentSession, name: &str, _: &mut Args) -> Option<OpResult> {
    Some(match name {
        "model" => chosen(&session.model()),
        "thinkingLevel" => as_json(&session.thinking().level()),
        "getAvailableThinkingLevels" => as_json(&session.thinking().available()),
        "steeringMode" => as_json(&session.queue().steering_mode()),
        "followUpMode" => as_json(&session.queue().follow_up_mode()),
        "promptTemplates" => {
            Ok(session.resources().templates().items.iter().map(template_json).collect::<Value>().into())
        }
        "scopedModels" => Ok(scoped_models(session).into()),
        _ => return None,
    })
}

fn figures(session: &AgentSession, name: &str, _: &mut Args) -> Option<OpResult> {
    Some(match name {
        "getSessionStats" => as_json(&session.stats().current()),
        "getContextUsage" => session.stats().context_usage().map_or(Ok(Data::Undefined), |usage| as_json(&usage)),
        _ => return None,
    })
}

/// The models that a session goes round, with their levels where they have one.
pub(in crate::ops) fn scoped_models(session: &AgentSession) -> Value {
    let one = |scoped: &pi_coding_agent::models::ScopedModel| match scoped.thinking_level {
        Some(level) => json!({"model": &*scoped.model, "thinkingLevel": level}),
        None => json!({"model": &*scoped.model}),
    };
    session.models().scoped().iter().map(one).collect()
}
