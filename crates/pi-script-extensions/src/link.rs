//! The way from the program to the functions of a script.

use std::sync::{Arc, Weak};
use std::time::Duration;

use pi_script::{Callback, Data, Engine, Error};

use super::host::ScriptHost;
use super::state::Outputs;

/// Calls functions of a script, as long as its extension is used. A call that is under way counts as use: a command that
/// reloads extensions, and an answer that is being streamed, come to their end although nobody else holds the extension any
/// more. There is no other way to functions of a script.
#[derive(Clone, Debug)]
pub(super) struct Link(Weak<ScriptHost>);

impl Link {
    pub(super) fn to(host: &Arc<ScriptHost>) -> Self {
        Self(Arc::downgrade(host))
    }

    /// Whether it can still be called.
    pub(super) fn is_open(&self) -> bool {
        self.open().is_ok()
    }

    /// Calls a function and waits for what it returns, and until what it said has been said.
    pub(super) async fn invoke(&self, callback: Callback, args: Vec<Data>) -> Result<Data, Error> {
        let (host, engine) = self.open()?;
        let reply = engine.invoke(callback, args).await;
        host.outbox.emptied().await;
        reply
    }

    /// Calls a function and waits for what it returns, and for nothing else: for parts of work that the script has begun
    /// itself, and that what it says may have to wait for.
    pub(super) async fn ask(&self, callback: Callback, args: Vec<Data>) -> Result<Data, Error> {
        let (_host, engine) = self.open()?;
        engine.invoke(callback, args).await
    }

    /// The same for who cannot await.
    pub(super) fn invoke_blocking(&self, callback: Callback, args: Vec<Data>, limit: Duration) -> Result<Data, Error> {
        self.open()?.1.invoke_blocking(callback, args, limit)
    }

    /// Calls a function that nobody waits for. A script that stopped is not called.
    pub(super) fn emit(&self, callback: Callback, args: Vec<Data>) {
        if let Ok((_, engine)) = self.open() {
            // It may be stopping in this instant.
            let _ = engine.emit(callback, args);
        }
    }

    /// Lets a function go.
    pub(super) fn forget(&self, callback: Callback) {
        if let Ok((_, engine)) = self.open() {
            engine.forget(callback);
        }
    }

    /// Where commands that the script runs send what they print; `None` when it cannot be called any more.
    pub(super) fn outputs(&self) -> Option<Arc<Outputs>> {
        self.open().ok().map(|(host, _)| Arc::clone(&host.state.outputs))
    }

    fn open(&self) -> Result<(Arc<ScriptHost>, Engine), Error> {
        let gone = |reason: &str| Error::Stopped { reason: reason.to_owned() };
        let host = self.0.upgrade().ok_or_else(|| gone("its extension is not used any more"))?;
        let engine = host.started().ok_or_else(|| gone("it was not started"))?;
        if engine.is_stopped() {
            return Err(gone(&engine.stop_reason()));
        }
        Ok((host, engine))
    }
}
