//! At start-up: packages of the settings that are not on disk are fetched, as far as the network is allowed.

use std::sync::Arc;

use pi_ai::Clock;

use crate::cli::diagnostics::{Diagnostics, complain};
use crate::cli::screen::plain;
use crate::packages::{PackageManager, PackageOptions, shown};
use crate::paths::Paths;
use crate::settings::{SettingsManager, SettingsScope};

/// Fetches missing packages, and warns about those that cannot be. Standard output stays untouched; without packages in
/// the settings nothing happens.
pub(in crate::cli) async fn install_missing(
    paths: &Paths,
    settings: &Arc<SettingsManager>,
    clock: &Arc<dyn Clock>,
    offline: bool,
    diagnostics: &mut Diagnostics,
) {
    let scopes = [SettingsScope::Project, SettingsScope::Global];
    if scopes.iter().all(|scope| settings.packages(*scope).is_empty()) {
        return;
    }
    let offline = offline || paths.env().is_offline();
    let options = PackageOptions { offline, ..PackageOptions::default() };
    let manager = PackageManager::new(Arc::clone(settings), paths.clone(), Arc::clone(clock), options);
    // What is missing offline is said where what is there is looked through.
    for package in manager.missing().iter().filter(|_| !offline) {
        let text = shown(package.text());
        complain(&format!("Installing {}...", plain(&text)));
        if let Err(error) = manager.install_missing(package).await {
            diagnostics.warning(format!("{text} is not installed: {}", plain(&error.to_string())));
        }
    }
}
