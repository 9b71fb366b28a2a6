//! A wire format that a script implements.

use std::sync::Arc;
use std::time::Duration;

use futures::stream;
use pi_ai::{AnswerError, Api, AssistantMessageEvent, AssistantMessageStream, Context, Error, Model, StreamOptions};
use pi_script::{Callback, Data};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::answer::ProviderAnswer;
use crate::link::Link;
use crate::state::{Answers, Listener, Said};

/// How long a script may take to say that it was aborted.
const ABORT_GRACE: Duration = Duration::from_millis(500);

/// A wire format of a script.
#[derive(Debug)]
pub(super) struct ScriptApi {
    name: String,
    link: Link,
    /// Takes model, context, options, a signal and the number of the answer, and says the events one by one.
    callback: Callback,
    answers: Arc<Answers>,
}

impl ScriptApi {
    pub(super) fn shared(name: String, link: Link, callback: Callback, answers: &Arc<Answers>) -> Arc<dyn Api> {
        Arc::new(Self { name, link, callback, answers: Arc::clone(answers) })
    }
}

impl Api for ScriptApi {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream(&self, model: Arc<Model>, context: Context, options: StreamOptions) -> AssistantMessageStream {
        let (said, events) = mpsc::unbounded_channel();
        let (link, callback, answers) = (self.link.clone(), self.callback, Arc::clone(&self.answers));
        let cancel = options.cancel.clone();
        let signal = cancel.child_token();
        let running = Running {
            answer: ProviderAnswer::new(&model, options.clock.now_ms()),
            events,
            cancel,
            _abort: signal.clone().drop_guard(),
            start: Some(Call { link, callback, answers, model, context, options, signal, said }),
        };
        AssistantMessageStream::new(stream::unfold(running, |mut running| async move {
            let event = running.next().await?;
            Some((event, running))
        }))
    }
}

/// A call that is to be made.
struct Call {
    link: Link,
    callback: Callback,
    answers: Arc<Answers>,
    model: Arc<Model>,
    context: Context,
    options: StreamOptions,
    signal: CancellationToken,
    said: UnboundedSender<Said>,
}

impl Call {
    /// Runs the script's function to its end.
    async fn run(self) {
        let Self { link, callback, answers, model, context, options, signal, said } = self;
        let asked = request_json(&options);
        let args = vec![Data::json(&*model), Data::json(&context), asked.into(), Data::Signal(signal)];
        let listener = Listener { said: said.clone(), model, options };
        let place = answers.open(listener);
        let args = args.into_iter().chain([json!(place.number()).into()]).collect();
        if let Err(error) = link.ask(callback, args).await {
            let _ = said.send(Said::Failed(crate::errors::to_handler(error).to_string()));
        }
    }
}

/// A call and its answer so far.
struct Running {
    start: Option<Call>,
    answer: ProviderAnswer,
    events: UnboundedReceiver<Said>,
    cancel: CancellationToken,
    /// Tells the script when nobody listens any more.
    _abort: DropGuard,
}

impl Running {
    /// The next event; `None` after the last one.
    async fn next(&mut self) -> Option<AssistantMessageEvent> {
        if let Some(call) = self.start.take() {
            tokio::spawn(call.run());
        }
        loop {
            if let Some(event) = self.answer.next_event() {
                return Some(event);
            }
            if self.answer.is_over() {
                return None;
            }
            match self.next_report().await {
                Ok(Some(said)) => self.answer.take(said),
                Ok(None) => self.answer.fail(Error::Answer(AnswerError::Incomplete {
                    message: "The provider's stream ended without a final event".to_owned(),
                })),
                Err(error) => self.answer.fail(error),
            }
        }
    }

    /// What the script says next, for as long as anybody wants to know.
    async fn next_report(&mut self) -> Result<Option<Said>, Error> {
        tokio::select! {
            biased;
            said = self.events.recv() => return Ok(said),
            () = self.cancel.cancelled() => {}
        }
        tokio::time::timeout(ABORT_GRACE, self.events.recv()).await.map_err(|_| Error::Aborted)
    }
}

/// The options of a call, as scripts know them. Functions and the signal are added there.
fn request_json(options: &StreamOptions) -> Value {
    let mut asked = Map::new();
    let mut put = |name: &str, value: Value| {
        if !value.is_null() {
            asked.insert(name.to_owned(), value);
        }
    };
    put("temperature", json!(options.temperature));
    put("maxTokens", json!(options.max_tokens));
    put("apiKey", json!(options.api_key));
    put("cacheRetention", json!(options.cache_retention));
    put("sessionId", json!(options.session_id));
    put("transport", json!(options.transport));
    put("reasoning", json!(options.reasoning.enabled()));
    put("thinkingBudgets", json!(options.thinking_budgets));
    put("toolChoice", json!(options.tool_choice));
    put("timeoutMs", json!(options.timeout.as_millis() as u64));
    put("maxRetries", json!(options.max_retries));
    put("maxRetryDelayMs", json!(options.max_retry_delay.as_millis() as u64));
    if !options.headers.is_empty() {
        put("headers", json!(options.headers));
    }
    if !options.env.is_empty() {
        put("env", json!(options.env));
    }
    if !options.metadata.is_empty() {
        put("metadata", json!(options.metadata));
    }
    Value::Object(asked)
}
