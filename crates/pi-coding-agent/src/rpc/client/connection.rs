//! Sends a command and waits for its response. Nothing here knows what commands mean.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use pi_guard::lock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};

use super::RpcClientError;
use super::shared::Shared;

/// The way to the program and back.
#[derive(Debug)]
pub(super) struct Connection {
    shared: Arc<Shared>,
    /// Where lines go. `None` once the input was ended.
    input: Mutex<Option<mpsc::Sender<Vec<u8>>>>,
    next_id: AtomicU64,
}

impl Connection {
    pub(super) fn new(shared: Arc<Shared>, input: mpsc::Sender<Vec<u8>>) -> Self {
        Self { shared, input: Mutex::new(Some(input)), next_id: AtomicU64::new(1) }
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Ends the program's input.
    pub(super) fn close(&self) {
        lock(&self.input).take();
    }

    /// The error of a command that is not answered.
    pub(super) fn ended(&self, command: &str) -> RpcClientError {
        self.shared.ended(command)
    }

    /// Sends a command with these fields; returns its `data`.
    pub(super) async fn call(&self, command: &str, fields: Map<String, Value>) -> Result<Value, RpcClientError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let mut line = Map::new();
        line.insert("id".to_owned(), id.into());
        line.insert("type".to_owned(), command.into());
        line.extend(fields);
        line.insert("id".to_owned(), id.into());
        let (sender, receiver) = oneshot::channel();
        let ended = || self.ended(command);
        let _waiting = self.shared.expect(id, sender).ok_or_else(ended)?;
        let input = lock(&self.input).clone().ok_or_else(ended)?;
        // When the line cannot be sent any more, the response is given up by whoever saw the end.
        let _ = input.send(line_of(line)).await;
        drop(input);
        receiver.await.map_err(|_| ended())?.into_data(command)
    }

    /// A command without data.
    pub(super) async fn send(&self, command: &str, fields: &impl Serialize) -> Result<(), RpcClientError> {
        self.read::<Value>(command, fields, None).await.map(drop)
    }

    /// A command, and its data or one field of it.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        command: &str,
        fields: &impl Serialize,
        field: Option<&str>,
    ) -> Result<T, RpcClientError> {
        let unreadable = |source| RpcClientError::Response { command: command.to_owned(), source };
        let fields = match serde_json::to_value(fields).map_err(unreadable)? {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        let mut data = self.call(command, fields).await?;
        if let Some(field) = field {
            data = data.get_mut(field).map(Value::take).unwrap_or_default();
        }
        serde_json::from_value(data).map_err(unreadable)
    }
}

/// A command as it is written.
pub(super) fn line_of(command: Map<String, Value>) -> Vec<u8> {
    let mut line = Value::Object(command).to_string().into_bytes();
    line.push(b'\n');
    line
}
