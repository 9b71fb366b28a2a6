//! What scripts ask of the program. Each file has the operations of one object in `js/bridge/`; the first argument is
//! the number of the context that the object belongs to.

mod actions;
mod ai;
mod bus;
mod commands;
mod context;
mod models;
mod providers;
mod register;
mod replace;
mod session_manager;
mod sessions;
mod state;
mod summaries;
mod texts;
mod tools;
mod ui;

use std::sync::{Arc, Weak};

use pi_script::{Args, Data, OpContext, OpError, OpResult, OpTable};
use serde::Serialize;

pub(super) use state::{Numbered, Outputs, State, Updates};

use super::host::{ScriptHost, note_script_thread};

/// Adds them all.
pub(super) fn add(table: &mut OpTable, host: &Weak<ScriptHost>) {
    let mut ops = Ops { table, host };
    state::add(&mut ops);
    register::add(&mut ops);
    actions::add(&mut ops);
    bus::add(&mut ops);
    commands::add(&mut ops);
    context::add(&mut ops);
    models::add(&mut ops);
    providers::add(&mut ops);
    ai::add(&mut ops);
    replace::add(&mut ops);
    session_manager::add(&mut ops);
    sessions::add(&mut ops);
    summaries::add(&mut ops);
    texts::add(&mut ops);
    tools::add(&mut ops);
    ui::add(&mut ops);
}

/// The table under construction.
pub(super) struct Ops<'a> {
    table: &'a mut OpTable,
    host: &'a Weak<ScriptHost>,
}

impl Ops<'_> {
    /// An operation that is done at once.
    pub(super) fn sync(
        &mut self,
        name: &str,
        op: impl Fn(&Arc<ScriptHost>, &OpContext, Args) -> OpResult + Send + Sync + 'static,
    ) {
        let host = self.host.clone();
        self.table.add_sync(name, move |context, args| {
            note_script_thread();
            op(&held(&host)?, context, args)
        });
    }

    /// An operation that takes its time.
    pub(super) fn spawned<F>(
        &mut self,
        name: &str,
        op: impl Fn(Arc<ScriptHost>, OpContext, Args) -> F + Send + Sync + 'static,
    ) where
        F: Future<Output = OpResult> + Send + 'static,
    {
        let host = self.host.clone();
        let op = Arc::new(op);
        self.table.add_async(name, move |context, args| {
            let (host, op) = (held(&host), Arc::clone(&op));
            async move { op(host?, context, args).await }
        });
    }
}

fn held(host: &Weak<ScriptHost>) -> Result<Arc<ScriptHost>, OpError> {
    host.upgrade().ok_or_else(|| OpError::new("The extension is not used any more"))
}

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> OpResult {
    Ok(Data::json(value))
}

/// The number of the context: the first argument.
pub(super) fn context_number(args: &mut Args) -> Result<u32, OpError> {
    args.parse(0)
}
