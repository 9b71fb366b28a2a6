//! A scripted model, small tools, and the short notation for events.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use futures::{FutureExt, Stream, StreamExt, stream};
use pi_agent_core::{
    Agent, AgentEvent, AgentOptions, AgentState, Hooks, RunFailure, StreamFn, Tool, ToolError, ToolExecutionMode,
    ToolInvocation, ToolOutput, ToolSet,
};
use pi_ai::{
    AssistantMessageEvent, AssistantMessageStream, ContentBlock, Context, Error, FixedClock, Message, MessageBuilder,
    Model, StopReason, StreamOptions, ToolDefinition,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// One scripted answer.
pub(crate) enum Reply {
    Text(&'static str),
    Calls(Vec<(&'static str, &'static str, Value)>),
    /// Tool calls in a message that failed or was cut.
    Ended(StopReason, Vec<(&'static str, &'static str, Value)>),
    /// The final message alone, without a start.
    Bare(&'static str),
    /// Streams a word, then waits for the abort.
    Hang,
    /// Streams a word, then waits for ever, whatever happens.
    Deaf,
    /// Streams without end, whatever happens.
    Endless,
    /// Streams a word, then ends without a final message.
    Torn,
    /// Streams a word, then panics.
    PanicLater,
    /// The stream function itself fails.
    Reject(&'static str),
    /// The stream function itself panics.
    PanicNow,
    /// The stream function never comes back.
    NeverStarts,
}

/// The model: answers in order, remembers what it was asked.
#[derive(Clone, Default)]
pub(crate) struct Script {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    pub(crate) requests: Arc<Mutex<Vec<Context>>>,
    pub(crate) options: Arc<Mutex<Vec<StreamOptions>>>,
    pub(crate) models: Arc<Mutex<Vec<String>>>,
}

impl Script {
    pub(crate) fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let script = Self::default();
        script.replies.lock().unwrap().extend(replies);
        script
    }

    /// The transcript of each request, as roles.
    pub(crate) fn roles(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests.iter().map(|context| roles(&context.messages)).collect()
    }

    pub(crate) fn stream_fn(&self) -> Arc<StreamFn> {
        let script = self.clone();
        Arc::new(move |model, context, options| {
            script.requests.lock().unwrap().push(context);
            let reply = script.replies.lock().unwrap().pop_front().expect("the script is over");
            script.options.lock().unwrap().push(options.clone());
            script.models.lock().unwrap().push(model.id.clone());
            match reply {
                Reply::PanicNow => panic!("on purpose"),
                Reply::NeverStarts => futures::future::pending().boxed(),
                reply => async move { answer(&model, reply, options.cancel) }.boxed(),
            }
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
                let error = pi_ai::AnswerError::Provider { message: "overloaded".to_owned() }.into();
                return Ok(finished(builder, |builder| builder.fail(error)));
            }
            builder.edit(|message| message.stop_reason = reason);
        }
        Reply::Bare(text) => {
            builder = MessageBuilder::new(model, 0);
            builder.edit(|message| message.content.push(ContentBlock::text(text)));
        }
        Reply::Reject(text) => return Err(RunFailure::new(text)),
        Reply::Hang => {
            let end = async move {
                cancel.cancelled().await;
                Error::Aborted
            };
            return Ok(open_ended(builder, |builder| stream::once(end.map(|error| builder.fail(error)))));
        }
        Reply::Deaf => return Ok(open_ended(builder, |_| stream::pending())),
        Reply::Torn => return Ok(open_ended(builder, |_| stream::empty())),
        Reply::PanicLater => return Ok(open_ended(builder, |_| stream::poll_fn(|_| panic!("on purpose")))),
        Reply::Endless => {
            return Ok(open_ended(builder, |mut builder| {
                let index = builder.start_text();
                stream::repeat_with(move || {
                    builder.text_delta(index, "on and ");
                    builder.next_event().unwrap()
                })
                .then(|event| async move {
                    tokio::task::yield_now().await;
                    event
                })
            }));
        }
        Reply::PanicNow | Reply::NeverStarts => unreachable!("taken care of by the caller"),
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
    end: impl FnOnce(MessageBuilder) -> AssistantMessageEvent,
) -> AssistantMessageStream {
    let mut events: Vec<_> = std::iter::from_fn(|| builder.next_event()).collect();
    events.push(end(builder));
    AssistantMessageStream::new(stream::iter(events))
}

/// Streams a word, then whatever `rest` makes of the builder.
fn open_ended<S>(mut builder: MessageBuilder, rest: impl FnOnce(MessageBuilder) -> S) -> AssistantMessageStream
where
    S: Stream<Item = AssistantMessageEvent> + Send + 'static,
{
    let index = builder.start_text();
    builder.text_delta(index, "wait");
    let events: Vec<_> = std::iter::from_fn(|| builder.next_event()).collect();
    AssistantMessageStream::new(stream::iter(events).chain(rest(builder)))
}

/// The roles of messages, one letter each: user, assistant, result, other.
pub(crate) fn roles(messages: &[Arc<Message>]) -> String {
    let letter = |message: &Arc<Message>| match **message {
        Message::User(_) => 'u',
        Message::Assistant(_) => 'a',
        Message::ToolResult(_) => 'r',
        Message::Other(_) => 'o',
    };
    messages.iter().map(letter).collect()
}

/// What a test tool does.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Echo,
    Fail(&'static str),
    Panic,
    /// Panics before there is a future.
    PanicNow,
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
    /// Waits for ever, whatever happens.
    Deaf,
    /// Reports progress as the last thing it does, and leaves a task behind that goes on with it.
    Chatty,
    /// Leaves a task behind that ends when the call is cancelled, and waits for ever.
    Spawning,
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
        if matches!(self.act, Act::PanicNow) {
            panic!("on purpose");
        }
        async move {
            match &self.act {
                Act::Echo | Act::PanicNow => {}
                Act::Deaf => futures::future::pending().await,
                Act::Chatty => {
                    let updates = call.updates.clone();
                    tokio::spawn(async move {
                        for _ in 0..10 {
                            tokio::task::yield_now().await;
                            updates.send(ToolOutput::text("too late"));
                        }
                    });
                    call.updates.send(ToolOutput::text("in time"));
                }
                Act::Spawning => {
                    tokio::spawn(call.cancel.clone().cancelled_owned());
                    futures::future::pending::<()>().await;
                }
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

    /// The same with hooks.
    pub(crate) fn hooked(self, hooks: Hooks) -> Self {
        self.agent.set_hooks(hooks);
        self
    }

    /// Runs a prompt, which must end by itself, and returns the trace.
    pub(crate) async fn run(&self, prompt: &str) -> String {
        let run = tokio::time::timeout(std::time::Duration::from_secs(60), self.agent.prompt(prompt));
        run.await.expect("the run hangs").unwrap();
        self.trace()
    }

    /// Runs a prompt and aborts as soon as the trace contains `mark`; returns the trace.
    pub(crate) async fn abort_at(&self, mark: &str) -> String {
        let agent = self.agent.clone();
        let run = tokio::spawn(async move { agent.prompt("go").await });
        self.until(|| self.trace().contains(mark)).await;
        self.agent.abort();
        let end = tokio::time::timeout(std::time::Duration::from_secs(60), self.agent.wait_for_idle());
        end.await.expect("the abort hangs");
        run.await.unwrap().unwrap();
        self.trace()
    }

    /// Waits until something is so.
    pub(crate) async fn until(&self, condition: impl Fn() -> bool) {
        let wait = async {
            while !condition() {
                tokio::task::yield_now().await;
            }
        };
        let end = tokio::time::timeout(std::time::Duration::from_secs(60), wait);
        end.await.unwrap_or_else(|_| panic!("it never happens: {}", self.trace()));
    }

    /// Adds a listener.
    pub(crate) fn on(&self, listener: impl Fn(&AgentEvent) + Send + Sync + 'static) {
        self.agent.on_event(listener);
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

pub(crate) fn short(event: &AgentEvent) -> String {
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
