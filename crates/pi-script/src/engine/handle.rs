//! The handle that programs hold.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use pi_guard::Unpoisoned;
use tokio::sync::oneshot::{self, error::TryRecvError};
use tokio_util::sync::CancellationToken;

use super::message::{Message, Reply, Target};
use super::options::EngineOptions;
use super::spin;
use super::thread;
use crate::error::Error;
use crate::op::{Callback, Data};

/// A script engine on a thread of its own. Clones are handles to the same; when the last one goes, the engine stops.
#[derive(Debug, Clone)]
pub struct Engine(Arc<Shared>);

/// A handle that does not keep the engine alive.
#[derive(Debug, Clone)]
pub struct WeakEngine(Weak<Shared>);

#[derive(Debug)]
pub(super) struct Shared {
    sender: Mutex<Sender<Message>>,
    stop: Arc<Stop>,
}

/// How an engine is told to stop while it is busy, and why it did.
#[derive(Debug, Default)]
pub(super) struct Stop {
    pub(super) is_requested: AtomicBool,
    /// Cancelled with the engine: whatever runs for it ends.
    pub(super) token: CancellationToken,
    reason: Mutex<Option<String>>,
}

impl Stop {
    /// Notes that the engine stops; the first reason counts.
    pub(super) fn request(&self, reason: &str) {
        let mut noted = self.reason.lock().unpoisoned();
        noted.get_or_insert_with(|| reason.to_owned());
        self.is_requested.store(true, Ordering::Release);
        self.token.cancel();
    }

    pub(super) fn reason(&self) -> String {
        let noted = self.reason.lock().unpoisoned();
        noted.clone().unwrap_or_else(|| "its thread ended".to_owned())
    }
}

impl Engine {
    /// Starts an engine; whatever it does besides running scripts happens on the tokio runtime of the caller.
    ///
    /// # Errors
    /// [`Error::NoRuntime`], [`Error::Thread`].
    pub fn start(options: EngineOptions) -> Result<Self, Error> {
        let runtime = tokio::runtime::Handle::try_current().map_err(|_| Error::NoRuntime)?;
        let (sender, receiver) = std::sync::mpsc::channel();
        let stop = Arc::new(Stop::default());
        let shared = Arc::new(Shared { sender: Mutex::new(sender), stop: Arc::clone(&stop) });
        let weak = WeakEngine(Arc::downgrade(&shared));
        thread::spawn(options, runtime, receiver, stop, weak)?;
        Ok(Self(shared))
    }

    /// Calls a function of the script, and waits for its promise if it returns one.
    ///
    /// # Errors
    /// [`Error::Script`] for what it throws, [`Error::Stopped`].
    pub async fn invoke(&self, callback: Callback, args: Vec<Data>) -> Result<Data, Error> {
        self.call(Target::Callback(callback), args).await
    }

    /// Calls what a module exports, and waits for its promise if it returns one. The module is loaded if need be.
    ///
    /// # Errors
    /// [`Error::Script`] for what the module or the function throws, [`Error::Stopped`].
    pub async fn call_export(&self, module: &str, name: &str, args: Vec<Data>) -> Result<Data, Error> {
        self.call(Target::Export { module: module.to_owned(), name: name.to_owned() }, args).await
    }

    async fn call(&self, target: Target, args: Vec<Data>) -> Result<Data, Error> {
        let (sender, mut outcome) = oneshot::channel();
        // The receiver may be gone; ignore it.
        let reply = Reply(Box::new(move |outcome| drop(sender.send(outcome))));
        self.send(Message::Call { target, args, reply: Some(reply) })?;
        let soon = spin::for_answer(|| match outcome.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Closed) => Some(Err(self.stopped())),
            Err(TryRecvError::Empty) => None,
        });
        match soon {
            Some(outcome) => outcome,
            None => outcome.await.unwrap_or_else(|_| Err(self.stopped())),
        }
    }

    /// Calls a function of the script and blocks until it is done, for callers that cannot await. The script must not be
    /// waiting for the caller.
    ///
    /// # Errors
    /// [`Error::Script`] for what it throws, [`Error::Overdue`] after `limit`, [`Error::Stopped`].
    pub fn invoke_blocking(&self, callback: Callback, args: Vec<Data>, limit: Duration) -> Result<Data, Error> {
        let (sender, outcome) = std::sync::mpsc::sync_channel(1);
        let reply = Reply(Box::new(move |outcome| drop(sender.send(outcome))));
        self.send(Message::Call { target: Target::Callback(callback), args, reply: Some(reply) })?;
        match outcome.recv_timeout(limit) {
            Ok(outcome) => outcome,
            Err(RecvTimeoutError::Timeout) => Err(Error::Overdue { limit }),
            Err(RecvTimeoutError::Disconnected) => Err(self.stopped()),
        }
    }

    /// Calls a function of the script without waiting. What it throws is reported.
    ///
    /// # Errors
    /// [`Error::Stopped`].
    pub fn emit(&self, callback: Callback, args: Vec<Data>) -> Result<(), Error> {
        self.send(Message::Call { target: Target::Callback(callback), args, reply: None })
    }

    /// Lets the script's function go: it is not called any more.
    pub fn forget(&self, callback: Callback) {
        // An engine that stopped has forgotten everything.
        let _ = self.send(Message::Forget(callback));
    }

    /// Stops the engine, whatever it is doing; calls that wait end with [`Error::Stopped`].
    pub fn stop(&self, reason: &str) {
        self.0.stop.request(reason);
        let _ = self.send(Message::Stop);
    }

    /// Whether it was stopped, or stopped itself.
    pub fn is_stopped(&self) -> bool {
        self.0.stop.is_requested.load(Ordering::Acquire)
    }

    /// Why it was stopped, if it was.
    pub fn stop_reason(&self) -> String {
        self.0.stop.reason()
    }

    /// Cancelled when the engine stops.
    pub fn stop_token(&self) -> CancellationToken {
        self.0.stop.token.clone()
    }

    /// A handle that does not keep it alive.
    pub fn downgrade(&self) -> WeakEngine {
        WeakEngine(Arc::downgrade(&self.0))
    }

    pub(super) fn send(&self, message: Message) -> Result<(), Error> {
        let sender = self.0.sender.lock().unpoisoned();
        sender.send(message).map_err(|_| self.stopped())
    }

    fn stopped(&self) -> Error {
        Error::Stopped { reason: self.0.stop.reason() }
    }
}

impl WeakEngine {
    /// The engine, unless nobody holds it any more.
    pub fn upgrade(&self) -> Option<Engine> {
        self.0.upgrade().map(Engine)
    }

    pub(super) fn send(&self, message: Message) {
        if let Some(engine) = self.upgrade() {
            // What is meant for an engine that stopped has no meaning any more.
            let _ = engine.send(message);
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // The channel closes with this; the thread may be busy, though.
        self.stop.request("nobody uses it any more");
    }
}
