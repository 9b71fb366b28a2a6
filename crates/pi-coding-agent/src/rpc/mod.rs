//! The RPC protocol: framing, commands, responses, the JSON form of events.

mod command;
mod event_json;
mod extensions;
mod framing;
mod message_json;
mod models;
mod response;
mod server;
mod sessions;
mod state;
mod ui;

pub use event_json::EventJson;
pub use extensions::ExtensionLink;
pub use framing::read_lines;
pub use server::serve;
pub use ui::{RpcUi, UiReply};
