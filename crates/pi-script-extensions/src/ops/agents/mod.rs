//! Sessions that scripts run beside the one that they serve: `js/pi-coding-agent/agent_session.js`.
//!
//! `create` makes one, `queries` answers questions about it, `actions` lets it do something, `events` tells the script what
//! it does. Here is how long it lives: as long as the script holds on to it, and not longer than the session that the
//! extension serves. What a session does goes on outside of the script's calls, so that it can be ended without them.

mod actions;
mod create;
mod events;
mod queries;

use std::sync::Arc;
use std::time::Duration;

use pi_script::{Args, Data, OpError, OpResult};

use super::{Ops, lock};
use crate::errors::failed;
use crate::host::ScriptHost;
use crate::state::Beside;
use pi_coding_agent::extension::ExtensionApi;
use pi_coding_agent::extension::events::SessionShutdownEvent;

pub(super) use queries::scoped_models;

/// How long the session that the extension serves waits for those beside it when it ends.
const END_LIMIT: Duration = Duration::from_secs(5);

/// Ends the sessions of this activation when its own session ends or is left.
fn watch(host: &Arc<ScriptHost>, owner: u32, api: &ExtensionApi) {
    if !lock(&host.state.agents.watched).insert(owner) {
        return;
    }
    let host = Arc::downgrade(host);
    api.on(move |_: SessionShutdownEvent, _| {
        let host = host.clone();
        async move {
            let Some(host) = host.upgrade() else { return Ok(()) };
            let ended = host.state.agents.take(|of| of == owner);
            lock(&host.state.agents.watched).remove(&owner);
            drop(host);
            end(ended).await;
            Ok(())
        }
    });
}

/// Ends them all. A tool that does not heed the abort is left behind.
async fn end(ended: Vec<Arc<Beside>>) {
    ended.iter().for_each(|beside| beside.session.request_abort());
    let all = ended.iter().map(|beside| beside.session.dispose());
    // Who does not end in time goes on ending.
    let _ = tokio::time::timeout(END_LIMIT, futures::future::join_all(all)).await;
}

pub(super) fn add(ops: &mut Ops<'_>) {
    create::add(ops);
    queries::add(ops);
    actions::add(ops);
    events::add(ops);
    ops.sync("agents.dispose", |host, _, mut args| {
        let Some(beside) = host.state.agents.get(args.parse(0)?) else { return Ok(Data::Undefined) };
        if let Some(listening) = lock(&beside.listening).take() {
            listening.unsubscribe();
        }
        beside.session.request_abort();
        host.runtime()?.spawn(async move { beside.session.dispose().await });
        Ok(Data::Undefined)
    });
    // The script has let go of it.
    ops.sync("agents.drop", |host, _, mut args| {
        let Some(beside) = host.state.agents.running.take(args.parse(0)?) else { return Ok(Data::Undefined) };
        host.runtime()?.spawn(async move { beside.session.dispose().await });
        Ok(Data::Undefined)
    });
}

/// The session of this number: the first argument.
fn beside(host: &ScriptHost, args: &mut Args) -> Result<Arc<Beside>, OpError> {
    let ended = || OpError::new("This session has ended with the session of its extension; make a new one");
    host.state.agents.get(args.parse(0)?).ok_or_else(ended)
}

/// Does it on the program's runtime, also when nobody waits for it any more.
async fn detached<T: Send + 'static>(
    host: Arc<ScriptHost>,
    work: impl Future<Output = Result<T, pi_coding_agent::agent_session::Error>> + Send + 'static,
) -> Result<T, OpError> {
    let running = host.runtime()?.spawn(work);
    // What goes on here must not keep an extension that nobody uses.
    drop(host);
    running.await.map_err(failed)?.map_err(failed)
}

/// For what has nothing to say.
fn done((): ()) -> OpResult {
    Ok(Data::Undefined)
}
