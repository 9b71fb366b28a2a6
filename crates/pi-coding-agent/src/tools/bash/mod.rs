//! The `bash` tool: runs a shell command and shows the end of its output.
//!
//! `runner` ties it together, for commands of the model (`tool`) and of the user: `local`, `watch`
//! and `output_pipe` run commands here (with [`crate::processes`], which also kills them), `collector` keeps the output (with
//! `plain`, `tail`, `spill`, `old_logs`), `throttle` paces reports, `report` words the tool's result.

mod collector;
mod local;
mod old_logs;
mod output_pipe;
mod plain;
mod report;
mod runner;
mod shell;
mod spill;
mod tail;
#[cfg(test)]
mod tests;
mod throttle;
mod tool;
mod watch;

pub use collector::OutputSnapshot;
pub use local::LocalBash;
pub use runner::PieceListener;
pub use runner::{BashRun, BashRunner};
pub use shell::{choose_shell, command_env};
pub(crate) use spill::is_spill_path;
pub use tool::BashTool;
