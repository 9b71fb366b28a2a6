//! A terminal that belongs to another process, and programs that use the terminal for a while.

use std::io;
use std::os::fd::OwnedFd;
use std::process::Command;

/// The terminal of another process.
pub(crate) struct LentTerminal {
    /// What that process reads and writes.
    pub(crate) descriptors: [OwnedFd; 2],
    /// That process.
    pub(crate) lender: Box<dyn Lender>,
}

impl std::fmt::Debug for LentTerminal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LentTerminal").field("descriptors", &self.descriptors).finish_non_exhaustive()
    }
}

/// The process of a terminal, which can do what only the process of the terminal can: it is the one that the shell knows.
/// Each call waits until that process answers.
pub(crate) trait Lender: Send {
    /// Stops that process, as Ctrl+Z does, until the shell lets it go on.
    ///
    /// # Errors
    /// When it is gone.
    fn suspend(&self) -> io::Result<()>;

    /// Runs a program there, in the foreground: its name, then its arguments.
    ///
    /// # Errors
    /// When the program cannot be started, or the process is gone.
    fn run(&self, command: &[String]) -> io::Result<Ended>;
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Ended {
    /// Whether it did what it was asked for.
    pub(crate) success: bool,
    /// Its exit code or signal, in words.
    pub(crate) status: String,
}

/// Runs a program on the terminal of this process.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn run(command: &[String]) -> io::Result<Ended> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let status = Command::new(program).args(arguments).status()?;
    Ok(Ended { success: status.success(), status: status.to_string() })
}
