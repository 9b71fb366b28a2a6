//! The program's side of the spawner: one per process, started when it is needed, again when somebody has killed it.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pi_guard::Unpoisoned;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, Shutdown, SocketFlags, SocketType,
    recv, sendmsg, shutdown, socketpair, sockopt,
};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe;

use super::packet::{FILES, Report, Request};
use super::reports::Reports;
use super::{ARGUMENT, NAME};
use crate::host::processes::launch::{Launch, ProcessGroup};
use crate::host::processes::limits;

/// How long the spawner may take to start, on a busy machine.
const START: Duration = Duration::from_secs(30);
/// How long its end is waited for when the program ends. It has to kill what still runs.
const END: Duration = Duration::from_secs(2);
/// Pause before a request is repeated for which there was no room.
const PAUSE: Duration = Duration::from_millis(2);
/// A process that was killed closes its files a moment before it counts as ended.
const SETTLED: Duration = Duration::from_millis(100);

/// Whether this program's `main` begins with a call that knows the spawner's argument.
static IS_PERMITTED: AtomicBool = AtomicBool::new(false);
static STATE: Mutex<SpawnerState> = Mutex::new(SpawnerState::None);
/// One task at a time starts it.
static STARTING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

enum SpawnerState {
    None,
    Running(Arc<Link>),
    /// It could be started and did not answer: the system, or a wall around the program, does not want it.
    Unusable,
}

/// A spawner that was started.
#[derive(Debug)]
pub(in crate::host::processes) struct Link {
    socket: OwnedFd,
    process: Mutex<std::process::Child>,
}

/// Why a command was not started.
#[derive(Debug)]
pub(in crate::host::processes) enum StartError {
    /// There is no spawner any more, and it has not got the request.
    Gone,
    /// All else.
    Failed(io::Error),
}

/// From now on the spawner may be started.
pub(in crate::host::processes) fn permit() {
    IS_PERMITTED.store(true, Ordering::Relaxed);
}

/// The spawner, if there can be one here.
pub(in crate::host::processes) async fn link() -> Option<Arc<Link>> {
    if !IS_PERMITTED.load(Ordering::Relaxed) {
        return None;
    }
    if let Some(link) = running() {
        return Some(link);
    }
    let _turn = STARTING.lock().await;
    if let Some(link) = running() {
        return Some(link);
    }
    if matches!(*state(), SpawnerState::Unusable) {
        return None;
    }
    // Kept there even if nobody waits any more.
    tokio::task::spawn_blocking(begin).await.ok().flatten()
}

fn state() -> MutexGuard<'static, SpawnerState> {
    STATE.lock().unpoisoned()
}

/// The spawner that runs. One that has ended is reaped and forgotten.
fn running() -> Option<Arc<Link>> {
    let mut state = state();
    let SpawnerState::Running(link) = &*state else { return None };
    if link.process().try_wait().is_ok_and(|ended| ended.is_none()) {
        return Some(Arc::clone(link));
    }
    *state = SpawnerState::None;
    None
}

fn begin() -> Option<Arc<Link>> {
    // No room for it: the command finds out the same.
    let link = Arc::new(Link::start().ok()?);
    if !link.is_ready() {
        let mut process = link.process();
        let _ = process.kill().and_then(|()| process.wait());
        *state() = SpawnerState::Unusable;
        return None;
    }
    *state() = SpawnerState::Running(Arc::clone(&link));
    Some(link)
}

/// Has all commands killed. Returns at once.
pub(in crate::host::processes) fn kill_all() {
    if let SpawnerState::Running(link) = &*state() {
        let _ = link.send(Request::KillAll);
    }
}

/// Tells the spawner that the program ends in order, and waits until it has ended.
pub(in crate::host::processes) fn farewell() {
    let SpawnerState::Running(link) = std::mem::replace(&mut *state(), SpawnerState::None) else { return };
    let _ = link.send(Request::Farewell);
    let _ = shutdown(&link.socket, Shutdown::Both);
    let begin = Instant::now();
    let mut process = link.process();
    while begin.elapsed() < END && process.try_wait().is_ok_and(|ended| ended.is_none()) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl Link {
    fn start() -> io::Result<Self> {
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        // By this way it is found even if the file has been replaced meanwhile.
        let mut command = Command::new("/proc/self/exe");
        command.arg0(&*NAME.to_string_lossy()).arg(ARGUMENT).arg(limits::before().unwrap_or_default().to_string());
        command.stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        // Of the program's session, so that the system wakes it at the end of the program if somebody has stopped it;
        // not of its group, so that keys of the terminal do not reach it.
        let process = Mutex::new(command.process_group(0).spawn()?);
        Ok(Self { socket: ours, process })
    }

    fn is_ready(&self) -> bool {
        let _ = sockopt::set_socket_timeout(&self.socket, sockopt::Timeout::Recv, Some(START));
        recv(&self.socket, &mut [0; 1], RecvFlags::empty()).is_ok_and(|(_, length)| length == 1)
    }

    fn process(&self) -> MutexGuard<'_, std::process::Child> {
        self.process.lock().unpoisoned()
    }

    /// Wakes the spawner if somebody has stopped it.
    pub(super) fn nudge(&self) {
        let mut process = self.process();
        if process.try_wait().is_ok_and(|ended| ended.is_none())
            && let Some(pid) = i32::try_from(process.id()).ok().and_then(Pid::from_raw)
        {
            let _ = kill_process(pid, Signal::CONT);
        }
    }

    /// Why there is no report: the spawner is about to end, or had no room for the files of one more.
    async fn silence(&self) -> io::Error {
        tokio::time::sleep(SETTLED).await;
        let is_alive = self.process().try_wait().is_ok_and(|ended| ended.is_none());
        if is_alive { Errno::MFILE.into() } else { lost() }
    }

    /// Sends a request without files. Returns whether there was somebody to take it, and room.
    fn send(&self, request: Request) -> bool {
        self.nudge();
        self.send_with(request, &[]).is_ok()
    }

    fn send_with(&self, request: Request, files: &[std::os::fd::BorrowedFd<'_>]) -> rustix::io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() {
            control.push(SendAncillaryMessage::ScmRights(files));
        }
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        sendmsg(&self.socket, &[IoSlice::new(&request.to_bytes())], &mut control, flags).map(|_| ())
    }

    /// Starts a program.
    pub(in crate::host::processes) async fn start_program(
        &self,
        launch: &Launch,
    ) -> Result<(Pid, Reports), StartError> {
        let failed = |error: io::Error| StartError::Failed(error);
        let (reader, writer) = io::pipe().map_err(failed)?;
        // A pipe and not a file in memory: that would count against a limit of file sizes.
        let (line, line_writer) = io::pipe().map_err(failed)?;
        let mut line_writer = pipe::Sender::from_owned_fd(line_writer.into()).map_err(failed)?;
        let mut reports = Reports::new(reader.into()).map_err(failed)?;
        self.nudge();
        loop {
            let mut files = vec![writer.as_fd(), line.as_fd(), launch.stdout.as_fd(), launch.stderr.as_fd()];
            files.extend(launch.stdin.as_ref().map(AsFd::as_fd));
            match self.send_with(Request::Start, &files) {
                Ok(()) => break,
                Err(Errno::AGAIN | Errno::INTR | Errno::NOBUFS | Errno::TOOMANYREFS) => {
                    self.nudge();
                    tokio::time::sleep(PAUSE).await;
                }
                Err(Errno::PIPE | Errno::CONNRESET | Errno::NOTCONN) => return Err(StartError::Gone),
                Err(error) => return Err(StartError::Failed(error.into())),
            }
        }
        drop((writer, line));
        let write = async {
            // A spawner that does not read it is gone, or has no room: the report says so.
            let _ = line_writer.write_all(&launch.line.to_bytes()).await;
            drop(line_writer);
        };
        let ((), report) = tokio::join!(write, reports.next(Some(self)));
        match report.map_err(failed)? {
            Some(Report::Started(pid)) => Ok((pid, reports)),
            Some(Report::NotStarted(0) | Report::Ended(_)) => Err(failed(io::Error::other("it could not be started"))),
            Some(Report::NotStarted(errno)) => Err(failed(io::Error::from_raw_os_error(errno))),
            None => Err(failed(self.silence().await)),
        }
    }

    /// Has a program killed with what belongs to its place. Returns whether that will be done.
    pub(in crate::host::processes) fn kill(&self, pid: Pid, place: ProcessGroup) -> bool {
        self.send(match place {
            ProcessGroup::Session => Request::KillSession(pid),
            ProcessGroup::Group => Request::KillGroup(pid),
            ProcessGroup::Ours => Request::Signal(pid, Signal::KILL),
        })
    }

    pub(in crate::host::processes) fn signal(&self, process: Pid, signal: Signal) -> bool {
        self.send(Request::Signal(process, signal))
    }
}

/// Somebody has killed the spawner.
pub(in crate::host::processes) fn lost() -> io::Error {
    io::Error::other("the process that starts commands (command-spawner) was killed")
}
