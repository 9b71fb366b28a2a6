//! The tools on another machine: everything by scripts for a plain POSIX shell, nothing to install over there.
//!
//! `shell` is the seam: how to start `sh` somewhere; `ssh` and `container` implement it. `machine` implements the tools'
//! operations on top, in `files`, `exec`, `grep` and `find`. One operation is one `session`: a `script` goes in, `frames`
//! tell its reports from what it moves. The scripts themselves are in `scripts/`. Nothing here knows a tool.

#[cfg(feature = "container")]
mod container;
mod exec;
mod exec_end;
mod files;
mod find;
mod frames;
mod grep;
mod grep_fallback;
mod grep_lines;
mod machine;
mod rg_json;
mod script;
mod session;
mod shell;
#[cfg(feature = "ssh")]
mod ssh;
#[cfg(feature = "ssh")]
mod ssh_error;
#[cfg(feature = "ssh")]
mod ssh_master;
mod transfer;

#[cfg(feature = "container")]
pub use container::{ContainerOptions, ContainerShell};
pub use machine::RemoteMachine;
pub use shell::{RemoteShell, ShellCommand};
#[cfg(feature = "ssh")]
pub use ssh::{SshOptions, SshShell};
