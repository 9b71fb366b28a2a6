//! At start-up: packages of the settings that are not on disk are fetched, as far as the network is allowed.

use std::future::Future;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::cli::diagnostics::{Diagnostics, complain};
use crate::cli::screen::plain;
use crate::modes::Signals;
use pi_coding_agent::packages::{PackageManager, PackageOptions, shown, temporary, temporary_resources};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::PackageResources;
use pi_coding_agent::settings::SettingsManager;

/// Fetches before a session begins. A signal ends what is going on in good order, and then the program.
#[derive(Default)]
pub(in crate::cli) struct Fetching {
    /// Once signals were taken over from the system, somebody has to act on them until the session does.
    exit: Option<AbortOnDropHandle<()>>,
}

impl Fetching {
    /// Fetches missing packages, and warns about those that cannot be. Standard output stays untouched; without packages
    /// in the settings nothing happens.
    ///
    /// # Errors
    /// The exit code, when a signal ended it.
    pub(in crate::cli) async fn install_missing(
        &mut self,
        paths: &Paths,
        settings: &Arc<SettingsManager>,
        offline: bool,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), u8> {
        // What is missing offline is said where what is there is looked through.
        if offline || paths.env().is_offline() || !settings.resources().has_packages() {
            return Ok(());
        }
        let cancel = CancellationToken::new();
        let manager = manager(paths, settings, offline, &cancel);
        let missing = manager.missing();
        if missing.is_empty() {
            return Ok(());
        }
        let fetch = async {
            for package in &missing {
                let text = shown(package.text());
                complain(&format!("Installing {}...", plain(&text)));
                match manager.install_missing(package).await {
                    Err(_) if cancel.is_cancelled() => break,
                    Err(error) => {
                        diagnostics.warning(format!("{text} is not installed: {}", plain(&error.to_string())));
                    }
                    Ok(()) => {}
                }
            }
        };
        self.until_signal(fetch, &cancel).await
    }

    /// Fetches packages that are no part of the settings. Also returns what ends the program.
    ///
    /// # Errors
    /// The exit code, when a signal ended it.
    pub(in crate::cli) async fn fetch_for_run(
        &mut self,
        sources: impl Iterator<Item = &str>,
        paths: &Paths,
        settings: &Arc<SettingsManager>,
        offline: bool,
    ) -> Result<(Vec<PackageResources>, Vec<String>), u8> {
        let mut sources = sources.peekable();
        if sources.peek().is_none() {
            return Ok((Vec::new(), Vec::new()));
        }
        let cancel = CancellationToken::new();
        let manager = manager(paths, settings, offline || paths.env().is_offline(), &cancel);
        let fetch = async {
            let (mut found, mut problems) = (Vec::new(), Vec::new());
            for source in sources {
                match temporary(&manager, source).await {
                    Ok(dir) => {
                        let resolved = temporary_resources(source, &dir);
                        found.extend(resolved.packages);
                        problems.extend(resolved.diagnostics.iter().map(ToString::to_string));
                    }
                    Err(_) if cancel.is_cancelled() => break,
                    Err(error) => {
                        let (source, error) = (plain(source), error.to_string());
                        problems.push(format!("Failed to load extension \"{source}\": {}", plain(&error)));
                    }
                }
            }
            (found, problems)
        };
        self.until_signal(fetch, &cancel).await
    }

    async fn until_signal<T>(&mut self, fetch: impl Future<Output = T>, cancel: &CancellationToken) -> Result<T, u8> {
        self.exit = None;
        let Ok(mut signals) = Signals::install() else {
            // Then they do what they always do.
            return Ok(fetch.await);
        };
        let mut fetch = std::pin::pin!(fetch);
        let fetched = tokio::select! {
            fetched = &mut fetch => fetched,
            code = signals.next() => {
                cancel.cancel();
                fetch.await;
                return Err(code);
            }
        };
        let exit = tokio::spawn(async move { std::process::exit(signals.next().await.into()) });
        self.exit = Some(AbortOnDropHandle::new(exit));
        Ok(fetched)
    }
}

fn manager(
    paths: &Paths,
    settings: &Arc<SettingsManager>,
    offline: bool,
    cancel: &CancellationToken,
) -> PackageManager {
    let options = PackageOptions { offline, cancel: cancel.clone(), ..PackageOptions::default() };
    PackageManager::new(Arc::clone(settings), paths.clone(), options)
}
