//! Which processes there are and who started whom: one look at all of them serves any number of questions.

#[cfg(target_os = "linux")]
use std::collections::{HashMap, HashSet};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// Kills these sessions whole, and what their members have started outside of them. The sessions' groups stand still
/// meanwhile, so that nobody starts a process that is not seen. A process that has left the session is found as long as
/// its parents live; a daemon, whose parent has ended on purpose, is not.
///
/// Looks at all processes once, however many sessions there are. Signals only sessions that this process or its spawner
/// has made and that still have members.
pub(super) fn kill_sessions(leaders: &[Pid]) {
    // An error means that nobody is left. The leader's own pid is not tried: it may belong to somebody else by now.
    let present = leaders.iter().copied().filter(|leader| kill_process_group(*leader, Signal::STOP).is_ok());
    let present: Vec<Pid> = present.collect();
    if present.is_empty() {
        return;
    }
    for process in members_and_descendants(&present) {
        let _ = kill_process(process, Signal::KILL);
    }
    for leader in present {
        let _ = kill_process_group(leader, Signal::KILL);
    }
}

#[cfg(target_os = "linux")]
fn members_and_descendants(leaders: &[Pid]) -> Vec<Pid> {
    let leaders: HashSet<i32> = leaders.iter().map(|leader| leader.as_raw_pid()).collect();
    let processes = Processes::now();
    let members = processes.all.iter().filter(|process| leaders.contains(&process.session));
    processes.with_descendants(members.map(|process| process.pid).collect())
}

/// Elsewhere only the process group is known.
#[cfg(not(target_os = "linux"))]
fn members_and_descendants(_: &[Pid]) -> Vec<Pid> {
    Vec::new()
}

/// All processes of the system at one moment.
#[cfg(target_os = "linux")]
pub(super) struct Processes {
    all: Vec<Process>,
    /// Parent → its children.
    children: HashMap<i32, Vec<i32>>,
}

#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq, Eq)]
struct Process {
    pid: i32,
    parent: i32,
    session: i32,
}

#[cfg(target_os = "linux")]
impl Processes {
    pub(super) fn now() -> Self {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        // A process that ends meanwhile has no file any more.
        let read = |pid| parse_stat(pid, &std::fs::read(format!("/proc/{pid}/stat")).ok()?);
        let all: Vec<Process> = pids.filter_map(read).collect();
        let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
        for process in &all {
            children.entry(process.parent).or_default().push(process.pid);
        }
        Self { all, children }
    }

    /// All that a process has started and what these have started, itself excluded.
    pub(super) fn descendants(&self, ancestor: Pid) -> Vec<Pid> {
        let children = self.children.get(&ancestor.as_raw_pid()).cloned().unwrap_or_default();
        self.with_descendants(children)
    }

    fn with_descendants(&self, mut found: Vec<i32>) -> Vec<Pid> {
        let mut seen: HashSet<i32> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(parent) = found.get(next) {
            let children = self.children.get(parent).into_iter().flatten().copied();
            let new: Vec<i32> = children.filter(|child| seen.insert(*child)).collect();
            found.extend(new);
            next += 1;
        }
        found.into_iter().filter_map(Pid::from_raw).collect()
    }
}

/// Reads `{pid} ({name}) {state} {parent} {group} {session} …`; the name may hold anything.
#[cfg(target_os = "linux")]
fn parse_stat(pid: i32, stat: &[u8]) -> Option<Process> {
    let rest = &stat[memchr::memrchr(b')', stat)? + 1..];
    let mut fields = std::str::from_utf8(rest).ok()?.split_ascii_whitespace().skip(1);
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    Some(Process { pid, parent, session })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn names_of_processes_may_hold_anything() {
        let stat = b"12 (a) S 9 (\xff\n) S 7 5 3 0 -1 4194304";
        assert_eq!(parse_stat(12, stat), Some(Process { pid: 12, parent: 7, session: 3 }));
        for broken in [&b""[..], b"12 (sh", b"12 (sh) S 7", b"12 (sh) S x 5 3"] {
            assert_eq!(parse_stat(12, broken), None);
        }
    }

    #[test]
    fn this_process_is_a_descendant_of_its_parent() {
        let me = rustix::process::getpid();
        let parent = rustix::process::getppid().unwrap();
        assert!(Processes::now().descendants(parent).contains(&me));
        assert!(!Processes::now().descendants(me).contains(&me));
    }
}
