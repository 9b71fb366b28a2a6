//! The process that starts commands. One thread: children are reaped between requests only, so nobody else waits for a
//! child that it starts.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::std::{CommandWrap, ProcessSession};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, recvmsg, send};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, getpid, getrlimit, kill_process, kill_process_group,
    set_child_subreaper, setrlimit, wait,
};
use tokio::io::Interest;
use tokio::signal::unix::{SignalKind, signal};

use super::super::launch::{Line, ProcessGroup};
use super::super::tree::{Processes, kill_sessions};
use super::packet::{FILES, REQUEST, Report, Request};

/// How long what the program has left is hunted for: some processes cannot be killed.
const ROUNDS: u32 = 500;
const ROUND: Duration = Duration::from_millis(20);

/// Starts commands until the program at the other end of standard input is gone. `soft_limit` is the one of open files
/// that commands get.
///
/// # Errors
/// When standard input is not what the program makes it, or the system refuses something.
pub(in crate::host::processes) fn serve(soft_limit: Option<u64>) -> io::Result<()> {
    let (socket, runtime) = prepare(soft_limit)?;
    runtime.block_on(run(socket))
}

fn prepare(soft_limit: Option<u64>) -> io::Result<(OwnedFd, tokio::runtime::Runtime)> {
    // Called by hand, standard input is no such socket.
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    let kind = rustix::net::sockopt::socket_type(&socket)?;
    if kind != rustix::net::SocketType::SEQPACKET {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let _ = rustix::thread::set_name(super::NAME);
    if let Some(current) = soft_limit {
        let maximum = getrlimit(Resource::Nofile).maximum;
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum });
    }
    set_child_subreaper(Some(getpid()))?;
    Ok((socket, tokio::runtime::Builder::new_current_thread().enable_io().build()?))
}

async fn run(socket: OwnedFd) -> io::Result<()> {
    let mut ended = signal(SignalKind::child())?;
    let _deaf = deaf()?;
    // Says that it is ready.
    send(&socket, &[0], SendFlags::NOSIGNAL)?;
    // Watched as the stream that it is not; what is received is cut into packets all the same.
    let socket = std::os::unix::net::UnixStream::from(socket);
    socket.set_nonblocking(true)?;
    let socket = tokio::net::UnixStream::from_std(socket)?;
    let mut commands = Commands::default();
    loop {
        tokio::select! {
            _ = ended.recv() => commands.reap(),
            ready = socket.readable() => {
                ready?;
                let requests = || commands.take_requests(socket.as_fd());
                match socket.try_io(Interest::READABLE, requests) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    _ => break,
                }
            }
        }
    }
    if commands.is_farewell {
        commands.kill_running();
    } else {
        commands.kill_everything();
    }
    Ok(())
}

/// Signals that a user sends to all that belongs to the program do not end the spawner before it has ended the commands.
/// They are handled and not ignored: commands would inherit that.
fn deaf() -> io::Result<Vec<tokio::signal::unix::Signal>> {
    let ignored = ignored_signals();
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()];
    // What the program was started without, such as hang-ups under `nohup`, its commands are without, too.
    let heard = kinds.into_iter().filter(|kind| ignored >> (kind.as_raw_value() - 1) & 1 == 0);
    heard.map(signal).collect()
}

/// A bit per signal, from 1.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

/// The commands that have not ended.
#[derive(Default)]
struct Commands {
    running: HashMap<i32, Command>,
    is_farewell: bool,
}

struct Command {
    report: File,
    place: ProcessGroup,
}

impl Commands {
    /// Does what has been asked for.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] when that was all for now; anything else, and no error, means that the other end is
    /// gone.
    fn take_requests(&mut self, socket: BorrowedFd<'_>) -> io::Result<()> {
        // Those that come together are ended together.
        let mut sessions = Vec::new();
        let end = loop {
            match receive(socket) {
                Ok(Some((request, files))) => self.answer(request, files, &mut sessions),
                Ok(None) => break Ok(()),
                Err(Errno::INTR) => {}
                Err(error) => break Err(error.into()),
            }
        };
        kill_sessions(&sessions);
        end
    }

    fn answer(&mut self, request: Option<Request>, files: Vec<OwnedFd>, sessions: &mut Vec<Pid>) {
        match request {
            Some(Request::Start) => sessions.extend(self.start(files)),
            Some(Request::KillSession(leader)) => sessions.push(leader),
            Some(Request::KillGroup(leader)) => {
                let _ = kill_process_group(leader, Signal::KILL);
            }
            // It has not been waited for, so the number is its own.
            Some(Request::Signal(pid, signal)) if self.running.contains_key(&pid.as_raw_pid()) => {
                let _ = kill_process(pid, signal);
            }
            Some(Request::KillAll) => sessions.extend(self.leaders()),
            Some(Request::Farewell) => self.is_farewell = true,
            Some(Request::Signal(..)) | None => {}
        }
    }

    fn leaders(&self) -> impl Iterator<Item = Pid> {
        let sessions = self.running.iter().filter(|(_, command)| command.place == ProcessGroup::Session);
        sessions.filter_map(|(pid, _)| Pid::from_raw(*pid))
    }

    /// Returns a session that nobody wants any more.
    fn start(&mut self, files: Vec<OwnedFd>) -> Option<Pid> {
        let mut files = files.into_iter();
        // Without it nobody waits for an answer; with it alone, this process has no room for the others.
        let mut report = File::from(files.next()?);
        let started = match (files.next(), files.next(), files.next()) {
            (Some(line), Some(stdout), Some(stderr)) => start(line, files.next(), stdout, stderr),
            _ => Err(Errno::MFILE.into()),
        };
        let said = match &started {
            Ok((pid, _)) => Report::Started(*pid),
            Err(error) => Report::NotStarted(error.raw_os_error().unwrap_or_default()),
        };
        let is_unwanted = report.write_all(&said.to_bytes()).is_err();
        let (pid, place) = started.ok()?;
        self.running.insert(pid.as_raw_pid(), Command { report, place });
        (is_unwanted && place == ProcessGroup::Session).then_some(pid)
    }

    /// Takes note of all children that have ended, also of those that commands have left behind.
    fn reap(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if let Some(mut command) = self.running.remove(&pid.as_raw_pid()) {
                let _ = command.report.write_all(&Report::Ended(status.as_raw()).to_bytes());
            }
        }
    }

    fn kill_running(&mut self) {
        kill_sessions(&self.leaders().collect::<Vec<_>>());
        for (pid, command) in &self.running {
            let Some(pid) = Pid::from_raw(*pid) else { continue };
            let _ = match command.place {
                ProcessGroup::Session => Ok(()),
                ProcessGroup::Group => kill_process_group(pid, Signal::KILL),
                ProcessGroup::Ours => kill_process(pid, Signal::KILL),
            };
        }
    }

    /// Ends all that commands have started and that still runs, until this process has no child any more.
    fn kill_everything(&mut self) {
        // Without `/proc` this is what is known.
        self.kill_running();
        for _ in 0..ROUNDS {
            let find = || Processes::now().descendants(getpid());
            // Who stands still starts nobody.
            signal_all(&find(), Signal::STOP);
            signal_all(&find(), Signal::KILL);
            loop {
                match wait(WaitOptions::NOHANG) {
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    Err(_) => return,
                }
            }
            std::thread::sleep(ROUND);
        }
    }
}

fn signal_all(processes: &[Pid], signal: Signal) {
    for process in processes {
        let _ = kill_process(*process, signal);
    }
}

fn start(line: OwnedFd, stdin: Option<OwnedFd>, stdout: OwnedFd, stderr: OwnedFd) -> io::Result<(Pid, ProcessGroup)> {
    let (mut file, mut text) = (File::from(line), Vec::new());
    file.read_to_end(&mut text)?;
    let line = Line::from_bytes(&text).ok_or(Errno::INVAL)?;
    let mut command = line.command();
    command.stdin(stdin.map_or_else(Stdio::null, Stdio::from)).stdout(stdout).stderr(stderr);
    let id = match line.place {
        ProcessGroup::Session => CommandWrap::from(command).wrap(ProcessSession).spawn()?.id(),
        ProcessGroup::Group => command.process_group(0).spawn()?.id(),
        // That of the program, which is the leader's parent.
        ProcessGroup::Ours => command.process_group(program_group()).spawn()?.id(),
    };
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw).ok_or(Errno::SRCH)?;
    Ok((pid, line.place))
}

/// The process group of the program.
fn program_group() -> i32 {
    let group = rustix::process::getppid().and_then(|parent| rustix::process::getpgid(Some(parent)).ok());
    group.map_or(0, Pid::as_raw_pid)
}

/// The next request with its files; `None` when the other end is gone.
fn receive(socket: BorrowedFd<'_>) -> rustix::io::Result<Option<(Option<Request>, Vec<OwnedFd>)>> {
    let mut bytes = [0; REQUEST];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let received = recvmsg(socket, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags)?;
    let files = control.drain().flat_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => files.collect(),
        _ => Vec::new(),
    });
    let files = files.collect();
    Ok((received.bytes > 0).then(|| (Request::from_bytes(&bytes[..received.bytes]), files)))
}
