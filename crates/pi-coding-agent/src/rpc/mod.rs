//! The RPC protocol: framing, commands, responses, the JSON form of events; and a [client](RpcClient) of it.

mod client;
mod command;
mod command_table;
mod commands;
#[cfg(test)]
mod docs_tests;
mod entries;
mod extensions;
mod framing;
mod intake;
mod models;
mod output;
mod response;
mod server;
mod sessions;
mod state;
mod ui;

pub use crate::agent_session::ForkMessage;
pub use crate::wire::{EventDetail, EventDetailSwitch, EventJson, ProtocolLevel};
pub use client::{
    RpcClient, RpcClientError, RpcClientOptions, RpcCommandInfo, RpcEntries, RpcEvent, RpcEvents, RpcExit, RpcHistory,
    RpcMessage, RpcReplaced, RpcTree, UiRequest,
};
pub use command::ShutdownMode;
pub use commands::Service;
pub use extensions::ExtensionLink;
#[cfg(feature = "acp")]
pub(crate) use framing::{Line, MAX_LINE, next_line};
pub use framing::{Lines, read_lines};
pub use intake::Intake;
pub use output::{Output, OutputThread};
pub use server::serve;
pub use state::RpcState;
pub use ui::{RpcUi, UiReply};
