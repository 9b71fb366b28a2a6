//! What a program may choose when it creates the tools.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use typed_builder::TypedBuilder;

use super::bash::{BashOperations, SpawnHook, SpillNames};
use super::operations::{EditOperations, ReadOperations, WriteOperations};
use super::path::PathBase;

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
    /// Where long command output is kept; by default the system's directory for temporary files.
    #[builder(setter(into))]
    pub temp_dir: Option<PathBuf>,
    /// Names for the files of long command output; random by default.
    pub spill_names: Option<Arc<dyn SpillNames>>,
    /// Last change to a command before it runs.
    pub spawn_hook: Option<SpawnHook>,
    /// Where `read` reads; by default this machine, as with the other operations.
    pub read_operations: Option<Arc<dyn ReadOperations>>,
    /// Where `write` writes.
    pub write_operations: Option<Arc<dyn WriteOperations>>,
    /// Where `edit` edits.
    pub edit_operations: Option<Arc<dyn EditOperations>>,
    /// Where `bash` runs commands.
    pub bash_operations: Option<Arc<dyn BashOperations>>,
}

impl ToolOptions {
    /// Where relative and `~` paths start.
    pub fn path_base(&self) -> PathBase {
        let base = PathBase::new(&self.cwd);
        PathBase { home: self.home.clone().or(base.home), ..base }
    }
}
