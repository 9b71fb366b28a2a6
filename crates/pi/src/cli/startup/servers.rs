//! Servers of MCP: an extension of the program, where some are configured. Without them it is not even loaded.

use std::path::Path;

use super::Startup;
#[cfg(feature = "mcp")]
use crate::common::browser;

/// Adds the servers of this directory to the extensions of the run, once.
#[cfg(feature = "mcp")]
pub(super) fn add(start: &mut Startup, cwd: &Path) {
    let is_wanted = !start.has_servers && !start.line.args.no_mcp;
    if is_wanted && pi_mcp::has_servers(start.paths.agent_dir(), cwd) {
        start.has_servers = true;
        let env = start.paths.env().clone();
        let servers = pi_mcp::Mcp::new(start.paths.clone()).with_browser(move |url| browser::open(url, &env));
        start.extensions.add(std::sync::Arc::new(servers));
    }
}

#[cfg(not(feature = "mcp"))]
pub(super) fn add(start: &mut Startup, _: &Path) {
    start.has_servers = false;
}
