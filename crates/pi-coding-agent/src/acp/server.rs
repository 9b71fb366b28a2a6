//! Requests run beside each other: each starts as its line arrives, and is answered when it is done.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use agent_client_protocol_schema::v1::Error;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::AcpOptions;
use super::agent::Agent;
use super::connection::Connection;
use super::input::{Incoming, read_messages};
use crate::rpc::Output;

/// Requests that may be in progress at a time. The client's answers must come through, so that more are refused and do not wait.
const MOST_RUNNING: usize = 256;
/// Refusals that may wait for a client that does not read; then nothing is read from it either.
const MOST_REFUSALS: usize = 1024;
/// When the client is gone, its requests have so long to end, and then the sessions as long again.
const PATIENCE: Duration = Duration::from_millis(900);

type Running = FuturesUnordered<BoxFuture<'static, ()>>;

/// Serves an editor until the input ends or `stop` fires. Then what runs is aborted and polled to its end, and all sessions
/// are ended.
///
/// # Errors
/// When the input cannot be read.
pub async fn serve_acp(
    options: AcpOptions,
    input: impl Read + Send + 'static,
    output: Output,
    stop: &CancellationToken,
) -> io::Result<()> {
    let mut messages = read_messages(input)?;
    let agent = Arc::new(Agent::new(options, Connection::new(output)));
    let mut running = Running::new();
    loop {
        tokio::select! {
            // What was begun goes on before something else begins.
            biased;
            () = stop.cancelled() => break,
            Some(()) = running.next() => {}
            message = messages.recv(), if running.len() < MOST_REFUSALS => match message {
                Some(message) => take(&agent, message, &mut running),
                None => break,
            },
        }
    }
    end(&agent, running).await;
    Ok(())
}

fn take(agent: &Arc<Agent>, message: Incoming, running: &mut Running) {
    let work = match message {
        Incoming::Request { id, .. } if running.len() >= MOST_RUNNING => {
            let reason = "Too many requests are in progress; wait for the answers to some.";
            respond(agent, id, Error::new(Error::internal_error().code.into(), reason))
        }
        Incoming::Request { id, method, params } => Arc::clone(agent).answer(id, method, params).boxed(),
        Incoming::Notification { method, params } => match agent.notice(&method, params) {
            Some(work) => work,
            None => return,
        },
        Incoming::Response { id, outcome } => return agent.connection().take_reply(&id, outcome),
        Incoming::Invalid { id, error } => respond(agent, id, error),
    };
    running.push(work);
}

fn respond(agent: &Arc<Agent>, id: Value, error: Error) -> BoxFuture<'static, ()> {
    let connection = agent.connection().clone();
    async move { connection.respond(&id, &Err(error)).await }.boxed()
}

/// Runs live in the futures of their requests: an aborted answer gets into the session file only if they are polled.
async fn end(agent: &Agent, mut running: Running) {
    agent.connection().close();
    agent.abort_all();
    let drained = async { while running.next().await.is_some() {} };
    let _ = tokio::time::timeout(PATIENCE, drained).await;
    // What does not end now is left behind: its processes are killed when the program ends.
    let _ = agent.pool().shutdown_all(PATIENCE).await;
}
