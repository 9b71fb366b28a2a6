//! What is listed, with what the packages of the settings bring.

use crate::config::settings::SettingsManager;
use crate::resources::locate::explicit::ListedResources;
use crate::resources::packages::{ResolvedPackages, resolve_packages};

impl ListedResources {
    /// What the settings list now, and what their packages bring, as far as they are installed. Blocks while these are
    /// looked through; without packages nothing is read.
    pub fn of_settings(settings: &SettingsManager) -> Self {
        let ResolvedPackages { packages, diagnostics } = resolve_packages(settings);
        Self { packages, package_problems: diagnostics, ..Self::paths_of(settings) }
    }
}
