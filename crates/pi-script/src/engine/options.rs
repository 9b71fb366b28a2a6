//! How an engine is started.

use std::path::PathBuf;
use std::sync::Arc;

use super::limits::Limits;
use super::op_table::OpTable;
use super::platform::Platform;
use super::report::Report;
use crate::fetch::Fetch;
use crate::module::ModuleTable;
use crate::op::Permissions;
use crate::terminal::TerminalLender;

/// Told of reports, on the engine's thread; must not block.
pub(super) type ReportFn = dyn Fn(Report) + Send + Sync;

/// Everything about a new engine.
#[derive(Clone)]
pub struct EngineOptions {
    /// Name of its thread, and in its log.
    pub name: String,
    /// What it may use up.
    pub limits: Limits,
    /// What it may do on the machine.
    pub permissions: Permissions,
    /// Built-in modules, and the operations that these call.
    pub platform: Platform,
    /// What scripts can ask of the program, besides what built-in modules ask.
    pub ops: OpTable,
    /// Modules of the program.
    pub modules: ModuleTable,
    /// Whether scripts can import anything. The modules of the program always can.
    pub imports: bool,
    /// `process.cwd()`, and what relative paths count from.
    pub cwd: PathBuf,
    /// How scripts reach HTTP servers; `None` for a client of this crate.
    pub fetch: Option<Arc<dyn Fetch>>,
    /// Who lends the program's terminal to children that a script waits for and that inherit its input; `None` where there
    /// is none: their input is empty then.
    pub terminal: Option<Arc<dyn TerminalLender>>,
    /// Told what happens outside of calls.
    pub on_report: Arc<ReportFn>,
}

impl EngineOptions {
    /// An engine with these built-in modules alone, in the program's directory, whose reports go to the log.
    pub fn with_platform(name: impl Into<String>, platform: Platform) -> Self {
        Self {
            name: name.into(),
            platform,
            limits: Limits::default(),
            permissions: Permissions::default(),
            ops: OpTable::default(),
            modules: ModuleTable::default(),
            imports: true,
            cwd: std::env::current_dir().unwrap_or_default(),
            fetch: None,
            terminal: None,
            on_report: Arc::new(|report| tracing::warn!(?report, "script")),
        }
    }
}

impl std::fmt::Debug for EngineOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EngineOptions").field("name", &self.name).field("limits", &self.limits).finish_non_exhaustive()
    }
}
