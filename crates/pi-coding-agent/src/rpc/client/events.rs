//! Events as a client sees them, and those who listen.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use futures::Stream;
use pi_guard::lock;
use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::connection::line_of;

/// Bytes that may wait for a listener before the program is held up.
const MOST_WAITING: usize = 16 << 20;

/// Something that happened in the program. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct RpcEvent {
    value: Arc<Value>,
    input: mpsc::WeakSender<Vec<u8>>,
}

/// The events of a subscription. Ends when the program has ended.
#[derive(Debug)]
pub struct RpcEvents {
    queue: mpsc::UnboundedReceiver<(RpcEvent, OwnedSemaphorePermit)>,
    room: Arc<Semaphore>,
}

/// A question, or a message, of an extension to the user.
#[derive(Debug, Clone)]
pub struct UiRequest {
    event: RpcEvent,
}

/// Who listens.
#[derive(Debug)]
pub(super) struct Listeners(Mutex<Option<Vec<Listener>>>);

#[derive(Debug, Clone)]
struct Listener {
    queue: mpsc::UnboundedSender<(RpcEvent, OwnedSemaphorePermit)>,
    room: Arc<Semaphore>,
}

impl RpcEvent {
    pub(super) fn new(value: Value, input: mpsc::WeakSender<Vec<u8>>) -> Self {
        Self { value: Arc::new(value), input }
    }

    /// Its type, for example `message_update`; empty when it has none.
    pub fn kind(&self) -> &str {
        self.field("type").unwrap_or_default()
    }

    /// The event as it was written.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The piece of text that an answer grew by.
    pub fn text_delta(&self) -> Option<&str> {
        let update = self.value.get("assistantMessageEvent")?;
        (update.get("type")? == "text_delta").then(|| update.get("delta")?.as_str())?
    }

    /// Whether this is the end of a prompt with all the runs that followed from it: nothing follows by itself any more.
    pub fn is_settled(&self) -> bool {
        self.kind() == "agent_settled"
    }

    /// A piece of output of a shell command of the user, which comes with the `id` of its command.
    pub fn bash_delta(&self) -> Option<&str> {
        (self.kind() == "bash_execution_update").then(|| self.field("delta"))?
    }

    /// Whether a run is over and will not be repeated. Messages that still wait make another run.
    pub fn is_last_of_run(&self) -> bool {
        self.kind() == "agent_end" && self.value.get("willRetry") != Some(&Value::Bool(true))
    }

    /// What an extension wants of the user, if it is that.
    pub fn ui_request(&self) -> Option<UiRequest> {
        (self.kind() == "extension_ui_request").then(|| UiRequest { event: self.clone() })
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.value.get(name)?.as_str()
    }
}

impl UiRequest {
    /// The method: `select`, `confirm`, `input` and `editor` want an answer, others do not.
    pub fn method(&self) -> &str {
        self.event.field("method").unwrap_or_default()
    }

    /// The request as it was written.
    pub fn value(&self) -> &Value {
        self.event.value()
    }

    /// Answers with a text: the option that was selected, or what was entered.
    pub async fn answer(&self, text: &str) {
        self.reply("value", text.into()).await;
    }

    /// Answers `confirm`.
    pub async fn confirm(&self, is_confirmed: bool) {
        self.reply("confirmed", is_confirmed.into()).await;
    }

    /// Answers that there is no answer.
    pub async fn cancel(&self) {
        self.reply("cancelled", true.into()).await;
    }

    async fn reply(&self, field: &str, value: Value) {
        let mut line = Map::new();
        line.insert("type".to_owned(), "extension_ui_response".into());
        line.insert("id".to_owned(), self.value().get("id").cloned().unwrap_or_default());
        line.insert(field.to_owned(), value);
        if let Some(input) = self.event.input.upgrade() {
            // A program that has ended asks no more.
            let _ = input.send(line_of(line)).await;
        }
    }
}

impl RpcEvents {
    /// The next event; `None` when the program has ended. Can be given up and called again.
    pub async fn next(&mut self) -> Option<RpcEvent> {
        self.queue.recv().await.map(|(event, _)| event)
    }
}

impl Stream for RpcEvents {
    type Item = RpcEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<RpcEvent>> {
        self.queue.poll_recv(cx).map(|item| item.map(|(event, _)| event))
    }
}

impl Drop for RpcEvents {
    fn drop(&mut self) {
        // Whoever waits for room need not wait any more.
        self.room.close();
    }
}

impl Default for Listeners {
    fn default() -> Self {
        Self(Mutex::new(Some(Vec::new())))
    }
}

impl Listeners {
    pub(super) fn add(&self) -> RpcEvents {
        let (sender, receiver) = mpsc::unbounded_channel();
        let room = Arc::new(Semaphore::new(MOST_WAITING));
        // After the end there is nobody left to say anything.
        if let Some(listeners) = lock(&self.0).as_mut() {
            listeners.push(Listener { queue: sender, room: Arc::clone(&room) });
        }
        RpcEvents { queue: receiver, room }
    }

    /// Tells everybody, waiting for those who are behind.
    pub(super) async fn emit(&self, event: &RpcEvent, size: usize) {
        let listeners = lock(&self.0).clone().unwrap_or_default();
        let size = u32::try_from(size.clamp(1, MOST_WAITING)).unwrap_or(1);
        let mut has_left = false;
        for listener in &listeners {
            let told = match Arc::clone(&listener.room).acquire_many_owned(size).await {
                Ok(place) => listener.queue.send((event.clone(), place)).is_ok(),
                Err(_) => false,
            };
            has_left |= !told;
        }
        if has_left && let Some(listeners) = lock(&self.0).as_mut() {
            listeners.retain(|listener| !listener.queue.is_closed());
        }
    }

    pub(super) fn close(&self) {
        lock(&self.0).take();
    }
}
