//! Requests over WebSockets, dressed as HTTP exchanges so that the driver need not know.
//!
//! `fallback_transport.rs` is the transport that tries a WebSocket and falls back; `socket.rs` is one connection, `connection.rs`
//! what is known of it, `answer.rs` reads a
//! response from it, `payload.rs` writes requests, whole or as what is new. `sessions.rs` keeps connections between the
//! calls of a session, `idle.rs` watches over one meanwhile, `stats.rs` counts. `call.rs` is what the parts of one call
//! share, `diagnostics.rs` what its message tells about failures.

mod answer;
mod call;
mod connection;
mod diagnostics;
mod fallback_transport;
mod idle;
mod payload;
mod sessions;
mod socket;
mod stats;

pub(super) use call::Call;
pub(super) use fallback_transport::Carrier;
pub(super) use sessions::Sessions;
pub use stats::CodexSessionStats;
