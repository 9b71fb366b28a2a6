//! A client that speaks RPC: over the socket, or on standard input and output.

use std::io::{self, Cursor, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_coding_agent::agent_session::{SessionEvent, Subscription};
use pi_coding_agent::rpc::{EventDetailSwitch, EventJson, Output, Service, read_lines, serve};
use pi_guard::Unpoisoned;
use tokio_util::sync::CancellationToken;

use super::conversation::Conversation;

/// Others wait for a client no longer than this: one that has not taken an event by then is dropped. It may come back.
const PATIENCE: Duration = Duration::from_secs(2);

/// What others see a client as whose name nobody knows.
const NAME: &str = "an RPC client";

/// Serves a client of the socket until it goes, or takes nothing. `first` was read already.
///
/// # Errors
/// When threads are not to be had.
pub(super) async fn serve_stream(conversation: &Conversation, stream: UnixStream, first: Vec<u8>) -> io::Result<()> {
    let input = Cursor::new(first).chain(stream.try_clone()?);
    let output = stream.try_clone()?;
    let drop_it = move || {
        // Ends its reader, and then it.
        let _ = stream.shutdown(Shutdown::Both);
    };
    serve_client(conversation, input, output, Box::new(drop_it)).await
}

/// Serves the client of standard input and output. When it is dropped, it only hears of nothing any more.
///
/// # Errors
/// When threads are not to be had.
pub(super) async fn serve_stdio(conversation: &Conversation) -> io::Result<()> {
    serve_client(conversation, io::stdin(), io::stdout(), Box::new(|| {})).await
}

/// Ends what a client that takes nothing would have to read.
type DropIt = Box<dyn Fn() + Send + Sync>;

/// Serves a client on this input and output.
///
/// # Errors
/// When threads are not to be had.
async fn serve_client(
    conversation: &Conversation,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    drop_it: DropIt,
) -> io::Result<()> {
    let (output, _thread) = Output::start(output)?;
    let format = conversation.options.format;
    let detail = EventDetailSwitch::at(format.detail);
    let service = Service::new(conversation.session.clone(), output.clone(), detail.clone()).with_level(format.level);
    let senders = conversation.senders.clone();
    let (service, ui) = service.joining(conversation.begun.clone(), move |message| senders.note(NAME, message));
    let writer = EventJson::with_detail(detail).with_level(format.level);
    let _events = send_events(conversation, &service, output.clone(), writer, drop_it);
    let joined = conversation.ui.join(ui);
    let has_asked = {
        let lines = read_lines(input)?;
        let hung_up = CancellationToken::new();
        let mut served = std::pin::pin!(serve(&service, lines, &hung_up).fuse());
        tokio::select! {
            has_asked = &mut served => has_asked,
            () = hung_up.cancelled() => {
                // It is gone; what it began goes on.
                drop(joined);
                tokio::select! {
                    has_asked = served => has_asked,
                    () = conversation.closed.cancelled() => false,
                }
            }
            () = conversation.closed.cancelled() => false,
        }
    };
    output.stop_waiting();
    output.flush().await;
    if has_asked {
        conversation.ended.cancel();
    }
    Ok(())
}

/// Sends every event of the session to the client, until it is dropped.
fn send_events(
    conversation: &Conversation,
    service: &Service,
    output: Output,
    writer: EventJson,
    drop_it: DropIt,
) -> Subscription {
    let client = Arc::new(Listener { writer: Mutex::new(writer), output, drop_it, is_dropped: AtomicBool::new(false) });
    let intake = service.intake().clone();
    conversation.session.subscribe(Arc::new(move |event| {
        let (client, intake) = (Arc::clone(&client), intake.clone());
        async move {
            client.hear(&event).await;
            if matches!(event, SessionEvent::Agent(AgentEvent::AgentStart)) {
                intake.taken().await;
            }
        }
        .boxed()
    }))
}

/// A client that hears what happens.
struct Listener {
    writer: Mutex<EventJson>,
    output: Output,
    drop_it: DropIt,
    is_dropped: AtomicBool,
}

impl Listener {
    async fn hear(&self, event: &SessionEvent) {
        if self.is_dropped.load(Ordering::Relaxed) {
            return;
        }
        let mut line = self.output.buffer();
        self.writer.lock().unpoisoned().write(event, &mut line);
        if line.is_empty() {
            return;
        }
        if tokio::time::timeout(PATIENCE, self.output.write_event(line)).await.is_err() {
            self.is_dropped.store(true, Ordering::Relaxed);
            // Answers to its commands wait for it no more, either.
            self.output.stop_waiting();
            (self.drop_it)();
        }
    }
}
