//! What is sent to an engine's thread.

use crate::error::Error;
use crate::op::{Callback, Data, OpResult};

/// Where the outcome of a call goes.
pub(super) struct Reply(pub(super) Box<dyn FnOnce(Result<Data, Error>) + Send>);

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reply")
    }
}

/// What a call calls.
#[derive(Debug)]
pub(super) enum Target {
    /// A function that the script registered.
    Callback(Callback),
    /// What a module exports under a name.
    Export { module: String, name: String },
}

/// Work for the thread.
#[derive(Debug)]
pub(super) enum Message {
    /// Calls a function; without `reply` nobody waits for it, and its failure is reported.
    Call { target: Target, args: Vec<Data>, reply: Option<Reply> },
    /// An operation is done.
    Settle { op: u32, result: OpResult },
    /// A signal fires.
    Abort { signal: u32 },
    /// A function is not called any more.
    Forget(Callback),
    /// The end.
    Stop,
}
