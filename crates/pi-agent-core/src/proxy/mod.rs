//! Model calls through a server of one's own, which keeps the keys: the client, and what the server needs.
//!
//! No network code lives here. The client sends through an injected [`pi_ai::transport::HttpTransport`]; the server half
//! turns the body of a request into the body of a response, for whatever HTTP server a program has.
//!
//! | File | What is in it |
//! |---|---|
//! | `options.rs` | where the proxy is, and which options of a call travel |
//! | `client.rs`, `answer.rs` | the stream function: one request, and the body of its response |
//! | `lines.rs`, `wire.rs` | the format: lines of bytes, events without partial messages |
//! | `rebuild.rs` | events back into a message |
//! | `request.rs`, `server.rs` | a request on the server, and the response to it |
//! | `encode.rs`, `told.rs` | the events of a call as lines, and what the plain format would lose |

mod answer;
mod client;
mod encode;
mod lines;
mod options;
mod rebuild;
mod request;
mod server;
mod told;
mod wire;

pub use client::proxy_stream_fn;
pub use encode::encode_events;
pub use options::{ProxyCallOptions, ProxyOptions};
pub use request::{ProxyRequest, RequestedModel};
pub use server::{ProxyBody, ProxyServer, ResolveFn, bearer_token, error_response};
