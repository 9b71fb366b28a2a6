//! The ways to run: print, JSON, RPC, ACP, interactive, plain. Each drives a session and returns the program's exit code.

mod acp;
mod answer_schema;
pub(crate) mod colours;
mod error_hint;
mod exit_code;
mod interactive;
mod json;
mod markdown;
mod plain;
mod print;
mod progress;
mod prompts;
mod resume_hint;
mod rpc;
mod run_result;
mod shutdown;
mod signals;
mod user_bash;

pub use crate::common::run_trust::RunTrust;
pub use acp::run_acp;
pub use answer_schema::AnswerSchema;
pub use interactive::{AskError, Asker, InteractiveOptions, Notices, resource_title, run_interactive};
pub use json::{EventFormat, run_json};
pub use pi_coding_agent::rpc::{Output, OutputThread};
pub use plain::run_plain;
pub use print::{PrintOptions, run_print};
pub use prompts::InitialPrompts;
pub use rpc::run_rpc;
pub use shutdown::shut_down;
use shutdown::{End, finish};
pub use signals::Signals;
