//! How scripts run.

use std::path::PathBuf;

use serde_json::Value;

/// How the words of a command line are read, for `parseArgs` of scripts: the program's own grammar, as JSON.
pub type ParseCommandLine = fn(Vec<String>) -> Value;

/// Options of one extension.
#[derive(Debug, Clone, Default)]
pub struct ScriptOptions {
    /// The user's configuration directory.
    pub agent_dir: PathBuf,
    /// The session's working directory.
    pub cwd: PathBuf,
    /// What it may use up.
    pub limits: pi_script::Limits,
    /// What it may do on the machine.
    pub permissions: pi_script::Permissions,
    /// The proxy of its requests where the environment names none.
    pub http_proxy: Option<String>,
    /// What `parseArgs` does; absent: it fails.
    pub parse_command_line: Option<ParseCommandLine>,
}
