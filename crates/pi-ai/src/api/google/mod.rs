//! What `google-generative-ai` and `google-vertex` share: everything but endpoint and authentication.
//!
//! `payload.rs` builds the request in the shape of the provider's SDK, which payload hooks see, from `convert.rs`
//! (messages) and `thinking.rs`; `body.rs` translates it into what goes over the wire. `frames.rs` cuts the answer,
//! `decode.rs` reads it with `calls.rs`, whose arguments may arrive in pieces (`arguments.rs`, `json_path.rs`).

mod arguments;
mod body;
mod calls;
mod convert;
mod decode;
mod error;
mod frames;
mod headers;
mod ids;
mod json_path;
mod payload;
mod thinking;
mod usage;

pub(super) use body::translate;
pub(super) use decode::GoogleDecoder;
pub(super) use error::http_error;
pub(super) use frames::GoogleFrames;
pub(super) use headers::build as headers;
pub(super) use payload::{Settings, build as payload, retarget};
pub use thinking::GoogleThinking;
pub(super) use thinking::{explicit as explicit_thinking, from_level as thinking_from_level};

/// Path of the method, with the parameter that asks for server-sent events.
pub(super) const METHOD: &str = ":streamGenerateContent?alt=sse";

/// Which of the two formats is spoken. They differ in details only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavor {
    /// `google-generative-ai`.
    GenerativeAi,
    /// `google-vertex`.
    Vertex,
}
