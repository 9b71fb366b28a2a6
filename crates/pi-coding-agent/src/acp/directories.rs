//! Directories that belong to the client's workspace besides that of the session. Relative paths stay those of the session's
//! own; the model is told of the others, and files in them go through the editor as well. Nothing of theirs is loaded: neither
//! settings nor resources.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_guard::lock;

use crate::extension::events::{BeforeAgentStartEvent, BeforeAgentStartOutcome};
use crate::extension::{Extension, ExtensionApi, HandlerError};

/// Those of one session, in the client's order. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Directories(Arc<Mutex<Vec<PathBuf>>>);

impl Directories {
    pub(super) fn new(all: Vec<PathBuf>) -> Self {
        Self(Arc::new(Mutex::new(all)))
    }

    /// From now on these.
    pub(super) fn set(&self, all: Vec<PathBuf>) {
        *lock(&self.0) = all;
    }

    pub(super) fn all(&self) -> Vec<PathBuf> {
        lock(&self.0).clone()
    }

    /// Whether a file is below one of them.
    pub(super) fn contain(&self, file: &Path) -> bool {
        lock(&self.0).iter().any(|directory| file.starts_with(directory))
    }

    /// What the model is told of them; nothing where there is none.
    fn told(&self) -> Option<String> {
        let all = lock(&self.0);
        let lines: Vec<_> = all.iter().map(|directory| format!("- {}", directory.display())).collect();
        (!lines.is_empty()).then(|| {
            format!(
                "The user's workspace has more directories than the working directory. Use absolute paths in them:\n{}",
                lines.join("\n")
            )
        })
    }

    fn before_run(&self, event: &BeforeAgentStartEvent) -> BeforeAgentStartOutcome {
        let system_prompt = self.told().map(|told| format!("{}\n\n{told}", event.system_prompt));
        BeforeAgentStartOutcome { system_prompt, ..BeforeAgentStartOutcome::default() }
    }
}

impl Extension for Directories {
    fn name(&self) -> &str {
        "<directories>"
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        let directories = self.clone();
        pi.on(move |event: BeforeAgentStartEvent, _| std::future::ready(Ok(directories.before_run(&event))));
        std::future::ready(Ok(())).boxed()
    }
}
