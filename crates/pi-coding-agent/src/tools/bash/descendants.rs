//! Which processes a command has started, also those that have left its session.

use rustix::process::Pid;

/// All processes of the session that `leader` leads, and everything they have started. Who has left the session is
/// found as long as its parents live; a daemon, whose parent has ended on purpose, is not.
#[cfg(target_os = "linux")]
pub(super) fn descendants(leader: Pid) -> Vec<Pid> {
    let processes = all_processes();
    let leader = leader.as_raw_pid();
    let mut found: Vec<i32> = processes.iter().filter(|p| p.session == leader).map(|p| p.pid).collect();
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        let children = processes.iter().filter(|p| p.parent == parent && p.session != leader);
        found.extend(children.map(|p| p.pid));
        next += 1;
    }
    found.into_iter().filter_map(Pid::from_raw).collect()
}

/// Elsewhere only the process group is known.
#[cfg(not(target_os = "linux"))]
pub(super) fn descendants(_: Pid) -> Vec<Pid> {
    Vec::new()
}

#[cfg(target_os = "linux")]
#[derive(Debug, PartialEq, Eq)]
struct Process {
    pid: i32,
    parent: i32,
    session: i32,
}

#[cfg(target_os = "linux")]
fn all_processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // A process that ends meanwhile has no file any more.
    pids.filter_map(|pid| parse_stat(pid, &std::fs::read(format!("/proc/{pid}/stat")).ok()?)).collect()
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
    fn this_process_has_a_parent() {
        let me = std::process::id() as i32;
        let parent = std::os::unix::process::parent_id() as i32;
        assert!(all_processes().iter().any(|p| p.pid == me && p.parent == parent));
    }
}
