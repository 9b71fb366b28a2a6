//! RPC mode: commands on standard input, responses and events on standard output.

use std::io;

use super::{Output, Signals, json, shut_down};
use crate::agent_session::AgentSession;
use crate::rpc::{read_lines, serve};

/// Serves commands until the input ends, the reader of the output goes away, or a signal arrives.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_rpc(session: AgentSession) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    json::print_events(&session, &output);
    let lines = read_lines(io::stdin())?;
    let code = tokio::select! {
        () = serve(&session, &output, lines) => 0,
        () = output.closed().cancelled() => 0,
        code = signals.next() => code,
    };
    tokio::select! {
        () = finish(&session, &output) => {}
        _ = signals.next() => return Ok(code),
    }
    Ok(code)
}

async fn finish(session: &AgentSession, output: &Output) {
    shut_down(session).await;
    output.flush().await;
}
