//! What the client and its tasks have in common: who waits for which response, who listens, what was said, how it ended.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex};

use pi_guard::lock;
use serde_json::{Map, Value};
use tokio::sync::{oneshot, watch};

use super::error::{RpcClientError, RpcExit};
use super::events::{Listeners, RpcEvent, RpcEvents};

/// So much of standard error is kept, in bytes.
const STDERR: usize = 64 << 10;

/// The state of a client.
#[derive(Debug)]
pub(super) struct Shared {
    program: PathBuf,
    /// `None` once nothing is answered any more.
    pending: Mutex<Option<BTreeMap<u64, oneshot::Sender<Response>>>>,
    listeners: Listeners,
    stderr: Mutex<Vec<u8>>,
    exit: watch::Sender<Option<Option<ExitStatus>>>,
}

/// A response.
#[derive(Debug)]
pub(super) struct Response(Map<String, Value>);

/// A command that waits for its response. Nobody waits any more when it is dropped.
pub(super) struct Waiting<'a>(&'a Shared, u64);

impl Shared {
    pub(super) fn new(program: PathBuf) -> Self {
        Self {
            program,
            pending: Mutex::new(Some(BTreeMap::new())),
            listeners: Listeners::default(),
            stderr: Mutex::default(),
            exit: watch::Sender::new(None),
        }
    }

    pub(super) fn subscribe(&self) -> RpcEvents {
        self.listeners.add()
    }

    /// Registers a command. `None` when nothing is answered any more.
    pub(super) fn expect(&self, id: u64, sender: oneshot::Sender<Response>) -> Option<Waiting<'_>> {
        lock(&self.pending).as_mut()?.insert(id, sender);
        Some(Waiting(self, id))
    }

    /// Hands a line on: to whoever waits for this response, else to the listeners.
    pub(super) async fn deliver(&self, line: Map<String, Value>, size: usize, event: impl FnOnce(Value) -> RpcEvent) {
        let is_response = line.get("type").and_then(Value::as_str) == Some("response");
        let id = line.get("id").and_then(Value::as_u64).filter(|_| is_response);
        let waiting = id.and_then(|id| lock(&self.pending).as_mut()?.remove(&id));
        match waiting {
            // Whoever asked may have given up.
            Some(sender) => drop(sender.send(Response(line))),
            // The response to a command that was given up concerns nobody.
            None if id.is_some() => {}
            None => self.listeners.emit(&event(Value::Object(line)), size).await,
        }
    }

    pub(super) fn add_stderr(&self, bytes: &[u8]) {
        let mut kept = lock(&self.stderr);
        kept.extend_from_slice(bytes);
        let excess = kept.len().saturating_sub(STDERR);
        kept.drain(..excess);
    }

    pub(super) fn stderr(&self) -> String {
        String::from_utf8_lossy(&lock(&self.stderr)).into_owned()
    }

    /// The program is gone, and so is everything that it said: nobody waits any more.
    pub(super) fn close(&self, status: Option<ExitStatus>) {
        self.exit.send_replace(Some(status));
        lock(&self.pending).take();
        self.listeners.close();
    }

    /// Waits for the end.
    pub(super) async fn end(&self) -> RpcExit {
        let mut exit = self.exit.subscribe();
        // The sender lives in `self`.
        let status = exit.wait_for(Option::is_some).await.ok().and_then(|status| *status).flatten();
        RpcExit { status, stderr: self.stderr() }
    }

    /// The error of a command that is not answered.
    pub(super) fn ended(&self, command: &str) -> RpcClientError {
        let exit = RpcExit { status: self.exit.borrow().flatten(), stderr: self.stderr() };
        RpcClientError::Ended { program: self.program.clone(), command: command.to_owned(), exit }
    }
}

impl Response {
    /// The data, or the refusal.
    pub(super) fn into_data(mut self, command: &str) -> Result<Value, RpcClientError> {
        if self.0.get("success").and_then(Value::as_bool) == Some(true) {
            return Ok(self.0.remove("data").unwrap_or_default());
        }
        let error = self.0.get("error").and_then(Value::as_str).unwrap_or("refused without a reason");
        Err(RpcClientError::Refused { command: command.to_owned(), error: error.to_owned() })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(pending) = lock(&self.0.pending).as_mut() {
            pending.remove(&self.1);
        }
    }
}

/// What the tasks hold.
pub(super) type SharedState = Arc<Shared>;
