//! Lets extensions change what the agent does: its context, requests, tool calls and messages.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use futures::FutureExt;
use pi_agent_core::{AfterToolCall, BeforeToolCall, Hooks, ToolCallVerdict, ToolResultPatch};
use pi_ai::{HeadersHook, Message, PayloadHook, ResponseHook, StreamOptions};
use tokio_util::sync::CancellationToken;

use crate::agent_session::Inner;
use crate::extension::events::{
    AfterProviderResponseEvent, BeforeProviderHeadersEvent, BeforeProviderRequestEvent, ContextEvent, Event,
    MessageEndEvent, ToolCallEvent, ToolResultEvent,
};
use crate::extension::{ExtensionError, ExtensionRunner, HandlerError};

/// What a handler that returns a message of another role is told.
const OTHER_ROLE: &str = "message_end handlers must return a message with the same role";

/// Connects the agent with the session's extensions, whoever they are at that time, once. As long as there are none, the
/// agent is left as it is.
pub(in crate::agent_session) fn install(session: &Arc<Inner>) {
    if session.extensions.is_none() || session.extensions.is_hooked.swap(true, Ordering::AcqRel) {
        return;
    }
    session.run.agent().set_hooks(with_extensions(session.run.agent().hooks(), &Arc::downgrade(session)));
    session.run.agent().edit_stream_options(|options| watch_requests(options, &Arc::downgrade(session)));
}

/// The extensions, if one of them listens to such events.
fn listening<E: Event>(session: &Weak<Inner>) -> Option<Arc<ExtensionRunner>> {
    let runner = session.upgrade()?.extensions.runner();
    runner.listens::<E>().then_some(runner)
}

fn with_extensions(hooks: Hooks, session: &Weak<Inner>) -> Hooks {
    let [context, call, result, message] = [(); 4].map(|()| session.clone());
    hooks
        .with_transform_context(move |messages, cancel| {
            let runner = listening::<ContextEvent>(&context);
            async move { Ok(transform(runner, messages, &cancel).await) }
        })
        .with_before_tool_call(move |before| {
            let runner = listening::<ToolCallEvent>(&call);
            async move { Ok(verdict(runner, before).await) }
        })
        .with_after_tool_call(move |after| {
            let runner = listening::<ToolResultEvent>(&result);
            async move { Ok(patch(runner, after).await) }
        })
        .with_finish_message(move |finished, cancel| {
            let runner = listening::<MessageEndEvent>(&message);
            async move { Ok(finish(runner, finished, &cancel).await) }
        })
}

async fn transform(
    runner: Option<Arc<ExtensionRunner>>,
    messages: Vec<Arc<Message>>,
    cancel: &CancellationToken,
) -> Vec<Arc<Message>> {
    let Some(runner) = runner else { return messages };
    let changed = runner.fold(ContextEvent { messages }, Some(cancel), |event, outcome| {
        if let Some(messages) = outcome.messages {
            event.messages = messages;
        }
        ControlFlow::Continue(())
    });
    changed.await.messages
}

/// A handler that fails blocks the call.
async fn verdict(runner: Option<Arc<ExtensionRunner>>, before: BeforeToolCall) -> ToolCallVerdict {
    let Some(runner) = runner else { return ToolCallVerdict::Allow };
    let input = before.arguments;
    let tool = before.context.tools.get(&before.call.name);
    let event = ToolCallEvent {
        makes_calls: tool.is_some_and(|tool| tool.makes_calls()),
        annotations: tool.map(|tool| tool.annotations()).unwrap_or_default(),
        tool_call_id: before.call.id.clone(),
        tool_name: before.call.name.clone(),
        parent_tool_call_id: before.parent_tool_call_id,
        input: Arc::clone(&input),
    };
    let mut blocked = None;
    let decided = runner.try_fold(event, Some(&before.cancel), |event, outcome| {
        if let Some(input) = outcome.input {
            event.input = Arc::new(input);
        }
        if outcome.block {
            blocked = Some(outcome.reason.filter(|reason| !reason.is_empty()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    match decided.await {
        Err(failed) => ToolCallVerdict::Block(Some(failed.to_string())),
        Ok(event) => match blocked {
            Some(reason) => ToolCallVerdict::Block(reason),
            None if Arc::ptr_eq(&event.input, &input) => ToolCallVerdict::Allow,
            None => ToolCallVerdict::AllowWith((*event.input).clone()),
        },
    }
}

async fn patch(runner: Option<Arc<ExtensionRunner>>, after: AfterToolCall) -> ToolResultPatch {
    let Some(runner) = runner else { return ToolResultPatch::keep() };
    let event = ToolResultEvent {
        tool_call_id: after.call.id.clone(),
        tool_name: after.call.name.clone(),
        parent_tool_call_id: after.parent_tool_call_id,
        input: Arc::new((*after.arguments).clone()),
        output: after.output,
        is_error: after.is_error,
    };
    let mut patch = ToolResultPatch::keep();
    let folded = runner.fold(event, Some(&after.cancel), |event, outcome| {
        let output = Arc::make_mut(&mut event.output);
        if let Some(content) = outcome.content {
            output.content.clone_from(&content);
            patch.content = Some(content);
        }
        if let Some(details) = outcome.details {
            output.details = Some(details.clone());
            patch.details = Some(details);
        }
        if let Some(is_error) = outcome.is_error {
            event.is_error = is_error;
            patch.is_error = Some(is_error);
        }
        ControlFlow::Continue(())
    });
    folded.await;
    patch
}

async fn finish(
    runner: Option<Arc<ExtensionRunner>>,
    message: Arc<Message>,
    cancel: &CancellationToken,
) -> Arc<Message> {
    let Some(runner) = runner else { return message };
    let role = role_of(&message);
    let mut refused = Vec::new();
    let (context, event) = (runner.context(), MessageEndEvent { message });
    let finished = runner.fold_by(event, &context, Some(cancel), |extension, event, outcome| {
        match outcome.message {
            Some(replacement) if role_of(&replacement) == role => event.message = replacement,
            Some(_) => refused.push(extension.name().to_owned()),
            None => {}
        }
        ControlFlow::Continue(())
    });
    let finished = finished.await;
    for extension in refused {
        let error = ExtensionError::new(extension, MessageEndEvent::NAME, &HandlerError::new(OTHER_ROLE));
        runner.runtime().report(error).await;
    }
    finished.message
}

fn role_of(message: &Message) -> String {
    message.role().to_owned()
}

fn watch_requests(options: &mut StreamOptions, session: &Weak<Inner>) {
    let (listener, request, response) = (session.clone(), session.clone(), session.clone());
    let hook = PayloadHook::new(move |payload, _model| {
        let runner = listening::<BeforeProviderRequestEvent>(&request);
        async move {
            let Some(runner) = runner else { return Ok(None) };
            let payload = Arc::new(payload);
            let event = BeforeProviderRequestEvent { payload: Arc::clone(&payload) };
            let changed = runner.fold(event, None, |event, outcome| {
                if let Some(payload) = outcome.payload {
                    event.payload = Arc::new(payload);
                }
                ControlFlow::Continue(())
            });
            let changed = changed.await.payload;
            Ok((!Arc::ptr_eq(&changed, &payload)).then(|| (*changed).clone()))
        }
    });
    options.on_payload = Some(hook.only_when(move || listening::<BeforeProviderRequestEvent>(&listener).is_some()));
    let asked = session.clone();
    options.on_headers = Some(HeadersHook::new(move |headers| {
        let runner = listening::<BeforeProviderHeadersEvent>(&asked);
        async move {
            let Some(runner) = runner else { return Ok(headers) };
            let event = BeforeProviderHeadersEvent { headers: Arc::new(headers) };
            let changed = runner.fold(event, None, |event, outcome| {
                if let Some(headers) = outcome.headers {
                    event.headers = Arc::new(headers);
                }
                ControlFlow::Continue(())
            });
            Ok(Arc::unwrap_or_clone(changed.await.headers))
        }
    }));
    options.on_response = Some(ResponseHook(Arc::new(move |info, _model| {
        let runner = listening::<AfterProviderResponseEvent>(&response);
        async move {
            if let Some(runner) = runner {
                let event = AfterProviderResponseEvent { status: info.status, headers: Arc::new(info.headers) };
                runner.notify(event, None).await;
            }
            Ok(())
        }
        .boxed()
    })));
}
