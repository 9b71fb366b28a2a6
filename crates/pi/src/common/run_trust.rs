//! What was decided about projects for this run only, and whether there is a decision to be made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pi_ai::Clock;
use pi_coding_agent::config;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::settings::{ProjectTrust, SettingsManager};
use pi_coding_agent::trust::{TrustChoice, subject_names, undecided_subjects};
use pi_guard::Unpoisoned;

/// Decisions of this run. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct RunTrust(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// What the command line says about all projects.
    approval: Option<bool>,
    decided: Mutex<BTreeMap<PathBuf, bool>>,
}

impl RunTrust {
    /// Without any decision but that of the command line.
    pub(crate) fn new(approval: Option<bool>) -> Self {
        Self(Arc::new(Inner { approval, decided: Mutex::default() }))
    }

    /// What was decided about the project in a directory.
    pub(crate) fn decided(&self, cwd: &Path) -> Option<bool> {
        let decided = || self.0.decided.lock().unpoisoned().get(cwd).copied();
        self.0.approval.or_else(decided)
    }

    /// Takes the user's answer about the project in `cwd`, and writes it down where it is to last. Blocks briefly.
    ///
    /// # Errors
    /// When it could not be written; it counts for this run.
    pub(crate) fn settle(
        &self,
        choice: &TrustChoice,
        paths: &Paths,
        cwd: &Path,
        clock: &dyn Clock,
    ) -> Result<(), config::Error> {
        self.0.decided.lock().unpoisoned().insert(cwd.to_owned(), choice.trusts());
        choice.remember(paths, cwd, clock)
    }

    /// What the user has to be asked about: the parts of the project in `cwd` that count only if it is trusted. Empty where
    /// there are none, and where something decides already.
    pub(crate) fn open_subjects(&self, paths: &Paths, settings: &SettingsManager, cwd: &Path) -> Vec<PathBuf> {
        let is_settled = self.decided(cwd).is_some() || settings.default_project_trust() != ProjectTrust::Ask;
        if is_settled { Vec::new() } else { undecided_subjects(paths, cwd) }
    }
}

/// What is asked about a project, in sentences.
pub(crate) fn question(cwd: &Path, subjects: &[PathBuf]) -> String {
    format!(
        "{}\nIt brings settings or resources of its own, which may run commands on this machine: {}\nWithout trust pi works here, and leaves them out.",
        cwd.display(),
        subject_names(cwd, subjects)
    )
}
