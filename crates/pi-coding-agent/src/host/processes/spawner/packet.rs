//! What the program and its spawner send each other. Both are the same binary, so nothing here has versions.

use rustix::process::{Pid, Signal};

/// What the program asks for: one packet of a socket that keeps packets apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// Start what the files of the packet say: where to report, the line, standard output, standard error and, unless it
    /// is empty, standard input.
    Start,
    /// Kill the session of this leader and all that came of it.
    KillSession(Pid),
    /// Kill the process group of this leader.
    KillGroup(Pid),
    /// Send a signal to this process alone, if it has not ended.
    Signal(Pid, Signal),
    /// Kill all commands that run.
    KillAll,
    /// The program ends in order: kill all commands that run, let the rest live on.
    Farewell,
}

/// Bytes of a request.
pub(super) const REQUEST: usize = 9;
/// Files that come with [`Request::Start`], at most.
pub(super) const FILES: usize = 5;

impl Request {
    pub(super) fn to_bytes(self) -> [u8; REQUEST] {
        let (code, pid, signal) = match self {
            Self::Start => (0, None, None),
            Self::KillSession(pid) => (1, Some(pid), None),
            Self::KillGroup(pid) => (2, Some(pid), None),
            Self::Signal(pid, signal) => (3, Some(pid), Some(signal)),
            Self::KillAll => (4, None, None),
            Self::Farewell => (5, None, None),
        };
        let mut bytes = [code; REQUEST];
        bytes[1..5].copy_from_slice(&pid.map_or(0, |pid: Pid| pid.as_raw_pid()).to_le_bytes());
        bytes[5..].copy_from_slice(&signal.map_or(0, |signal: Signal| signal.as_raw()).to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (code, numbers) = bytes.split_first()?;
        let number = |at: usize| Some(i32::from_le_bytes(numbers.get(at..at + 4)?.try_into().ok()?));
        let pid = Pid::from_raw(number(0)?);
        Some(match code {
            0 => Self::Start,
            1 => Self::KillSession(pid?),
            2 => Self::KillGroup(pid?),
            3 => Self::Signal(pid?, Signal::from_named_raw(number(4)?)?),
            4 => Self::KillAll,
            5 => Self::Farewell,
            _ => return None,
        })
    }
}

/// What becomes of a program, through a pipe of its own. A pipe that closes early means that the spawner is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::host::processes) enum Report {
    /// It runs, with this number.
    Started(Pid),
    /// It could not be started: number of the system's error, 0 for none that has one.
    NotStarted(i32),
    /// It has ended, with this status of the system.
    Ended(i32),
}

/// Bytes of a report.
pub(in crate::host::processes) const REPORT: usize = 5;

impl Report {
    pub(super) fn to_bytes(self) -> [u8; REPORT] {
        let (code, number) = match self {
            Self::Started(pid) => (0, pid.as_raw_pid()),
            Self::NotStarted(errno) => (1, errno),
            Self::Ended(status) => (2, status),
        };
        let mut bytes = [code; REPORT];
        bytes[1..].copy_from_slice(&number.to_le_bytes());
        bytes
    }

    pub(in crate::host::processes) fn from_bytes([code, number @ ..]: [u8; REPORT]) -> Option<Self> {
        let number = i32::from_le_bytes(number);
        match code {
            0 => Pid::from_raw(number).map(Self::Started),
            1 => Some(Self::NotStarted(number)),
            2 => Some(Self::Ended(number)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_arrive_as_they_were() {
        let pid = Pid::from_raw(4711).unwrap();
        for request in [
            Request::Start,
            Request::KillSession(pid),
            Request::KillGroup(pid),
            Request::Signal(pid, Signal::TERM),
            Request::KillAll,
            Request::Farewell,
        ] {
            assert_eq!(Request::from_bytes(&request.to_bytes()), Some(request));
        }
        for report in [Report::Started(pid), Report::NotStarted(2), Report::Ended(0x0f00)] {
            assert_eq!(Report::from_bytes(report.to_bytes()), Some(report));
        }
        assert_eq!(Request::from_bytes(&[9; REQUEST]), None);
        assert_eq!(Request::from_bytes(&[1; 3]), None);
    }
}
