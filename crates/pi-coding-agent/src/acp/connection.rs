//! What goes to the client: answers, updates, and our own requests with the way back of their answers.
//!
//! Everything waits for a client that does not read, so that what is left to read is bounded.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use agent_client_protocol_schema::v1::{Error, SessionId, SessionNotification, SessionUpdate};
use futures::FutureExt;
use pi_guard::lock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::rpc::Output;

type Reply = Result<Value, Error>;

/// The way to the client. Clones are the same.
#[derive(Debug, Clone)]
pub(super) struct Connection(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    output: Output,
    /// Our requests that wait for an answer.
    pending: Mutex<HashMap<u64, oneshot::Sender<Reply>>>,
    next: AtomicU64,
    /// Fires when nobody will answer any more.
    closed: CancellationToken,
}

/// A message to the client. Absent parts are left out.
#[derive(Serialize)]
struct Message<'a, T> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Error>,
}

impl<T> Default for Message<'_, T> {
    fn default() -> Self {
        Self { jsonrpc: "2.0", id: None, method: None, params: None, result: None, error: None }
    }
}

impl Connection {
    pub(super) fn new(output: Output) -> Self {
        let (pending, next, closed) = (Mutex::default(), AtomicU64::new(1), CancellationToken::new());
        Self(Arc::new(Inner { output, pending, next, closed }))
    }

    /// Nobody will answer any more: what is asked, and was, has no answer. Nor does anything wait for a reader.
    pub(super) fn close(&self) {
        self.0.output.stop_waiting();
        self.0.closed.cancel();
        lock(&self.0.pending).clear();
    }

    /// Does something that has to wait for updates, without their waiting for the client.
    pub(super) async fn hurried<T>(&self, work: impl Future<Output = T>) -> T {
        self.0.output.hurried(work).await
    }

    /// Tells of a session.
    pub(super) async fn update(&self, session: &SessionId, update: SessionUpdate) {
        let params = SessionNotification::new(session.clone(), update);
        let message = Message { method: Some("session/update"), params: Some(&params), ..Message::default() };
        self.0.output.write_event(self.line(&message)).await;
    }

    /// Answers a request.
    pub(super) async fn respond(&self, id: &Value, reply: &Reply) {
        let message =
            Message { id: Some(id), result: reply.as_ref().ok(), error: reply.as_ref().err(), ..Message::default() };
        self.0.output.write(self.line(&message)).await;
    }

    /// Asks the client. Whoever does not wait any more takes the question back.
    ///
    /// # Errors
    /// What the client says, or that there is no answer, or none of this shape.
    pub(super) async fn ask<R: DeserializeOwned>(&self, method: &str, params: &impl Serialize) -> Result<R, Error> {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        lock(&self.0.pending).insert(number, sender);
        let mut question = Question { connection: self, number, is_open: true };
        let id = Value::from(number);
        let message = Message { id: Some(&id), method: Some(method), params: Some(params), ..Message::default() };
        self.0.output.write(self.line(&message)).await;
        let reply = tokio::select! {
            reply = receiver => reply,
            () = self.0.closed.cancelled() => return Err(gone()),
        };
        question.is_open = false;
        serde_json::from_value(reply.map_err(|_| gone())??).map_err(Error::into_internal_error)
    }

    /// Takes the answer to a question. One that nobody waits for is ignored.
    pub(super) fn take_reply(&self, id: &Value, reply: Reply) {
        let waiting = id.as_u64().and_then(|number| lock(&self.0.pending).remove(&number));
        if let Some(waiting) = waiting {
            // Whoever asked may be leaving in this instant.
            let _ = waiting.send(reply);
        }
    }

    fn line(&self, message: &impl Serialize) -> Vec<u8> {
        let mut line = self.0.output.buffer();
        if serde_json::to_writer(&mut line, message).is_err() {
            // Types of the protocol are always JSON. Half a line would spoil the next one.
            line.clear();
            return line;
        }
        line.push(b'\n');
        line
    }
}

fn gone() -> Error {
    Error::request_cancelled().data(Value::from("the client is gone"))
}

/// A question under way.
struct Question<'a> {
    connection: &'a Connection,
    number: u64,
    is_open: bool,
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        if !self.is_open || lock(&self.connection.0.pending).remove(&self.number).is_none() {
            return;
        }
        let params = json!({ "requestId": self.number });
        let message = Message { method: Some("$/cancel_request"), params: Some(&params), ..Message::default() };
        // Where there is no room, the client closes the question by itself when it has read on.
        let _ = self.connection.0.output.write(self.connection.line(&message)).now_or_never();
    }
}
