//! The RPC protocol: framing, commands, responses, the JSON form of events.

mod event_json;
mod message_json;

pub use event_json::EventJson;
