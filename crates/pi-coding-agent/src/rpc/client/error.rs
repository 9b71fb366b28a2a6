//! What can go wrong with a program that is driven over RPC.

use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;

/// A failure of an [`RpcClient`](super::RpcClient).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RpcClientError {
    /// The program cannot be started.
    #[error("Cannot start {}: {source}. Name another program, or check its working directory.", .program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The program has ended, or was stopped, before it answered.
    #[error("{} {exit}, so that {command} has no answer. Start it again.{}", .program.display(), last_words(.exit))]
    Ended {
        /// The program.
        program: PathBuf,
        /// The command that it was asked for.
        command: String,
        /// How it ended.
        exit: RpcExit,
    },
    /// The program refused the command. The text is the program's.
    #[error("{error}")]
    Refused {
        /// The command.
        command: String,
        /// Why.
        error: String,
    },
    /// The response is not what this version knows.
    #[error("Cannot read the response to {command}: {source}. Use the same version of pi on both sides.")]
    Response {
        /// The command.
        command: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RpcExit {
    /// The exit status; `None` while it runs and takes no commands any more, or when the system does not tell.
    pub status: Option<ExitStatus>,
    /// The last 64 KiB of what it wrote to standard error.
    pub stderr: String,
}

impl RpcExit {
    /// Whether it ended by itself and with code 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

impl fmt::Display for RpcExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            // "exit status: 1" or "signal: 9 (SIGKILL)".
            Some(status) => write!(f, "has ended ({status})"),
            None => write!(f, "takes no further commands"),
        }
    }
}

fn last_words(exit: &RpcExit) -> String {
    match exit.stderr.trim() {
        "" => String::new(),
        words => format!(" It said:\n{words}"),
    }
}
