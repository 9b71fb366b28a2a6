//! `--listen`: the session takes clients on a socket.

use std::sync::Arc;

use super::Startup;
use crate::cli::process_env;
use crate::modes::{EventFormat, InteractiveOptions, ListenOptions, Notices};
use pi_coding_agent::paths::Paths;

/// Adds what notices that another session takes the place of what clients show.
pub(super) fn add(start: &mut Startup) {
    if start.line.args.listen {
        start.extensions.add(Arc::new(start.watcher.clone()));
    }
}

impl Startup {
    /// What a program needs that listens, where this one is to.
    pub(super) fn listen_options(&self, format: EventFormat) -> Option<ListenOptions> {
        if !self.line.args.listen {
            return None;
        }
        let (agent_dir, base) = (self.paths.agent_dir().to_owned(), self.screen_options());
        let make_screen = move |terminal| InteractiveOptions {
            paths: Paths::new(process_env::on_terminal(terminal), base.paths.cwd()).with_agent_dir(&agent_dir),
            notices: Notices::default(),
            looks_for_releases: false,
            ..base.clone()
        };
        Some(ListenOptions {
            paths: self.paths.clone(),
            format,
            make_screen: Arc::new(make_screen),
            watcher: self.watcher.clone(),
        })
    }
}
