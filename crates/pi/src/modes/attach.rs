//! The client of a program that listens: this process lends it the terminal, and does what only the process of the terminal
//! can. `listen` is the other end.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pi_coding_agent::paths::Paths;
use pi_tui::term::{Loan, TermError};

use super::interactive::run_on_terminal;
use super::listen::{
    Description, FromClient, Hello, PROTOCOL, ToClient, list_sockets, message_line, send_descriptors, socket_directory,
};

/// A program that listens answers sooner.
const PATIENCE: Duration = Duration::from_secs(5);

/// Variables that tell of the terminal and of its user. What is missing here is missing there.
pub(crate) const TERMINAL_VARIABLES: &[&str] = &[
    "COLORFGBG",
    "COLORTERM",
    "DISPLAY",
    "EDITOR",
    "GHOSTTY_RESOURCES_DIR",
    "ITERM_SESSION_ID",
    "KITTY_WINDOW_ID",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "NO_COLOR",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "STY",
    "TERM",
    "TERMINAL_EMULATOR",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "TMUX_PANE",
    "VISUAL",
    "VTE_VERSION",
    "WAYLAND_DISPLAY",
    "WEZTERM_PANE",
    "WT_SESSION",
];

/// Why there is no screen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AttachError {
    /// There is nothing to lend.
    #[error("{0}; pi attach needs a terminal")]
    Terminal(#[from] TermError),
    /// The other program is not there, or has gone.
    #[error("the program that has the session is gone: {0}")]
    Gone(#[from] io::Error),
    /// It refuses.
    #[error("{0}")]
    Refused(String),
}

/// How the screen was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// The session goes on.
    Detached,
    /// It is over.
    Ended,
}

/// The sockets of programs that listen, and what they have, the newest first. Files that were left are removed.
pub(crate) fn attachable(paths: &Paths) -> Vec<(PathBuf, Description)> {
    let mut found = Vec::new();
    for socket in list_sockets(&socket_directory(paths)) {
        match UnixStream::connect(&socket) {
            Ok(stream) => found.extend(describe(&stream).map(|description| (socket, description))),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => drop(std::fs::remove_file(&socket)),
            Err(_) => {}
        }
    }
    found
}

/// Asks the program behind a socket what it has.
fn describe(mut stream: &UnixStream) -> Option<Description> {
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.write_all(&message_line(&Hello::Describe {})).ok()?;
    match next(&mut BufReader::new(stream)).ok()? {
        ToClient::Description { description } => Some(description),
        _ => None,
    }
}

/// Asks the program behind a socket to end, and waits until it has.
///
/// # Errors
/// When it is gone already, or refuses.
pub(crate) fn end(socket: &Path) -> io::Result<()> {
    let stream = UnixStream::connect(socket)?;
    (&stream).write_all(b"{\"type\":\"shutdown\",\"mode\":\"abort\"}\n")?;
    for line in BufReader::new(stream).split(b'\n') {
        let answer: serde_json::Value = serde_json::from_slice(&line?)?;
        // Events may come before it.
        if answer["command"] == "shutdown" && answer["success"] != true {
            return Err(io::Error::other(answer["error"].as_str().unwrap_or_default().to_owned()));
        }
    }
    Ok(())
}

/// Shows the session of the program behind a socket, until the user leaves it or it ends. `name` is what others see.
///
/// # Errors
/// When this is no terminal, or the program refuses, or dies.
pub(crate) fn attach(socket: &Path, name: String, env: BTreeMap<String, String>) -> Result<Left, AttachError> {
    let loan = Loan::open()?;
    let stream = UnixStream::connect(socket)?;
    tell_sizes(stream.try_clone()?)?;
    let hello = message_line(&Hello::Attach { protocol: PROTOCOL, name, env });
    send_descriptors(&stream, &hello, &loan.descriptors())?;
    let mut messages = BufReader::new(stream.try_clone()?);
    loop {
        let answer = match next(&mut messages)? {
            ToClient::Detached { has_ended } => {
                loan.returned();
                return Ok(if has_ended { Left::Ended } else { Left::Detached });
            }
            ToClient::Refused { message } => {
                loan.returned();
                return Err(AttachError::Refused(message));
            }
            ToClient::Suspend {} => {
                loan.suspend()?;
                FromClient::Resumed {}
            }
            ToClient::Run { command } => {
                FromClient::Ran { ended: run_on_terminal(&command).map_err(|error| error.to_string()) }
            }
            ToClient::Description { .. } => continue,
        };
        (&stream).write_all(&message_line(&answer))?;
    }
}

/// The next message.
fn next(messages: &mut impl BufRead) -> io::Result<ToClient> {
    let mut line = Vec::new();
    if messages.read_until(b'\n', &mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&line)?)
}

/// Tells the program whenever the window has another size, on a thread of its own. Signals that would end this process are
/// the program's to see as a connection that ends; the terminal is put back here.
fn tell_sizes(stream: UnixStream) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let tell = move || {
        runtime.block_on(async {
            let Ok(mut resized) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::window_change()) else {
                return;
            };
            let Ok(mut signals) = super::Signals::install() else { return };
            loop {
                tokio::select! {
                    _ = resized.recv() => {
                        if (&stream).write_all(&message_line(&FromClient::Resized {})).is_err() {
                            return;
                        }
                    }
                    _ = signals.next() => {
                        // The program puts the terminal back and says so.
                        let _ = stream.shutdown(std::net::Shutdown::Write);
                    }
                }
            }
        });
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(tell).map(drop)
}
