//! At start-up: packages of the settings that are not on disk are fetched, as far as the network is allowed.

use std::sync::Arc;

use pi_ai::Clock;

use crate::cli::diagnostics::{Diagnostics, complain};
use crate::cli::screen::plain;
use crate::packages::{PackageManager, PackageOptions, shown, temporary, temporary_resources};
use crate::paths::Paths;
use crate::prompt::PackageResources;
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
    let manager = manager(paths, settings, clock, offline);
    // What is missing offline is said where what is there is looked through.
    for package in manager.missing().iter().filter(|_| !offline) {
        let text = shown(package.text());
        complain(&format!("Installing {}...", plain(&text)));
        if let Err(error) = manager.install_missing(package).await {
            diagnostics.warning(format!("{text} is not installed: {}", plain(&error.to_string())));
        }
    }
}

/// Fetches packages that are no part of the settings. Also returns what ends the program.
pub(in crate::cli) async fn fetch_for_run(
    sources: impl Iterator<Item = &str>,
    paths: &Paths,
    settings: &Arc<SettingsManager>,
    clock: &Arc<dyn Clock>,
    offline: bool,
) -> (Vec<PackageResources>, Vec<String>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for source in sources {
        let manager = manager(paths, settings, clock, offline || paths.env().is_offline());
        match temporary(&manager, source).await {
            Ok(dir) => {
                let resolved = temporary_resources(source, &dir);
                found.extend(resolved.packages);
                problems.extend(resolved.diagnostics.iter().map(ToString::to_string));
            }
            Err(error) => {
                let (source, error) = (plain(source), error.to_string());
                problems.push(format!("Failed to load extension \"{source}\": {}", plain(&error)));
            }
        }
    }
    (found, problems)
}

fn manager(paths: &Paths, settings: &Arc<SettingsManager>, clock: &Arc<dyn Clock>, offline: bool) -> PackageManager {
    let options = PackageOptions { offline, ..PackageOptions::default() };
    PackageManager::new(Arc::clone(settings), paths.clone(), Arc::clone(clock), options)
}
