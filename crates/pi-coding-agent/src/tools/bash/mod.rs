//! The `bash` tool: runs a shell command and shows the end of its output.
//!
//! `runner` ties it together, for commands of the model (`tool`) and of the user: `local`, `watch`
//! and `output_pipe` run commands here (with [`crate::processes`], which also kills them), `collector` keeps the output (with
//! `strip_escapes`, `tail`, `full_output`, `old_logs`), `throttle` paces reports, `report` words the tool's result.

mod collector;
mod full_output;
mod local;
mod old_logs;
mod output_pipe;
mod report;
mod runner;
mod shell;
mod strip_escapes;
mod tail;
#[cfg(test)]
mod tests;
mod throttle;
mod tool;
mod watch;

pub use collector::OutputSnapshot;
pub(crate) use full_output::is_spill_path;
pub use local::LocalBash;
#[cfg(feature = "acp")]
pub(crate) use report::EXITED;
pub use runner::PieceListener;
pub(crate) use runner::{BashRun, BashRunner};
pub use shell::{choose_shell, command_env};
pub use tool::BashTool;
