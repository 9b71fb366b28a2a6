//! An open WebSocket, and for which calls it is good.

use http::HeaderValue;

use super::payload::Continuation;
use super::socket::Socket;

/// Where a connection goes and on whose behalf; only an equal call may use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination {
    pub(super) url: String,
    pub(super) authorization: Option<HeaderValue>,
}

/// An open WebSocket and what its server remembers.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) socket: Socket,
    pub(super) destination: Destination,
    pub(super) continuation: Option<Continuation>,
}
