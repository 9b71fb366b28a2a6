//! The ways to run: print, JSON, RPC, ACP, interactive, plain. Each drives a session and returns the program's exit code.

mod acp;
mod answer_schema;
mod attach;
pub(crate) mod colours;
mod error_hint;
mod exit_code;
mod interactive;
mod json;
mod listen;
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
pub(crate) use attach::{
    AttachError, Left, TERMINAL_VARIABLES, attach, attachable as attachable_sessions, end as end_attachable,
};
pub(crate) use interactive::question_in_parts;
pub use interactive::{AskError, Asker, InteractiveOptions, Notices, resource_title, run_interactive};
pub use json::{EventFormat, run_json};
pub(crate) use listen::Description as SessionDescription;
pub use listen::{ListenOptions, ReplacementWatcher, run_listening};
pub use pi_coding_agent::rpc::{Output, OutputThread};
pub use plain::run_plain;
pub use print::{PrintOptions, run_print};
pub use prompts::InitialPrompts;
pub use rpc::run_rpc;
pub use shutdown::shut_down;
use shutdown::{End, finish};
pub use signals::Signals;
