//! What scripts ask of the program. Each file has the operations of one object in `js/bridge/`; the first argument is
//! the number of the context that the object belongs to.

mod actions;
mod agents;
mod ai;
mod auth;
mod bus;
mod cli;
mod commands;
mod context;
mod images;
mod models;
mod providers;
mod register;
mod registries;
mod replace;
mod resources;
mod screen;
mod session_manager;
mod sessions;
mod settings;
mod setup;
mod summaries;
#[cfg(test)]
mod tests;
mod texts;
mod tokens;
mod tools;
mod trust;
mod ui;

use std::sync::{Arc, Mutex, Weak};

use pi_guard::lock;
use pi_script::{Args, Data, OpContext, OpError, OpResult, OpTable};
use serde::Serialize;

use super::errors::failed;
use super::host::{ScriptHost, note_script_thread};
use super::text;
use pi_coding_agent::agent_session::Error;
use pi_coding_agent::extension::{ExtensionError, HandlerError};

/// All operations of an extension.
pub(super) fn table(host: &Weak<ScriptHost>) -> OpTable {
    let mut table = OpTable::default();
    add(&mut table, host);
    text::add(&mut table);
    table
}

fn add(table: &mut OpTable, host: &Weak<ScriptHost>) {
    let mut ops = Ops { table, host };
    tokens::add(&mut ops);
    register::add(&mut ops);
    actions::add(&mut ops);
    agents::add(&mut ops);
    bus::add(&mut ops);
    commands::add(&mut ops);
    context::add(&mut ops);
    models::add(&mut ops);
    providers::add(&mut ops);
    ai::add(&mut ops);
    replace::add(&mut ops);
    resources::add(&mut ops);
    session_manager::add(&mut ops);
    setup::add(&mut ops);
    sessions::add(&mut ops);
    settings::add(&mut ops);
    auth::add(&mut ops);
    registries::add(&mut ops);
    summaries::add(&mut ops);
    texts::add(&mut ops);
    tools::add(&mut ops);
    images::add(&mut ops);
    trust::add(&mut ops);
    cli::add(&mut ops);
    screen::add(&mut ops);
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

/// Who is named where something fails that nobody waits for.
const RUNTIME: &str = "<runtime>";

impl Ops<'_> {
    /// An operation whose end the script does not wait for: see [`Outbox`](crate::outbox::Outbox). A failure is
    /// thrown if it comes at once, else reported as `event`.
    pub(super) fn notify<F>(
        &mut self,
        name: &str,
        event: &'static str,
        op: impl Fn(&Arc<ScriptHost>, Args) -> Result<F, OpError> + Send + Sync + 'static,
    ) where
        F: Future<Output = Result<(), Error>> + Send + 'static,
    {
        self.sync(name, move |host, _, args| {
            let (work, owner, thrown) = (op(host, args)?, Arc::downgrade(host), Arc::new(Mutex::new(None)));
            let late = Arc::downgrade(&thrown);
            host.begin(Box::pin(async move {
                let Err(error) = work.await else { return };
                match (late.upgrade(), owner.upgrade()) {
                    (Some(thrown), _) => *lock(&thrown) = Some(failed(error)),
                    (None, Some(host)) => {
                        host.report(ExtensionError::new(RUNTIME, event, &HandlerError::from(error))).await;
                    }
                    (None, None) => {}
                }
            }))?;
            let thrown = lock(&thrown).take();
            thrown.map_or(Ok(Data::Undefined), Err)
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
