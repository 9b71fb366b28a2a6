//! A scripted model, small tools, and the short notation for events.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::{
    Agent, AgentEvent, AgentOptions, AgentState, RunFailure, StreamFn, Tool, ToolError, ToolExecutionMode,
    ToolInvocation, ToolOutput, ToolSet,
};
use pi_ai::{
    AssistantMessageStream, ContentBlock, Context, Error, FixedClock, Message, MessageBuilder, Model, StopReason,
    ToolDefinition,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// One scripted answer.
pub(crate) enum Reply {
    Text(&'static str),
    Calls(Vec<(&'static str, &'static str, Value)>),
    /// Tool calls in a message that failed or was cut.
    Ended(StopReason, Vec<(&'static str, &'static str, Value)>),
    /// Streams a word, then waits for the abort.
    Hang,
    /// The stream function itself fails.
    Reject(&'static str),
}

/// The model: answers in order, remembers what it was asked.
#[derive(Clone, Default)]
pub(crate) struct Script {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    pub(crate) requests: Arc<Mutex<Vec<Context>>>,
}

impl Script {
    pub(crate) fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let script = Self::default();
        script.replies.lock().unwrap().extend(replies);
        script
    }

    pub(crate) fn stream_fn(&self) -> Arc<StreamFn> {
        let script = self.clone();
        Arc::new(move |model, context, options| {
            script.requests.lock().unwrap().push(context);
            let reply = script.replies.lock().unwrap().pop_front().expect("the script is over");
            async move { answer(&model, reply, options.cancel) }.boxed()
        })
    }
}

fn answer(
    model: &Model,
    reply: Reply,
    cancel: tokio_util::sync::CancellationToken,
) -> Result<AssistantMessageStream, RunFailure> {
    let mut builder = MessageBuilder::new(model, 0);
    builder.start();
    match reply {
        Reply::Text(text) => write(&mut builder, text),
        Reply::Calls(calls) => {
            call(&mut builder, &calls);
            builder.edit(|message| message.stop_reason = StopReason::ToolUse);
        }
        Reply::Ended(reason, calls) => {
            call(&mut builder, &calls);
            if reason == StopReason::Error {
                let error = Error::Provider { message: "overloaded".to_owned() };
                return Ok(finished(builder, |builder| builder.fail(error)));
            }
            builder.edit(|message| message.stop_reason = reason);
        }
        Reply::Reject(text) => return Err(RunFailure::new(text)),
        Reply::Hang => return Ok(hanging(builder, cancel)),
    }
    Ok(finished(builder, MessageBuilder::done))
}

fn write(builder: &mut MessageBuilder, text: &str) {
    let index = builder.start_text();
    builder.text_delta(index, text);
    builder.end_text(index);
}

fn call(builder: &mut MessageBuilder, calls: &[(&str, &str, Value)]) {
    for (id, name, arguments) in calls {
        let index = builder.start_tool_call(*id, *name);
        builder.tool_call_delta(index, &arguments.to_string());
        builder.end_tool_call(index);
    }
}

fn finished(
    mut builder: MessageBuilder,
    end: impl FnOnce(MessageBuilder) -> pi_ai::AssistantMessageEvent,
) -> AssistantMessageStream {
    let mut events: Vec<_> = std::iter::from_fn(|| builder.next_event()).collect();
    events.push(end(builder));
    AssistantMessageStream::new(futures::stream::iter(events))
}

fn hanging(mut builder: MessageBuilder, cancel: tokio_util::sync::CancellationToken) -> AssistantMessageStream {
    let index = builder.start_text();
    builder.text_delta(index, "wait");
    let events: Vec<_> = std::iter::from_fn(|| builder.next_event()).collect();
    let end = async move {
        cancel.cancelled().await;
        builder.fail(Error::Aborted)
    };
    use futures::StreamExt;
    AssistantMessageStream::new(futures::stream::iter(events).chain(end.into_stream()))
}

/// What a test tool does.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Echo,
    Fail(&'static str),
    Panic,
    /// Reports progress twice, then answers.
    Progress,
    /// Answers and asks the loop to stop.
    Terminate,
    /// Waits until somebody else lets it go on.
    Wait(Arc<Notify>),
    /// Lets the waiting one go on.
    Wake(Arc<Notify>),
    /// Waits for the abort.
    UntilAborted,
}

#[derive(Debug)]
pub(crate) struct TestTool {
    definition: Arc<ToolDefinition>,
    act: Act,
    mode: Option<ToolExecutionMode>,
}

pub(crate) fn tool(name: &str, act: Act) -> Arc<dyn Tool> {
    Arc::new(TestTool { definition: definition(name), act, mode: None })
}

pub(crate) fn sequential_tool(name: &str, act: Act) -> Arc<dyn Tool> {
    Arc::new(TestTool { definition: definition(name), act, mode: Some(ToolExecutionMode::Sequential) })
}

fn definition(name: &str) -> Arc<ToolDefinition> {
    let parameters = json!({"type": "object", "properties": {"n": {"type": "number"}}});
    Arc::new(ToolDefinition { name: name.to_owned(), description: String::new(), parameters })
}

impl Tool for TestTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn execution_mode(&self) -> Option<ToolExecutionMode> {
        self.mode
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        async move {
            match &self.act {
                Act::Echo => {}
                Act::Fail(text) => return Err(ToolError::new(*text)),
                Act::Panic => panic!("on purpose"),
                Act::Progress => {
                    call.updates.send(ToolOutput::text("1"));
                    tokio::task::yield_now().await;
                    call.updates.send(ToolOutput::text("2"));
                }
                Act::Terminate => return Ok(ToolOutput { terminate: true, ..ToolOutput::text("over") }),
                Act::Wait(notify) => notify.notified().await,
                Act::Wake(notify) => notify.notify_one(),
                Act::UntilAborted => {
                    call.cancel.cancelled().await;
                    return Err(ToolError::aborted());
                }
            }
            Ok(ToolOutput::text(call.arguments.to_string()))
        }
        .boxed()
    }
}

/// An agent with a script and tools, and the trace of what it did.
pub(crate) struct Bench {
    pub(crate) agent: Agent,
    pub(crate) script: Script,
    trace: Arc<Mutex<Vec<String>>>,
}

impl Bench {
    pub(crate) fn new(
        replies: impl IntoIterator<Item = Reply>,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
    ) -> Self {
        Self::with_mode(replies, tools, ToolExecutionMode::Parallel)
    }

    pub(crate) fn with_mode(
        replies: impl IntoIterator<Item = Reply>,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
        mode: ToolExecutionMode,
    ) -> Self {
        let script = Script::new(replies);
        let initial_state = AgentState { tools: ToolSet::new(tools), ..AgentState::default() };
        let options = AgentOptions::builder()
            .stream(script.stream_fn())
            .initial_state(initial_state)
            .tool_execution(mode)
            .clock(Arc::new(FixedClock(7)))
            .build();
        let bench = Self { agent: Agent::new(options), script, trace: Arc::default() };
        let trace = Arc::clone(&bench.trace);
        bench.on(move |event| trace.lock().unwrap().push(short(event)));
        bench
    }

    /// Adds a listener.
    pub(crate) fn on(&self, listener: impl Fn(&AgentEvent) + Send + Sync + 'static) {
        self.agent.subscribe(Arc::new(move |event, _| {
            listener(&event);
            futures::future::ready(Ok(())).boxed()
        }));
    }

    /// The trace so far; repeated updates are written once.
    pub(crate) fn trace(&self) -> String {
        let mut words = self.trace.lock().unwrap().clone();
        words.dedup_by(|a, b| a == "U" && b == "U");
        words.join(" ")
    }

    /// The transcript, one line per message.
    pub(crate) fn transcript(&self) -> String {
        self.agent.with_state(|state| state.messages.iter().map(|m| line(m)).collect::<Vec<_>>().join("\n"))
    }
}

fn short(event: &AgentEvent) -> String {
    match event {
        AgentEvent::AgentStart => "agent_start".to_owned(),
        AgentEvent::AgentEnd { messages } => format!("agent_end({})", messages.len()),
        AgentEvent::TurnStart => "turn_start".to_owned(),
        AgentEvent::TurnEnd { tool_results, .. } => format!("turn_end({})", tool_results.len()),
        // How an answer ends is not known at its start; the script has it ready, so it is left out.
        AgentEvent::MessageStart { message } if message.as_assistant().is_some() => "S(asst)".to_owned(),
        AgentEvent::MessageStart { message } => format!("S({})", name(message)),
        AgentEvent::MessageUpdate { .. } => "U".to_owned(),
        AgentEvent::MessageEnd { message } => format!("E({})", name(message)),
        AgentEvent::ToolExecutionStart { tool_call_id, .. } => format!("xs({tool_call_id})"),
        AgentEvent::ToolExecutionUpdate { tool_call_id, .. } => format!("xu({tool_call_id})"),
        AgentEvent::ToolExecutionEnd { tool_call_id, is_error, .. } => {
            format!("xe({tool_call_id}{})", if *is_error { "!" } else { "" })
        }
    }
}

fn name(message: &Message) -> String {
    match message {
        Message::User(user) => user.content.to_text(),
        Message::Assistant(assistant) => match &assistant.stop_reason {
            StopReason::Stop => "asst".to_owned(),
            reason => format!("asst {}", reason.as_str()),
        },
        Message::ToolResult(result) => result.tool_call_id.clone(),
        Message::Other(other) => other.role().to_owned(),
    }
}

fn line(message: &Message) -> String {
    let text = |content: &[ContentBlock]| content.iter().filter_map(ContentBlock::as_text).collect::<String>();
    match message {
        Message::User(user) => format!("user: {}", user.content.to_text()),
        Message::Assistant(m) => {
            let error = m.error_message.as_ref().map(|error| format!(" ({error})")).unwrap_or_default();
            let calls: String = m.tool_calls().map(|call| format!(" [{}]", call.id)).collect();
            format!("assistant {}: {}{calls}{error}", m.stop_reason.as_str(), text(&m.content))
        }
        Message::ToolResult(m) => {
            format!("result {}{}: {}", m.tool_call_id, if m.is_error { "!" } else { "" }, text(&m.content))
        }
        Message::Other(other) => other.role().to_owned(),
    }
}
