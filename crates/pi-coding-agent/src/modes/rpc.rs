//! RPC mode: commands on standard input, responses and events on standard output.

use std::io;
use std::pin::pin;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;

use super::{End, Output, Signals, finish, json};
use crate::agent_session::AgentSession;
use crate::extension::Mode;
use crate::rpc::{ExtensionLink, read_lines, serve};

/// Serves commands until the input ends, an extension asks for the end, the reader of the output goes away, or a signal
/// arrives.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_rpc(session: AgentSession) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    json::print_events(&session, &output, Mode::Rpc);
    let lines = read_lines(io::stdin())?;
    let link = ExtensionLink::new(output.clone(), session.with_manager(|manager| manager.host().ids));
    let input_ended = CancellationToken::new();
    let mut work = pin!(serve(&session, &output, &link, lines, &input_ended).fuse());
    let end = tokio::select! {
        () = &mut work => End::Done(0),
        () = input_ended.cancelled() => End::Done(0),
        () = link.exit().cancelled() => End::Done(0),
        () = output.closed().cancelled() => End::Done(0),
        code = signals.next() => End::Signal(code),
    };
    link.hang_up();
    Ok(finish(&session, work, end, &output, &mut signals).await)
}
