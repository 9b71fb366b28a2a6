//! RPC mode: commands on standard input, responses and events on standard output.

use std::io;
use std::pin::pin;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;

use super::{End, EventFormat, Output, Signals, finish, json};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::rpc::{EventDetailSwitch, EventJson, Service, read_lines, serve};

/// Serves commands until the input ends, the client or an extension asks for the end, the reader of the output goes away,
/// or a signal arrives.
///
/// # Errors
/// When signals or threads are not to be had.
pub async fn run_rpc(session: AgentSession, format: EventFormat) -> io::Result<u8> {
    let mut signals = Signals::install()?;
    let (output, _thread) = Output::start(io::stdout())?;
    let detail = EventDetailSwitch::at(format.detail);
    let service = Service::new(session.clone(), output.clone(), detail.clone()).with_level(format.level);
    let writer = EventJson::with_detail(detail).with_level(format.level);
    json::print_events(&session, &output, writer, Some(service.intake()));
    let lines = read_lines(io::stdin())?;
    let hung_up = CancellationToken::new();
    let mut work = pin!(serve(&service, lines, &hung_up).fuse());
    let end = tokio::select! {
        _ = &mut work => End::HungUp(0),
        () = hung_up.cancelled() => End::HungUp(0),
        () = service.link().exit().cancelled() => End::HungUp(0),
        () = output.closed().cancelled() => End::Done(0),
        code = signals.next() => End::Signal(code),
    };
    service.link().hang_up();
    Ok(finish(&session, work, end, &output, &mut signals).await)
}
