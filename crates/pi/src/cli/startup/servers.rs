//! Servers of MCP: an extension of the program, where some are configured, or other extensions may add some. Without both it is
//! not even loaded.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Startup;
#[cfg(feature = "mcp")]
use super::codemode;
use pi_coding_agent::extension::Extension;

/// Makes the extension for the servers of a session in a directory: those that are configured, and these.
pub(super) type Make = Arc<dyn Fn(&Path, Map<String, Value>) -> Option<Arc<dyn Extension>> + Send + Sync>;

/// Adds the servers of this directory to the extensions of the run, once. Where none is configured, others may add some.
pub(super) fn add(start: &mut Startup, cwd: &Path, has_others: bool) {
    if start.has_servers || !(has_others || are_configured(start, cwd)) {
        return;
    }
    if let Some(extension) = maker(start).and_then(|make| make(cwd, Map::new())) {
        start.has_servers = true;
        start.extensions.add(extension);
    }
}

#[cfg(feature = "mcp")]
fn are_configured(start: &Startup, cwd: &Path) -> bool {
    pi_mcp::has_servers(start.paths.agent_dir(), cwd)
}

#[cfg(not(feature = "mcp"))]
fn are_configured(_: &Startup, _: &Path) -> bool {
    false
}

/// `None` where there are to be no servers.
#[cfg(feature = "mcp")]
pub(super) fn maker(start: &Startup) -> Option<Make> {
    if start.line.args.no_mcp {
        return None;
    }
    let paths = start.paths.clone();
    Some(Arc::new(move |_, handed_over| {
        let env = paths.env().clone();
        let servers = pi_mcp::Mcp::new(paths.clone());
        let servers = servers.with_script_tool(codemode::tool());
        let servers = servers.with_browser(move |url| crate::common::browser::open(url, &env));
        Some(Arc::new(servers.with_servers(handed_over)) as Arc<dyn Extension>)
    }))
}

#[cfg(not(feature = "mcp"))]
pub(super) fn maker(_: &Startup) -> Option<Make> {
    None
}
