//! What transport, body and outcome of one call share.

use std::sync::{Arc, Mutex, MutexGuard};

use pi_guard::Unpoisoned;

use crate::api::driver::Credentials;
use crate::api::responses::assistant;
use crate::builder::MessageBuilder;
use crate::clock::Clock;
use crate::error::{Error, NetworkError};
use crate::message::AssistantMessage;
use crate::model::Model;
use crate::options::{StreamOptions, Transport};

use super::connection::Connection;
use super::diagnostics::Incident;
use super::payload::Payload;
use super::sessions::{Home, Sessions};
use super::stats::CodexSessionStats;

/// One call.
#[derive(Debug)]
pub(in super::super) struct Call {
    sessions: Arc<Sessions>,
    model: Arc<Model>,
    session_id: Option<String>,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// A WebSocket is tried once per call, whatever is retried.
    tried: bool,
    /// The answer comes over a WebSocket.
    open: bool,
    /// Length of the request's body.
    request_bytes: usize,
    incidents: Vec<Incident>,
    /// The connection, once the body has been read as far as anybody wants it.
    lease: Option<Lease>,
}

/// A connection in use.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) connection: Connection,
    /// Where it may stay; without a place it is used once.
    pub(super) home: Option<Home>,
    /// The request, where the next one may continue from its response.
    pub(super) payload: Option<Payload>,
}

impl Call {
    /// A call that has not begun.
    pub(in super::super) fn new(sessions: &Arc<Sessions>, model: &Arc<Model>, options: &StreamOptions) -> Self {
        Self {
            sessions: Arc::clone(sessions),
            model: Arc::clone(model),
            session_id: options.session_id.clone().filter(|id| !id.is_empty()),
            clock: Arc::clone(&options.clock),
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unpoisoned()
    }

    /// Whether the answer comes over a WebSocket.
    pub(in super::super) fn is_open(&self) -> bool {
        self.lock().open
    }

    /// Whether a WebSocket should be tried now. Counts calls of sessions that have given up on them.
    pub(super) fn try_websocket(&self, request_bytes: usize) -> bool {
        let mut state = self.lock();
        if std::mem::replace(&mut state.tried, true) {
            return false;
        }
        state.request_bytes = request_bytes;
        let given_up = self.session_id.as_deref().is_some_and(|id| self.sessions.is_sse_only(id));
        if given_up {
            self.count(|stats| stats.sse_fallbacks += 1);
        }
        !given_up
    }

    /// A place for the connection in the session; `None` without a session and while another call has the place. The
    /// connection that waits there comes with it.
    pub(super) async fn reserve(&self) -> (Option<Home>, Option<Connection>) {
        let Some((home, idle)) = self.session_id.as_deref().and_then(|id| self.sessions.reserve(id)) else {
            return (None, None);
        };
        let connection = match idle {
            Some(idle) => idle.take().await,
            None => None,
        };
        (Some(home), connection)
    }

    /// Changes the session's counters, if there is a session.
    pub(super) fn count(&self, change: impl FnOnce(&mut CodexSessionStats)) {
        if let Some(id) = &self.session_id {
            self.sessions.count(id, change);
        }
    }

    /// The first event arrived.
    pub(super) fn opened(&self) {
        self.lock().open = true;
    }

    /// No WebSocket could be opened, or it broke before the first event: the call goes on without.
    pub(super) fn fell_back(&self, error: Error) {
        self.count(|stats| stats.sse_fallbacks += 1);
        self.failed(error, false);
    }

    fn failed(&self, error: Error, started: bool) {
        self.count(|stats| stats.websocket_failures += 1);
        if let Some(id) = &self.session_id {
            self.sessions.give_up_websockets(id);
        }
        let mut state = self.lock();
        let request_bytes = state.request_bytes;
        state.incidents.push(Incident { error, timestamp: self.clock.now_ms(), started, request_bytes });
    }

    /// The body is not read any further.
    pub(super) fn park(&self, lease: Lease) {
        self.lock().lease = Some(lease);
    }

    /// The call is over: leaves the connection to the session's next call, or closes it, and writes down what failed.
    pub(in super::super) fn conclude(
        &self,
        outcome: Result<(), &Error>,
        options: &StreamOptions,
        message: &mut MessageBuilder,
    ) {
        let lease = self.lock().lease.take();
        match outcome {
            Ok(()) => {
                if let Some(lease) = lease {
                    lease.finish(&self.model, &message.partial().snapshot());
                }
            }
            Err(cause @ Error::Network(NetworkError::WebSocket { .. } | NetworkError::Stalled { .. }))
                if self.is_open() =>
            {
                self.failed(cause.clone(), true);
            }
            Err(_) => {}
        }
        self.report(options, message);
    }

    /// Writes the incidents into the message.
    fn report(&self, options: &StreamOptions, message: &mut MessageBuilder) {
        let configured = options.transport.unwrap_or(Transport::Auto);
        for mut incident in std::mem::take(&mut self.lock().incidents) {
            incident.error = Credentials::given(options).taken_out_of(incident.error);
            message.edit(|message| message.diagnostics.get_or_insert_default().push(incident.entry(configured)));
        }
    }
}

impl Lease {
    /// The answer is complete: the connection stays for the session's next call, which may continue here.
    fn finish(self, model: &Model, answer: &AssistantMessage) {
        let Some(home) = self.home else { return };
        let mut connection = self.connection;
        connection.continuation = self.payload.zip(answer.response_id.clone()).map(|(payload, response_id)| {
            // Ids come with the items; the place in the transcript only names those without.
            payload.answered(response_id, assistant::items(answer, model, 0))
        });
        home.keep(connection);
    }
}
