//! The RPC protocol: framing, commands, responses, the JSON form of events; and a [client](RpcClient) of it.

mod client;
mod command;
mod commands;
mod entries;
mod event_json;
mod extensions;
mod framing;
mod intake;
mod level;
mod message_json;
mod models;
mod output;
mod response;
mod server;
mod sessions;
mod state;
mod ui;

pub use crate::agent_session::ForkMessage;
pub use client::{
    RpcClient, RpcClientError, RpcClientOptions, RpcCommandInfo, RpcEntries, RpcEvent, RpcEvents, RpcExit, RpcMessage,
    RpcReplaced, RpcTree, UiRequest,
};
pub use command::ShutdownMode;
pub use commands::Service;
pub(crate) use event_json::open_update;
pub use event_json::{EventDetail, EventDetailSwitch, EventJson};
pub use extensions::ExtensionLink;
pub use framing::{Lines, read_lines};
pub use intake::Intake;
pub use level::ProtocolLevel;
pub(crate) use message_json::MessageJson;
pub use output::{Output, OutputThread};
pub use server::serve;
pub use state::RpcState;
pub use ui::{RpcUi, UiReply};
