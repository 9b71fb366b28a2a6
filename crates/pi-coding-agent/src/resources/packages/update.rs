//! Brings packages to their newest versions, and repositories to what the settings say.

use super::entries::{ListedPackage, base_dir, packages_of};
use super::manager::{PackageManager, similar};
use crate::config::settings::SettingsScope;
use crate::resources::locate::package_source::{PackageSource, shown};
use crate::resources::{Error, PackageError};

impl PackageManager {
    /// The packages of the settings that an update can change: all but paths and exact versions of npm. A repository
    /// with a reference is among them: what is on disk may be at another one.
    pub fn updatable(&self) -> Vec<ListedPackage> {
        let (packages, _) = super::entries::listed_packages(&self.settings);
        packages.into_iter().filter(can_change).collect()
    }

    /// The packages of the settings that a text means, in both scopes.
    ///
    /// # Errors
    /// [`PackageError::NotInSettings`], [`PackageError::Source`].
    pub fn named(&self, wanted: &str) -> Result<Vec<ListedPackage>, PackageError> {
        let scopes = [SettingsScope::Project, SettingsScope::Global];
        let all: Vec<ListedPackage> =
            scopes.into_iter().flat_map(|scope| packages_of(&self.settings, scope)).filter_map(Result::ok).collect();
        let identity = self.identity(wanted)?;
        let (fitting, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|package| package.identity == identity || package.text() == wanted.trim());
        if fitting.is_empty() {
            let similar = similar(wanted, others.iter());
            return Err(PackageError::NotInSettings { wanted: shown(wanted.trim()), similar });
        }
        Ok(fitting)
    }

    /// Updates one package. What is pinned to a version of npm, or a path, stays as it is.
    ///
    /// # Errors
    /// Those of [`PackageError`].
    pub async fn update(&self, package: &ListedPackage) -> Result<(), Error> {
        if !can_change(package) {
            return Ok(());
        }
        let base = base_dir(&self.settings, package.scope).ok_or(PackageError::NoDirectory)?;
        Ok(self.fetcher.fetch(package, &base).await?)
    }
}

fn can_change(package: &ListedPackage) -> bool {
    match &package.source {
        PackageSource::Npm(_) => !package.source.is_pinned() || !package.is_there(),
        PackageSource::Git(_) => true,
        PackageSource::Local(_) => false,
    }
}
