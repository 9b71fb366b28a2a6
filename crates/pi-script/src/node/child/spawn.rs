//! A child: how it is started, its pipes, its end.

use std::collections::HashMap;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

use pi_guard::Unpoisoned;
use rustix::process::{Pid, Signal};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio_util::sync::CancellationToken;

use super::super::errno;
use super::super::fs::OpenFiles;
use super::signal;
use crate::op::OpError;

/// What is to be started.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Spec {
    pub(super) file: String,
    args: Vec<String>,
    argv0: Option<String>,
    cwd: String,
    env: HashMap<String, String>,
    stdio: [Channel; 3],
    /// Whether it outlives the engine.
    #[serde(default)]
    detached: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Channel {
    Pipe,
    Ignore,
    Inherit,
    /// An open file of the script.
    File(u32),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Stream {
    Out,
    Err,
}

/// A child that was started.
pub(super) struct Child {
    pid: Option<Pid>,
    /// Whether it leads a group of its own, which ends as a whole.
    leads_group: bool,
    stdin: AsyncMutex<Option<ChildStdin>>,
    stdout: AsyncMutex<Option<ChildStdout>>,
    stderr: AsyncMutex<Option<ChildStderr>>,
    /// How it ended. While this is locked it cannot end, so its number is its own.
    end: Arc<Mutex<Option<ExitStatus>>>,
    is_over: watch::Receiver<bool>,
}

impl Spec {
    /// Whether it talks to somebody: it inherits input and output.
    pub(super) fn is_interactive(&self) -> bool {
        let [stdin, stdout, _] = self.stdio;
        !self.detached && stdin == Channel::Inherit && stdout == Channel::Inherit
    }
}

/// Starts a child, on the program's terminal if that was lent. When `stop` is cancelled it is killed, unless it is detached.
pub(super) fn start(
    spec: &Spec,
    files: &OpenFiles,
    has_terminal: bool,
    stop: &CancellationToken,
) -> Result<Child, OpError> {
    let leads_group = spec.detached || !spec.stdio[1..].contains(&Channel::Inherit);
    let mut command = command(spec, files, leads_group).map_err(|error| failed(&error, spec))?;
    if has_terminal {
        command.stdin(Stdio::inherit()).stdout(Stdio::inherit());
    }
    let mut process = command.spawn().map_err(|error| failed(&error, spec))?;
    let pid = process.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    let end = Arc::new(Mutex::new(None));
    let (over, is_over) = watch::channel(false);
    let child = Child {
        pid,
        leads_group,
        stdin: AsyncMutex::new(process.stdin.take()),
        stdout: AsyncMutex::new(process.stdout.take()),
        stderr: AsyncMutex::new(process.stderr.take()),
        end: Arc::clone(&end),
        is_over,
    };
    let (stop, is_detached) = (stop.clone(), spec.detached);
    tokio::spawn(async move {
        let status = tokio::select! {
            status = process.wait() => status,
            () = stop.cancelled(), if !is_detached => {
                kill(pid, leads_group, Signal::KILL);
                process.wait().await
            }
        };
        *end.lock().unpoisoned() = Some(status.unwrap_or_default());
        over.send_replace(true);
    });
    Ok(child)
}

fn command(spec: &Spec, files: &OpenFiles, leads_group: bool) -> io::Result<Command> {
    let mut command = Command::new(&spec.file);
    command.args(&spec.args).env_clear().envs(&spec.env).current_dir(&spec.cwd);
    if let Some(name) = &spec.argv0 {
        command.arg0(name);
    }
    if leads_group {
        command.process_group(0);
    }
    // For the end of the whole program, which may come before the engine's.
    command.kill_on_drop(!spec.detached);
    let [stdin, stdout, stderr] = spec.stdio;
    // The program's input is not for scripts: it may be a protocol.
    command.stdin(match stdin {
        Channel::Pipe => Stdio::piped(),
        Channel::File(number) => files.duplicate(number)?.into(),
        Channel::Ignore | Channel::Inherit => Stdio::null(),
    });
    command.stdout(output(stdout, files)?).stderr(output(stderr, files)?);
    Ok(command)
}

fn output(channel: Channel, files: &OpenFiles) -> io::Result<Stdio> {
    Ok(match channel {
        Channel::Pipe => Stdio::piped(),
        Channel::Ignore => Stdio::null(),
        Channel::File(number) => files.duplicate(number)?.into(),
        Channel::Inherit => io::stderr().as_fd().try_clone_to_owned()?.into(),
    })
}

fn failed(error: &io::Error, spec: &Spec) -> OpError {
    let syscall = format!("spawn {}", spec.file);
    let mut error =
        errno::error(error, &syscall, &[]).with("path", spec.file.as_str()).with("spawnargs", spec.args.clone());
    let code = error.properties.get("code").and_then(Value::as_str).unwrap_or_default();
    error.message = format!("{syscall} {code}");
    error
}

fn kill(pid: Option<Pid>, is_group: bool, signal: Signal) -> bool {
    let Some(pid) = pid else { return false };
    if is_group { rustix::process::kill_process_group(pid, signal) } else { rustix::process::kill_process(pid, signal) }
        .is_ok()
}

impl Child {
    pub(super) fn pid(&self) -> Option<i32> {
        self.pid.map(|pid| pid.as_raw_nonzero().get())
    }

    /// Sends a signal to the child alone; whether it was there to take it.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        let end = self.end.lock().unpoisoned();
        end.is_none() && kill(self.pid, false, signal)
    }

    /// Ends the child and what it started.
    pub(super) fn kill_all(&self, signal: Signal) {
        let end = self.end.lock().unpoisoned();
        if end.is_none() {
            kill(self.pid, self.leads_group, signal);
        }
    }

    /// Waits for the end: `{code, signal}`.
    pub(super) async fn ended(&self) -> Value {
        let mut is_over = self.is_over.clone();
        // The sender goes only after it has said so.
        let _ = is_over.wait_for(|over| *over).await;
        let status = self.end.lock().unpoisoned().unwrap_or_default();
        json!({ "code": status.code(), "signal": status.signal().map(signal::name_of) })
    }

    /// The next piece of output; empty at the end.
    pub(super) async fn read(&self, stream: Stream, size: usize) -> Result<Vec<u8>, OpError> {
        let mut piece = Vec::with_capacity(size);
        let read = match stream {
            Stream::Out => match &mut *self.stdout.lock().await {
                Some(stdout) => stdout.read_buf(&mut piece).await,
                None => Ok(0),
            },
            Stream::Err => match &mut *self.stderr.lock().await {
                Some(stderr) => stderr.read_buf(&mut piece).await,
                None => Ok(0),
            },
        };
        read.map_err(|error| errno::error(&error, "read", &[]))?;
        piece.shrink_to_fit();
        Ok(piece)
    }

    pub(super) async fn write(&self, bytes: &[u8]) -> Result<(), OpError> {
        let mut stdin = self.stdin.lock().await;
        let stdin =
            stdin.as_mut().ok_or_else(|| OpError::new("write after end").with("code", "ERR_STREAM_WRITE_AFTER_END"))?;
        let written = stdin.write_all(bytes).await;
        written.map_err(|error| {
            let mut error = errno::error(&error, "write", &[]);
            let code = error.properties.get("code").and_then(Value::as_str).unwrap_or_default();
            error.message = format!("write {code}");
            error
        })
    }

    pub(super) async fn close_input(&self) {
        self.stdin.lock().await.take();
    }
}
