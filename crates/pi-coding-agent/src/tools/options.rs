//! What a program may choose when it creates the tools.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use typed_builder::TypedBuilder;

use super::command_log::{COMMAND_LOG_MAX_BYTES, SpillNames};
use super::operations::{
    BashOperations, EditOperations, FindOperations, GrepOperations, LsOperations, Machine, ReadOperations, SpawnHook,
    WriteOperations,
};
use super::path::{PathBase, normalise};
use super::policy::ToolPolicy;
use super::session_env::SessionEnv;
use crate::host::processes::MAX_CONCURRENT_COMMANDS;

/// Options of the built-in tools. Everything but the working directory has a default.
#[derive(Debug, Clone, TypedBuilder)]
#[builder(field_defaults(default, setter(strip_option)))]
pub struct ToolOptions {
    /// Directory against which relative paths resolve and in which commands run; absolute. It is not a fence.
    #[builder(!default, setter(!strip_option, into))]
    pub cwd: PathBuf,
    /// What `~` means; by default the home directory of the user who runs the process.
    #[builder(setter(into))]
    pub home: Option<PathBuf>,
    /// Whether `read` scales images down to what providers accept.
    #[builder(default = true, setter(!strip_option))]
    pub auto_resize_images: bool,
    /// Shell for `bash`; by default `/bin/bash`, else the first `bash` or `sh` on the path.
    #[builder(setter(into))]
    pub shell_path: Option<PathBuf>,
    /// Put before every command, on a line of its own.
    #[builder(setter(into))]
    pub shell_command_prefix: Option<String>,
    /// Directory of the agent's own programs, put first on the commands' `PATH`.
    #[builder(setter(into))]
    pub agent_bin_dir: Option<PathBuf>,
    /// Variables added to the environment of commands, which is otherwise that of this process.
    #[builder(setter(!strip_option))]
    pub command_env: Vec<(OsString, OsString)>,
    /// Variables of the session for commands of the model, asked for when each command starts.
    pub session_env: Option<SessionEnv>,
    /// Where long command output is kept; by default the system's directory for temporary files.
    #[builder(setter(into))]
    pub temp_dir: Option<PathBuf>,
    /// How many commands run at once in this process, whatever session they belong to; the others wait. Nothing for
    /// commands elsewhere.
    #[builder(default = MAX_CONCURRENT_COMMANDS, setter(!strip_option))]
    pub max_concurrent_commands: usize,
    /// So long may the file of long command output become, in bytes; what comes then is not in it.
    #[builder(default = COMMAND_LOG_MAX_BYTES, setter(!strip_option))]
    pub command_log_max_bytes: u64,
    /// Names for the files of long command output; random by default.
    pub spill_names: Option<Arc<dyn SpillNames>>,
    /// Last change to a command before it runs.
    pub spawn_hook: Option<SpawnHook>,
    /// What the tools may touch; by default everything.
    #[builder(setter(!strip_option))]
    pub policy: ToolPolicy,
    /// Where `read` reads; by default this machine, as with the other operations.
    pub read_operations: Option<Arc<dyn ReadOperations>>,
    /// Where `write` writes.
    pub write_operations: Option<Arc<dyn WriteOperations>>,
    /// Where `edit` edits.
    pub edit_operations: Option<Arc<dyn EditOperations>>,
    /// Where `bash` runs commands.
    pub bash_operations: Option<Arc<dyn BashOperations>>,
    /// Where `grep` searches.
    pub grep_operations: Option<Arc<dyn GrepOperations>>,
    /// Where `find` looks.
    pub find_operations: Option<Arc<dyn FindOperations>>,
    /// Where `ls` looks.
    pub ls_operations: Option<Arc<dyn LsOperations>>,
}

impl ToolOptions {
    /// Lets all tools work on this machine instead. `cwd` and `home` are then directories over there.
    #[must_use]
    pub fn on(mut self, machine: &Arc<impl Machine + 'static>) -> Self {
        self.read_operations = Some(machine.clone());
        self.write_operations = Some(machine.clone());
        self.edit_operations = Some(machine.clone());
        self.bash_operations = Some(machine.clone());
        self.grep_operations = Some(machine.clone());
        self.find_operations = Some(machine.clone());
        self.ls_operations = Some(machine.clone());
        self
    }

    /// Where long command output is kept, absolute and normalised.
    pub(crate) fn spill_dir(&self) -> PathBuf {
        let dir = self.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
        normalise(&std::path::absolute(&dir).unwrap_or(dir))
    }

    /// Where relative and `~` paths start.
    pub fn path_base(&self) -> PathBase {
        let base = PathBase::new(&self.cwd);
        PathBase { home: self.home.clone().or(base.home), ..base }
    }
}
