//! The `bash` tool: runs a shell command and shows the end of its output.
//!
//! `tool` ties it together: `operations` is the seam, `local`, `watch` and `output_pipe` run commands here, `groups` kills them
//! (with `descendants`), `collector` keeps the
//! output (with `tail`, `spill`), `throttle` paces reports, `report` words the result.

mod collector;
mod descendants;
mod groups;
mod local;
mod operations;
mod output_pipe;
mod report;
mod shell;
mod spill;
mod tail;
#[cfg(test)]
mod tests;
mod throttle;
mod tool;
mod watch;

pub use groups::kill_all;
pub use local::LocalBash;
pub use operations::{BashError, BashExit, BashOperations, BashRequest, BashSpawn, SpawnHook};
pub(crate) use spill::is_spill_path;
pub use spill::{RandomSpillNames, SpillNames};
pub use tool::BashTool;
