//! Why nothing, or not everything, came back: connections, time limits, sockets. The server's own words are in `answer.rs`.

use std::time::Duration;

/// The connection to the server failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// No response headers within the time limit.
    #[error("Request timed out. No response headers within {} s.", .after.as_secs_f64())]
    Timeout {
        /// The limit.
        after: Duration,
    },
    /// The connection could not be made or broke before response headers arrived.
    #[error("Connection error. {detail}")]
    Connection {
        /// What the network layer said, without secrets.
        detail: String,
    },
    /// No connection can be tried, whoever is asked: a proxy variable that cannot be used, no certificates. Another try
    /// changes nothing, and the text says so by not being one of those that are retried.
    #[error("Network setup: {detail}")]
    Setup {
        /// What is in the way, and what to change; without secrets.
        detail: String,
    },
    /// The connection broke while the body was read.
    #[error("Connection lost while reading the response: {detail}")]
    Body {
        /// What the network layer said.
        detail: String,
    },
    /// A WebSocket could not be opened, broke, or was closed before the answer was complete.
    #[error("{detail}")]
    WebSocket {
        /// What happened, in words that begin with `WebSocket`.
        detail: String,
        /// Why the other side closed it: the code of its close frame, or one that stands for a missing frame.
        code: Option<u16>,
    },
    /// The stream stayed open but carried nothing of meaning for too long; keep-alives do not count.
    #[error("Stream timed out: no data from the model for {} s. The request can be retried; the limit is the stall timeout.", .after.as_secs_f64())]
    Stalled {
        /// The limit.
        after: Duration,
    },
}
