//! The process groups of running commands: killed whole, with what has left them, and all of them when the program
//! ends.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::descendants::descendants;
use crate::tools::background::blocking;

static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Kills every running command of this process with all that it started. For the program's signal handlers;
/// returns at once.
pub fn kill_all() {
    let running: Vec<i32> = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
    running.into_iter().filter_map(Pid::from_raw).for_each(kill);
}

/// A running command. Dropped before [`ProcessGroup::release`], it takes the whole group with it: that is how an
/// aborted run or a dropped future ends its processes.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    leader: Pid,
    released: bool,
}

impl ProcessGroup {
    /// Watches the group that the process `leader` leads.
    pub(super) fn watch(leader: Pid) -> Self {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).insert(leader.as_raw_pid());
        Self { leader, released: false }
    }

    /// Kills everything. No signal that a process could ignore.
    pub(super) async fn kill(&self) {
        let leader = self.leader;
        // Looking through thousands of processes takes its time.
        if blocking(move || kill(leader)).await.is_err() {
            kill(leader);
        }
    }

    /// Lets the rest of the group live on: background jobs of a command that has ended.
    pub(super) fn release(mut self) {
        self.released = true;
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.leader.as_raw_pid());
        if !self.released {
            kill(self.leader);
        }
    }
}

/// Kills a process group, and what its members have started outside of it. The group stands still meanwhile: nobody can
/// start a process that is not seen.
fn kill(leader: Pid) {
    // An error means that nobody is left. The leader's own pid is not tried: it may belong to somebody else by now.
    if kill_process_group(leader, Signal::STOP).is_err() {
        return;
    }
    for process in descendants(leader) {
        let _ = kill_process(process, Signal::KILL);
    }
    let _ = kill_process_group(leader, Signal::KILL);
}
