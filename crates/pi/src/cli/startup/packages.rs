//! Packages that are fetched before the session begins.

use std::path::Path;

use super::Startup;
use super::{extensions, sessions};

impl Startup {
    /// Fetches what is missing, and asks on the way whether the project is trusted, which may have packages of its own.
    ///
    /// # Errors
    /// The exit code, when a signal ended it.
    pub(super) async fn fetch_packages(&mut self, cwd: &Path) -> Result<(), u8> {
        self.install_packages().await?;
        self.fetch_packages_of_run().await?;
        let was_trusted = self.settings.is_project_trusted();
        self.ask_trust(cwd).await?;
        // Which session is meant, and so which project, may only be asked later.
        if !sessions::may_wait(&self.line.args) {
            self.ask_user(cwd).await?;
        }
        if self.settings.is_project_trusted() && !was_trusted {
            self.install_packages().await?;
        }
        Ok(())
    }

    /// Fetches packages of the settings that are missing.
    pub(super) async fn install_packages(&mut self) -> Result<(), u8> {
        let Self { line, paths, settings, diagnostics, fetching, .. } = self;
        fetching.install_missing(paths, settings, line.args.offline, diagnostics).await
    }

    /// Fetches the packages that `--extension` names, and looks into the directories: they are there for this run only.
    async fn fetch_packages_of_run(&mut self) -> Result<(), u8> {
        let Self { line, paths, settings, fetching, .. } = self;
        let sources = extensions::packages(&line.args);
        let (found, problems) = fetching.fetch_for_run(sources, paths, settings, line.args.offline).await?;
        self.packages_of_run = found;
        let directories = extensions::directories(&line.args, paths);
        self.packages_of_run.extend(directories.packages);
        directories.diagnostics.iter().for_each(|problem| self.diagnostics.warning(problem));
        problems.into_iter().for_each(|problem| self.diagnostics.error(problem));
        Ok(())
    }
}
