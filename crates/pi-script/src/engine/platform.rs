//! What is built into an engine: modules, and the operations that these call.

use std::fmt;
use std::sync::Arc;

use super::op_table::OpTable;
use crate::fetch::Fetch;
use crate::module::BuiltinModules;
use crate::terminal::TerminalLender;

/// Built-in modules and their operations. Clones are the same.
#[derive(Clone)]
pub struct Platform(pub(crate) Arc<dyn PlatformParts>);

impl fmt::Debug for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Platform")
    }
}

/// What a platform consists of.
pub(crate) trait PlatformParts: BuiltinModules {
    /// Adds the operations that the modules call, for one engine.
    fn add_ops(&self, ops: &mut OpTable, provisions: Provisions);
}

/// What the program gives to the operations of a platform.
#[derive(Default)]
pub(crate) struct Provisions {
    /// What connections to HTTP servers go through.
    pub(crate) fetch: Option<Arc<dyn Fetch>>,
    /// Who lends the program's terminal.
    pub(crate) terminal: Option<Arc<dyn TerminalLender>>,
}
