//! The loop without an agent: one run, started from a context, as a stream of events or into a sink.
//!
//! What a run does is in `run/`; who keeps a transcript between runs is `Agent`.

mod sink;
mod stream;

use std::sync::Arc;

use pi_ai::Message;

use crate::context::AgentContext;
use crate::error::{Error, RunFailure};
use crate::event::AgentEvent;
use crate::loop_config::AgentLoopConfig;
use crate::prompt::Prompt;
use crate::run::{Run, RunStart};
use sink::SinkFn;

pub use stream::AgentEventStream;

/// Runs a prompt on a context, as a stream of events.
///
/// The run goes on when the next event is asked for, and needs no task. [`AgentEventStream::result`] gives the prompt
/// and all that the run added: what has to be appended to the transcript. A run never fails: what goes wrong becomes an
/// assistant message with an error.
///
/// ```
/// # use std::sync::Arc;
/// # use futures::StreamExt;
/// use pi_agent_core::{AgentContext, AgentEvent, AgentLoopConfig, agent_loop, api_stream_fn};
/// use pi_ai::{ApiRegistry, scripted};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let provider = scripted::ScriptedProvider::playing([scripted::message([scripted::text("Hello!")])]);
/// let apis = ApiRegistry::empty();
/// apis.register(Arc::new(provider.clone()));
/// let config =
///     AgentLoopConfig::builder().model(provider.model()).stream(api_stream_fn(Arc::new(apis))).build();
///
/// let mut events = agent_loop("Hi", AgentContext::default(), config);
/// while let Some(event) = events.next().await {
///     if let AgentEvent::MessageEnd { message } = event {
///         println!("{} is complete", message.role());
///     }
/// }
/// assert_eq!(events.result().await.len(), 2);
/// # }
/// ```
pub fn agent_loop(prompts: impl Into<Prompt>, context: AgentContext, config: AgentLoopConfig) -> AgentEventStream {
    let start = RunStart { prompts: prompts.into().into_messages(config.clock.now_ms()), origin: None };
    AgentEventStream::start(start, context, config)
}

/// Runs on from a context as it is, as a stream of events. The result is only what the run added.
///
/// # Errors
/// When the context is empty, or ends in an assistant message, to which there is nothing to answer.
pub fn agent_loop_continue(context: AgentContext, config: AgentLoopConfig) -> Result<AgentEventStream, Error> {
    check(&context)?;
    Ok(AgentEventStream::start(RunStart { prompts: Vec::new(), origin: None }, context, config))
}

/// Like [`agent_loop`], with every event handed to `sink`, for which the run waits. An `Err` of it breaks the run off.
pub async fn run_agent_loop<F>(
    prompts: impl Into<Prompt>,
    context: AgentContext,
    config: AgentLoopConfig,
    sink: impl Fn(AgentEvent) -> F + Send + Sync,
) -> Vec<Arc<Message>>
where
    F: Future<Output = Result<(), RunFailure>> + Send + 'static,
{
    let start = RunStart { prompts: prompts.into().into_messages(config.clock.now_ms()), origin: None };
    Run::new(config, context, &SinkFn(sink)).run(start).await
}

/// Like [`agent_loop_continue`], with every event handed to `sink`, for which the run waits. An `Err` of it breaks the
/// run off.
///
/// # Errors
/// As [`agent_loop_continue`], before anything happens.
pub async fn run_agent_loop_continue<F>(
    context: AgentContext,
    config: AgentLoopConfig,
    sink: impl Fn(AgentEvent) -> F + Send + Sync,
) -> Result<Vec<Arc<Message>>, Error>
where
    F: Future<Output = Result<(), RunFailure>> + Send + 'static,
{
    check(&context)?;
    Ok(Run::new(config, context, &SinkFn(sink)).run(RunStart { prompts: Vec::new(), origin: None }).await)
}

/// Whether there is something to answer. A message of an unknown role may be: hooks decide what the model sees of it.
fn check(context: &AgentContext) -> Result<(), Error> {
    match context.messages.last() {
        None => Err(Error::EmptyContext),
        Some(last) if last.as_assistant().is_some() => Err(Error::CannotContinueFrom { role: last.role().to_owned() }),
        Some(_) => Ok(()),
    }
}
