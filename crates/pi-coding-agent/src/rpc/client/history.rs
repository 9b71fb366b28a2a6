//! The commands that read what is in the session; their declarations are in `command_table.rs`.

use pi_ai::Message;
use serde_json::json;

use super::connection::Connection;
use super::methods::{Answer, answer_type, ask, fields, history_methods, method, method_of_history};
use super::{RpcEntries, RpcTree};
use crate::rpc::ForkMessage;
use crate::rpc::command_table::command_table;

/// What is in the session: [`RpcClient::history`](super::RpcClient::history). Each method sends the command of its name
/// with `get_` in front of it.
#[derive(Debug, Clone, Copy)]
pub struct RpcHistory<'a>(pub(super) &'a Connection);

command_table!(history_methods);
