//! One WebSocket: handshake, text in and out, and the words for its end.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use http::{HeaderMap, HeaderValue, Method};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};

use crate::error::{Error, NetworkError};
use crate::random::Random;
use crate::transport::{Duplex, HttpRequest, HttpTransport, Upgraded};

/// No event is as long as this, in bytes; a message without end must not fill the memory.
const LONGEST_MESSAGE: usize = 64 * 1024 * 1024;
/// A close frame is given this much time to leave.
const CLOSE_TIME: Duration = Duration::from_secs(1);
/// Stands for a close frame without a code.
const NO_STATUS: u16 = 1005;
/// Stands for a connection that ended without a close frame.
const ABNORMAL: u16 = 1006;
const TOO_BIG: u16 = 1009;

/// An open WebSocket. Dropping it closes the connection.
pub(super) struct Socket(WebSocketStream<Box<dyn Duplex>>);

impl std::fmt::Debug for Socket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Socket").finish_non_exhaustive()
    }
}

impl Socket {
    /// Opens a WebSocket at an `http` or `https` URL; `None` when the transport cannot.
    ///
    /// # Errors
    /// [`NetworkError::WebSocket`].
    pub(super) async fn open(
        transport: &dyn HttpTransport,
        url: &str,
        mut headers: HeaderMap,
        random: &dyn Random,
    ) -> Option<Result<Self, Error>> {
        let key = STANDARD.encode((u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())).to_be_bytes());
        for (name, value) in [("connection", "Upgrade"), ("upgrade", "websocket"), ("sec-websocket-version", "13")] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if let Ok(key) = HeaderValue::from_str(&key) {
            headers.insert("sec-websocket-key", key);
        }
        let request = HttpRequest { method: Method::GET, url: url.to_owned(), headers, body: Bytes::new() };
        let upgraded = transport.upgrade(request)?.await;
        Some(Self::accept(upgraded, &key).await)
    }

    /// Checks the server's side of the handshake.
    async fn accept(upgraded: Result<Upgraded, Error>, key: &str) -> Result<Self, Error> {
        let upgraded = upgraded.map_err(|error| match error {
            Error::Network(NetworkError::Connection { detail }) => failed(&detail),
            other => failed(&other.to_string()),
        })?;
        let accepted = upgraded.headers.get("sec-websocket-accept").map(HeaderValue::as_bytes);
        if accepted != Some(derive_accept_key(key.as_bytes()).as_bytes()) {
            return Err(failed("the server switched protocols, but not to this WebSocket"));
        }
        Ok(Self::over(upgraded.io).await)
    }

    /// A WebSocket on a connection whose handshake is over.
    pub(super) async fn over(io: Box<dyn Duplex>) -> Self {
        let config =
            WebSocketConfig::default().max_message_size(Some(LONGEST_MESSAGE)).max_frame_size(Some(LONGEST_MESSAGE));
        Self(WebSocketStream::from_raw_socket(io, Role::Client, Some(config)).await)
    }

    /// Sends a text message.
    ///
    /// # Errors
    /// [`NetworkError::WebSocket`].
    pub(super) async fn send(&mut self, text: String) -> Result<(), Error> {
        self.0.send(Message::text(text)).await.map_err(broken)
    }

    /// The next message; pings are answered on the way. Dropping the future loses nothing.
    ///
    /// # Errors
    /// [`NetworkError::WebSocket`], also when the server closes the connection: in the middle of what this is for, every
    /// end is a failure.
    pub(super) async fn receive(&mut self) -> Result<Bytes, Error> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text.into()),
                Some(Ok(Message::Binary(bytes))) => return Ok(bytes),
                Some(Ok(Message::Close(Some(frame)))) => return Err(closed(frame.code.into(), &frame.reason)),
                Some(Ok(Message::Close(None))) => return Err(closed(NO_STATUS, "")),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Err(error)) => return Err(broken(error)),
                None => return Err(closed(ABNORMAL, "")),
            }
        }
    }

    /// Says goodbye, if that is possible without much waiting.
    pub(super) async fn close(mut self, reason: &'static str) {
        let frame = CloseFrame { code: CloseCode::Normal, reason: reason.into() };
        let _ = tokio::time::timeout(CLOSE_TIME, self.0.close(Some(frame))).await;
    }
}

/// The server closed the connection.
fn closed(code: u16, reason: &str) -> Error {
    let reason = if reason.is_empty() && code == TOO_BIG { "message too big" } else { reason };
    let space = if reason.is_empty() { "" } else { " " };
    Error::Network(NetworkError::WebSocket {
        detail: format!("WebSocket closed {code}{space}{reason}"),
        code: Some(code),
    })
}

fn broken(error: tungstenite::Error) -> Error {
    use tungstenite::error::{Error as Cause, ProtocolError};
    match error {
        Cause::ConnectionClosed | Cause::AlreadyClosed => closed(ABNORMAL, ""),
        Cause::Protocol(ProtocolError::ResetWithoutClosingHandshake) => closed(ABNORMAL, ""),
        Cause::Io(_) => closed(ABNORMAL, ""),
        other => failed(&other.to_string()),
    }
}

fn failed(detail: &str) -> Error {
    Error::Network(NetworkError::WebSocket { detail: format!("WebSocket error: {detail}"), code: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_an_end() {
        for (code, reason, expected) in [
            (1000, "", "WebSocket closed 1000"),
            (1011, "overloaded", "WebSocket closed 1011 overloaded"),
            (1009, "", "WebSocket closed 1009 message too big"),
            (1009, "enough", "WebSocket closed 1009 enough"),
        ] {
            let error = closed(code, reason);
            assert_eq!(error.to_string(), expected);
            assert!(error.is_retryable());
        }
    }
}
