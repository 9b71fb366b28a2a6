//! A small process beside the program that starts commands and ends them when the program is gone, however it went.
//!
//! It is started with the first command: the same binary again, which [`serve`] then takes over. A command is its child,
//! so starting one costs the same however much memory the program has. Whatever commands leave behind becomes its child
//! too (it is a subreaper), so at the end of the program it finds all of it. `client` is the program's side, `server` the
//! process, `packet` and `reports` what goes between them.

mod client;
mod packet;
mod reports;
mod server;

pub(super) use client::{Link, StartError, farewell, kill_all, link, lost, permit};
pub(super) use packet::Report;
pub(super) use reports::Reports;
pub(super) use server::serve;

/// The first argument of the process. The second is the soft limit of open files for what it starts, 0 for none.
pub(super) const ARGUMENT: &str = "__command-spawner";
/// What it is called in lists of processes: not like the program, so that one that kills by name does not kill both.
const NAME: &std::ffi::CStr = c"command-spawner";
