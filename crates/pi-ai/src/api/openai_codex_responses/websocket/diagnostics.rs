//! What a message tells about WebSockets that failed.

use serde_json::{Map, Value, json};

use crate::error::{Error, NetworkError};
use crate::options::Transport;

/// The `type` of such entries.
const KIND: &str = "provider_transport_failure";

/// A WebSocket that failed.
#[derive(Debug)]
pub(super) struct Incident {
    pub(super) error: Error,
    /// Unix time in milliseconds.
    pub(super) timestamp: i64,
    /// Whether events of the answer had been handed out. If not, the call went on over server-sent events.
    pub(super) started: bool,
    /// Length of the request's body.
    pub(super) request_bytes: usize,
}

impl Incident {
    /// The entry in the message's `diagnostics`.
    pub(super) fn entry(&self, configured: Transport) -> Value {
        let mut error = Map::new();
        error.insert("name".into(), "Error".into());
        error.insert("message".into(), self.error.to_string().into());
        if let Error::Network(NetworkError::WebSocket { code: Some(code), .. }) = self.error {
            error.insert("code".into(), code.into());
        }
        let mut details = Map::new();
        details.insert("configuredTransport".into(), json!(configured));
        if !self.started {
            details.insert("fallbackTransport".into(), json!(Transport::Sse));
        }
        details.insert("eventsEmitted".into(), self.started.into());
        let phase = if self.started { "after_message_stream_start" } else { "before_message_stream_start" };
        details.insert("phase".into(), phase.into());
        details.insert("requestBytes".into(), self.request_bytes.into());
        json!({"type": KIND, "timestamp": self.timestamp, "error": error, "details": details})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries() {
        let error =
            Error::Network(NetworkError::WebSocket { detail: "WebSocket closed 1011".into(), code: Some(1011) });
        let mut incident = Incident { error, timestamp: 7, started: false, request_bytes: 3 };
        assert_eq!(
            incident.entry(Transport::WebsocketCached),
            json!({
                "type": "provider_transport_failure", "timestamp": 7,
                "error": {"name": "Error", "message": "WebSocket closed 1011", "code": 1011},
                "details": {"configuredTransport": "websocket-cached", "fallbackTransport": "sse", "eventsEmitted": false,
                    "phase": "before_message_stream_start", "requestBytes": 3},
            })
        );
        incident.started = true;
        assert_eq!(
            incident.entry(Transport::Auto)["details"],
            json!({"configuredTransport": "auto", "eventsEmitted": true, "phase": "after_message_stream_start",
                "requestBytes": 3})
        );
    }
}
