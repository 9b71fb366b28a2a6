//! Operations by name.

use std::collections::HashMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::handle::WeakEngine;
use crate::op::{Args, OpResult, Permission};

/// What an operation knows of its call.
#[derive(Debug, Clone)]
pub struct OpContext {
    /// The engine of the script, to call its functions.
    pub engine: WeakEngine,
    /// Cancelled when the script gives the call up, and when the engine stops.
    pub cancel: CancellationToken,
}

type SyncFn = dyn Fn(&OpContext, Args) -> OpResult + Send + Sync;
type AsyncFn = dyn Fn(OpContext, Args) -> BoxFuture<'static, OpResult> + Send + Sync;

/// An operation.
#[derive(Clone)]
pub enum Op {
    /// Runs on the thread of the script, which waits for it. It must never wait for the script itself.
    Sync(Arc<SyncFn>),
    /// Runs on the program's runtime; the script gets a promise.
    Async(Arc<AsyncFn>),
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sync(_) => "Op::Sync",
            Self::Async(_) => "Op::Async",
        })
    }
}

/// Operations by name.
#[derive(Debug, Clone, Default)]
pub struct OpTable {
    ops: HashMap<String, (Op, Option<Permission>)>,
}

impl OpTable {
    /// Adds an operation for which the script waits.
    pub fn add_sync(&mut self, name: &str, op: impl Fn(&OpContext, Args) -> OpResult + Send + Sync + 'static) {
        self.ops.insert(name.to_owned(), (Op::Sync(Arc::new(op)), None));
    }

    /// Adds an operation whose result comes later.
    pub fn add_async<F>(&mut self, name: &str, op: impl Fn(OpContext, Args) -> F + Send + Sync + 'static)
    where
        F: Future<Output = OpResult> + Send + 'static,
    {
        let op = Arc::new(move |context, args| -> BoxFuture<'static, OpResult> { Box::pin(op(context, args)) });
        self.ops.insert(name.to_owned(), (Op::Async(op), None));
    }

    /// The names of all operations, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.ops.keys().map(String::as_str)
    }

    /// Operations whose names begin with `prefix` need a permission.
    pub(crate) fn require(&mut self, prefix: &str, permission: Permission) {
        for (name, op) in &mut self.ops {
            if name.starts_with(prefix) {
                op.1 = Some(permission);
            }
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&(Op, Option<Permission>)> {
        self.ops.get(name)
    }
}
