//! What can go wrong with a server, in sentences for the user and the model.

use std::time::Duration;

/// A failure of a server or of a call of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    /// A value needs a variable that is not set.
    #[error("MCP server \"{server}\" needs the environment variable {variable}, which is not set")]
    Variable {
        /// Name of the server.
        server: String,
        /// Name of the variable.
        variable: String,
    },
    /// The command of a value failed, took too long or printed nothing.
    #[error("MCP server \"{server}\": the command for one of its values gave none: {command}")]
    ValueCommand {
        /// Name of the server.
        server: String,
        /// The command.
        command: String,
    },
    /// There is no such program.
    #[error(
        "MCP server \"{server}\" cannot be started: there is no program \"{command}\". Is it installed, and on the PATH?"
    )]
    NoProgram {
        /// Name of the server.
        server: String,
        /// The program.
        command: String,
    },
    /// What speaks to pi as to a server does not speak MCP.
    #[error("The client does not begin as a client of MCP does: {detail}")]
    NoClient {
        /// What it did.
        detail: String,
    },
    /// The program of a server could not be started.
    #[error("MCP server \"{server}\" cannot be started: {detail}")]
    Start {
        /// Name of the server.
        server: String,
        /// What the system says.
        detail: String,
    },
    /// The program runs, or the address is open, and nothing is said.
    #[error("MCP server \"{server}\" did not answer within {} s of its start{hint}", .after.as_secs_f64())]
    Silent {
        /// Name of the server.
        server: String,
        /// How long it was waited for.
        after: Duration,
        /// What else was seen of it.
        hint: String,
    },
    /// The program ended, or the connection was closed.
    #[error("MCP server \"{server}\" ended{how}")]
    Ended {
        /// Name of the server.
        server: String,
        /// How, and what it said last.
        how: String,
    },
    /// A message was longer than any may be.
    #[error("MCP server \"{server}\" sent a message of more than {limit} MB and was stopped")]
    TooLarge {
        /// Name of the server.
        server: String,
        /// The limit.
        limit: usize,
    },
    /// The server said no to the handshake, or answered something else than MCP.
    #[error("MCP server \"{server}\" cannot be used: {detail}")]
    Handshake {
        /// Name of the server.
        server: String,
        /// What it said.
        detail: String,
    },
    /// The server wants a login.
    #[error("MCP server \"{server}\" needs a login: pi mcp login {server}")]
    Login {
        /// Name of the server.
        server: String,
    },
    /// The login does not permit what was asked for.
    #[error(
        "The login to MCP server \"{server}\" does not permit {tool}. To permit it: pi mcp login {server} --scope \"{scope}\""
    )]
    Scope {
        /// Name of the server.
        server: String,
        /// What was called.
        tool: String,
        /// What is missing.
        scope: String,
    },
    /// The stored login cannot be used or renewed.
    #[error("The login to MCP server \"{server}\" cannot be used: {detail}")]
    StoredLogin {
        /// Name of the server.
        server: String,
        /// Why not.
        detail: String,
    },
    /// An answer over HTTP is no answer.
    #[error("MCP server \"{server}\" gave no answer to {tool} that can be read: {detail}")]
    Broken {
        /// Name of the server.
        server: String,
        /// What was called.
        tool: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A call had no answer in time.
    #[error("MCP server \"{server}\" did not answer the call of {tool} within {} s{hint}. A longer \"timeout\" (in milliseconds) can be set in its entry", .after.as_secs_f64())]
    Timeout {
        /// Name of the server.
        server: String,
        /// What was called.
        tool: String,
        /// How long it was waited for.
        after: Duration,
        /// What else was seen of it.
        hint: String,
    },
    /// The server refused a call.
    #[error("MCP server \"{server}\" refused {tool}: {message}")]
    Refused {
        /// Name of the server.
        server: String,
        /// What was called.
        tool: String,
        /// Its reason.
        message: String,
    },
    /// The tool is declared, but its server has dropped it.
    #[error("MCP server \"{server}\" no longer has the tool {tool}: do not call it again. The server says: {message}")]
    Vanished {
        /// Name of the server.
        server: String,
        /// What was called.
        tool: String,
        /// How the server refused it.
        message: String,
    },
    /// The answer is of a kind that pi does not know.
    #[error("MCP server \"{server}\" answered {tool} with {what}, which pi does not support")]
    Unsupported {
        /// Name of the server.
        server: String,
        /// What was called.
        tool: String,
        /// The kind.
        what: String,
    },
    /// The run was aborted.
    #[error("Operation aborted")]
    Cancelled,
}

impl Error {
    /// Whether the connection is of no use any more.
    pub(crate) fn ends_connection(&self) -> bool {
        matches!(self, Self::Ended { .. } | Self::TooLarge { .. } | Self::Login { .. } | Self::StoredLogin { .. })
    }
}

/// An error with the innermost of its causes: those between repeat each other.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let innermost = std::iter::successors(error.source(), |source| source.source()).last().map(ToString::to_string);
    let text = error.to_string();
    match innermost {
        Some(cause) if !text.contains(&cause) => format!("{text}: {cause}"),
        _ => text,
    }
}
