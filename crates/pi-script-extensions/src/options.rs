//! How scripts run.

use std::path::PathBuf;
use std::sync::Arc;

use pi_ai::Clock;
use pi_coding_agent::session::SessionHost;
use serde_json::Value;

/// How the words of a command line are read, for `parseArgs` of scripts: the program's own grammar, as JSON.
pub type ParseCommandLine = fn(Vec<String>) -> Value;

/// Options of one extension.
#[derive(Debug, Clone)]
pub struct ScriptOptions {
    /// Environment, clock and ids of the program. Sessions that the script makes take clock and ids of the session that it
    /// serves, once there is one.
    pub host: SessionHost,
    /// The clock of files and logins, whose times are real also while a session is replayed.
    pub clock: Arc<dyn Clock>,
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

impl ScriptOptions {
    /// In the directories of `host`, without limits: everything is permitted.
    pub fn new(host: SessionHost) -> Self {
        Self {
            agent_dir: host.paths.agent_dir().to_owned(),
            cwd: host.paths.cwd().to_owned(),
            clock: Arc::clone(&host.clock),
            host,
            limits: pi_script::Limits::default(),
            permissions: pi_script::Permissions::default(),
            http_proxy: None,
            parse_command_line: None,
        }
    }
}
