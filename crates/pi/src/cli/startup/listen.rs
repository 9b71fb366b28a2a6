//! `--listen`: the session takes clients on a socket; and what every screen begins with.

use std::sync::Arc;

use super::Startup;
use crate::cli::{pages, process_env};
use crate::modes::{EventFormat, InitialPrompts, InteractiveOptions, ListenOptions, Notices};
use pi_coding_agent::paths::Paths;

/// Adds what notices that another session takes the place of what clients show.
pub(super) fn add(start: &mut Startup) {
    if start.line.args.listen {
        start.extensions.add(Arc::new(start.watcher.clone()));
    }
}

/// What a program needs that listens, where this one is to.
pub(super) fn options(start: &Startup, format: EventFormat) -> Option<ListenOptions> {
    if !start.line.args.listen {
        return None;
    }
    let (agent_dir, base) = (start.paths.agent_dir().to_owned(), screen_options(start));
    let make_screen = move |terminal| InteractiveOptions {
        paths: Paths::new(process_env::on_terminal(terminal), base.paths.cwd()).with_agent_dir(&agent_dir),
        notices: Notices::default(),
        looks_for_releases: false,
        ..base.clone()
    };
    let (paths, watcher) = (start.paths.clone(), start.watcher.clone());
    Some(ListenOptions { paths, format, make_screen: Arc::new(make_screen), watcher })
}

/// What a screen begins with.
pub(super) fn screen_options(start: &Startup) -> InteractiveOptions {
    InteractiveOptions {
        paths: start.paths.clone(),
        trust: start.trust.clone(),
        typed: Vec::new(),
        prompts: InitialPrompts::default(),
        notices: start.notices.clone(),
        verbose: start.line.args.verbose,
        changelog: pages::changelog,
        // A replay is without the network.
        looks_for_releases: start.line.args.replay.is_none(),
        gate: start.gate.clone(),
        clock: Arc::clone(&start.clock),
    }
}
