//! Installs and removes packages, and keeps the settings in step with the disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::entries::{ListedPackage, base_dir, packages_of, raw_entries, read_entry, save_entries};
use super::fetch::Fetcher;
use super::npm::{InstallScripts, Npm};
use super::package_dirs::relative;
use super::programs::Programs;
use super::resolve::problems_of;
use crate::config::settings::{PackageSetting, SettingsManager, SettingsScope};
use crate::host::paths::{Paths, absolute, expand};
use crate::resources::locate::package_source::{PackageSource, shown};
use crate::resources::{Error, PackageError};

/// How packages are installed.
#[derive(Debug, Clone)]
pub struct PackageOptions {
    /// Whether programs of packages run while they are installed.
    pub scripts: InstallScripts,
    /// Refuses whatever needs the network.
    pub offline: bool,
    /// Whether git and ssh may ask for passwords on the terminal.
    pub may_ask: bool,
    /// Ends what is going on.
    pub cancel: CancellationToken,
    /// What one run of a program may take.
    pub timeout: Duration,
}

impl Default for PackageOptions {
    /// No scripts, the network, no questions, ten minutes.
    fn default() -> Self {
        Self {
            scripts: InstallScripts::Ignore,
            offline: false,
            may_ask: false,
            cancel: CancellationToken::new(),
            timeout: Duration::from_secs(600),
        }
    }
}

/// Changes which packages there are.
#[derive(Debug)]
pub struct PackageManager {
    pub(super) settings: Arc<SettingsManager>,
    pub(super) paths: Paths,
    pub(super) fetcher: Fetcher,
}

impl PackageManager {
    /// A manager of the packages that these settings name. Paths of users are relative to the directory of `paths`.
    pub fn new(settings: Arc<SettingsManager>, paths: Paths, options: PackageOptions) -> Self {
        let PackageOptions { scripts, offline, may_ask, cancel, timeout } = options;
        let programs = Programs { timeout, cancel, may_ask };
        let npm = Npm::new(settings.resources().npm_command());
        Self { settings, paths, fetcher: Fetcher { npm, programs, scripts, offline } }
    }

    /// Installs a package and adds it to the settings. One that is there in another version or with another reference
    /// takes the new one, and keeps its filters.
    ///
    /// # Errors
    /// Those of [`PackageError`], and those of saving the settings. The settings name only what is installed.
    pub async fn install(&self, text: &str, scope: SettingsScope) -> Result<(), Error> {
        let base = self.writable_base(scope)?;
        let text = text.trim();
        let source = PackageSource::parse(text)?;
        let written = match &source {
            PackageSource::Local(path) => {
                let path = self.local(path);
                super::local::check(&path)?;
                relative(&path, &base)
            }
            PackageSource::Npm(_) | PackageSource::Git(_) => {
                let package =
                    ListedPackage::read(PackageSetting::Source(text.to_owned()), scope, &base, self.settings.env())?;
                self.fetcher.fetch(&package, &base).await?;
                text.to_owned()
            }
        };
        self.remember(&written, &source, scope)
    }

    /// Removes a package from the disk, unless it is a path of the user's, and from the settings. Returns whether they
    /// named it.
    ///
    /// # Errors
    /// As [`Self::install`].
    pub async fn remove(&self, text: &str, scope: SettingsScope) -> Result<bool, Error> {
        let base = self.writable_base(scope)?;
        self.settings.reload();
        let identity = self.identity(text)?;
        let entries = raw_entries(&self.settings, scope);
        let fits = |entry: &Value| {
            let listed = read_entry(&self.settings, scope, entry);
            listed.is_some_and(|listed| listed.identity == identity || listed.text() == text.trim())
        };
        let (gone, kept): (Vec<Value>, Vec<Value>) = entries.into_iter().partition(fits);
        let Some(package) = gone.first().and_then(|entry| read_entry(&self.settings, scope, entry)) else {
            return Ok(false);
        };
        self.fetcher.remove(&package, &base).await?;
        save_entries(&self.settings, scope, kept)?;
        Ok(true)
    }

    /// What a user should know about a package that was just installed: what is wrong with what it offers, or that it
    /// offers nothing. Reads its directories; blocks for as long.
    ///
    /// # Errors
    /// [`PackageError::Source`].
    pub fn problems(&self, text: &str, scope: SettingsScope) -> Result<Vec<String>, PackageError> {
        let identity = self.identity(text)?;
        let package = self.packages(scope).into_iter().find(|package| package.identity == identity);
        Ok(package.map(|package| problems_of(&package)).unwrap_or_default())
    }

    /// The packages of one scope that the settings name; what cannot be read is left out.
    pub fn packages(&self, scope: SettingsScope) -> Vec<ListedPackage> {
        packages_of(&self.settings, scope).into_iter().filter_map(Result::ok).collect()
    }

    /// The configuration directory of a scope, if its settings may be changed.
    fn writable_base(&self, scope: SettingsScope) -> Result<PathBuf, PackageError> {
        if scope == SettingsScope::Project && !self.settings.is_project_trusted() {
            return Err(PackageError::NotTrusted);
        }
        base_dir(&self.settings, scope).ok_or(PackageError::NoDirectory)
    }

    /// A path as the user writes it: relative to where pi was started.
    pub(super) fn local(&self, path: &str) -> PathBuf {
        absolute(self.paths.cwd(), &expand(path, self.settings.env()))
    }

    pub(super) fn identity(&self, text: &str) -> Result<String, PackageError> {
        Ok(PackageSource::parse(text)?.identity(self.paths.cwd(), self.settings.env()))
    }

    /// Puts a source into the settings: in the place of the same package, else at the end.
    fn remember(&self, written: &str, source: &PackageSource, scope: SettingsScope) -> Result<(), Error> {
        // Others may have changed the file meanwhile.
        self.settings.reload();
        let identity = source.identity(self.paths.cwd(), self.settings.env());
        let mut entries = raw_entries(&self.settings, scope);
        let same = |entry: &&mut Value| {
            read_entry(&self.settings, scope, entry).is_some_and(|listed| listed.identity == identity)
        };
        match entries.iter_mut().find(same) {
            Some(Value::Object(entry)) => {
                entry.insert("source".to_owned(), written.into());
            }
            Some(entry) => *entry = written.into(),
            None => entries.push(written.into()),
        }
        save_entries(&self.settings, scope, entries)
    }

    /// The packages that count and are not on disk, though they could be fetched.
    pub fn missing(&self) -> Vec<ListedPackage> {
        let (packages, _) = super::entries::listed_packages(&self.settings);
        packages.into_iter().filter(|package| package.source.is_remote() && !package.is_there()).collect()
    }

    /// Fetches a package of the settings that is not on disk.
    ///
    /// # Errors
    /// Those of [`PackageError`].
    pub async fn install_missing(&self, package: &ListedPackage) -> Result<(), Error> {
        Ok(self.fetcher.fetch_missing(package, &package.base).await?)
    }
}

/// A source of the settings that looks like `wanted`.
pub(super) fn similar<'a>(wanted: &str, packages: impl Iterator<Item = &'a ListedPackage>) -> Option<String> {
    let wanted = wanted.trim();
    let fits = |package: &&ListedPackage| {
        let bare = package.identity.split_once(':').map_or(package.identity.as_str(), |(_, rest)| rest);
        let name = Path::new(bare).file_name().is_some_and(|name| name.to_str() == Some(wanted));
        bare == wanted || name
    };
    packages.filter(|package| !wanted.is_empty() && fits(package)).map(|package| shown(package.text())).next()
}
