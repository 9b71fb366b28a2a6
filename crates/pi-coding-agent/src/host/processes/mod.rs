//! Programs that this process starts, and that nothing of them is left when it ends.
//!
//! `launch` says what is to be started, `child` starts and ends it. On Linux a program whose `main` begins with
//! [`init`] does both through a small process of its own (`spawner`): commands then end even if the program is killed by a
//! signal that it cannot handle. Otherwise they are children of this process (`reaper` kills them). `tree` finds what a
//! command has started, `semaphore` counts commands, `limits` is about open files. `exec` runs
//! a program to its end and returns what it prints, `piped` starts one to talk with. What runs on other machines is not here.

mod child;
mod exec;
mod launch;
mod limits;
mod piped;
mod reaper;
mod semaphore;
#[cfg(target_os = "linux")]
mod spawner;
mod tree;

pub use child::kill_all;
pub(crate) use child::{Child, start};
pub use exec::{ExecOptions, ExecResult};
pub(crate) use exec::{KILL_GRACE as EXEC_KILL_GRACE, exec, run_command};
pub(crate) use launch::{Launch, ProcessGroup};
pub use limits::raise_open_file_limit;
pub use piped::{PipedProgram, start_piped};
pub(crate) use semaphore::COMMANDS;
pub(crate) use semaphore::MAX_CONCURRENT_COMMANDS;

/// Call this first in `main`, before there is another thread, and keep what it returns until the end.
///
/// On Linux, commands are then started by a process beside the program, which is the same binary started again: this
/// function never returns in it. When the program is gone, killed by `SIGKILL` for example, that process ends all that
/// commands have started. Without this call, commands are children of the program, and outlive such a kill.
///
/// Elsewhere it does nothing.
#[must_use = "when it is dropped, commands end"]
pub fn init() -> Session {
    #[cfg(target_os = "linux")]
    {
        let mut arguments = std::env::args_os().skip(1);
        if arguments.next().is_some_and(|first| first == spawner::ARGUMENT) {
            let soft_limit = arguments.next().and_then(|limit| limit.to_str()?.parse().ok());
            let is_done = spawner::serve(soft_limit.filter(|limit| *limit > 0)).is_ok();
            // Nothing of the program has begun.
            std::process::exit(i32::from(!is_done));
        }
        spawner::permit();
    }
    Session(())
}

/// The time in which a program starts commands, from [`init`] until this is dropped. A program that ends without that
/// (`std::process::exit`, a kill) takes background jobs of commands with it, too; otherwise they live on.
#[derive(Debug)]
pub struct Session(());

impl Drop for Session {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        spawner::farewell();
    }
}
