//! Sessions that this process kills itself, without a spawner: those that are to be killed at about the same time share
//! one look at all processes.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use pi_guard::Unpoisoned;
use rustix::process::Pid;

use super::tree::kill_sessions;

/// How long [`kill_now`] waits for a kill that is under way.
const PATIENCE: Duration = Duration::from_secs(2);

static QUEUE: Mutex<Queue> = Mutex::new(Queue { leaders: Vec::new(), is_served: false });
static SERVED: Condvar = Condvar::new();

struct Queue {
    leaders: Vec<Pid>,
    /// Whether a thread takes from it.
    is_served: bool,
}

fn queue() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unpoisoned()
}

/// Kills a session on a thread of its own, which lives as long as there is something to kill. Looking through thousands of
/// processes takes its time.
pub(super) fn kill_soon(leader: Pid) {
    let mut queue = queue();
    queue.leaders.push(leader);
    if !queue.is_served {
        queue.is_served = std::thread::Builder::new().name("kill".to_owned()).spawn(serve).is_ok();
    }
    let is_served = queue.is_served;
    drop(queue);
    if !is_served {
        kill_now(Vec::new());
    }
}

/// Kills these and all that wait for it, and returns when that is done.
pub(super) fn kill_now(mut leaders: Vec<Pid>) {
    leaders.append(&mut queue().leaders);
    kill_sessions(&leaders);
    let queue = queue();
    drop(SERVED.wait_timeout_while(queue, PATIENCE, |queue| queue.is_served));
}

fn serve() {
    loop {
        let mut queue = queue();
        let leaders = std::mem::take(&mut queue.leaders);
        if leaders.is_empty() {
            queue.is_served = false;
            SERVED.notify_all();
            return;
        }
        drop(queue);
        kill_sessions(&leaders);
    }
}
