//! The packages of the settings, as they are written and what they mean.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::package_dirs::package_dir;
use crate::config::settings::{PackageFilter, PackageSetting, SettingsManager, SettingsScope};
use crate::host::env::Env;
use crate::resources::locate::package_source::PackageSource;
use crate::resources::locate::source::Scope;
use crate::resources::{Error, PackageError};

/// A package that the settings name.
#[derive(Debug, Clone)]
pub struct ListedPackage {
    /// What the settings say.
    pub setting: PackageSetting,
    /// Whose settings.
    pub scope: SettingsScope,
    /// Its source, taken apart.
    pub source: PackageSource,
    /// Where it is, or would be.
    pub dir: PathBuf,
    /// The configuration directory whose settings name it.
    pub base: PathBuf,
    /// What makes it the same package as another.
    pub identity: String,
}

impl ListedPackage {
    /// The source, as it is written.
    pub fn text(&self) -> &str {
        match &self.setting {
            PackageSetting::Source(source) => source,
            PackageSetting::Filtered(filter) => &filter.source,
        }
    }

    /// Which parts are used, where not all are.
    pub fn filter(&self) -> Option<&PackageFilter> {
        match &self.setting {
            PackageSetting::Source(_) => None,
            PackageSetting::Filtered(filter) => Some(filter),
        }
    }

    /// Whether it is on disk. What npm has only begun is not.
    pub fn is_there(&self) -> bool {
        match self.source {
            PackageSource::Npm(_) => self.dir.join("package.json").is_file(),
            PackageSource::Git(_) | PackageSource::Local(_) => self.dir.exists(),
        }
    }

    pub(super) fn read(
        setting: PackageSetting,
        scope: SettingsScope,
        base: &Path,
        env: &Env,
    ) -> Result<Self, PackageError> {
        let text = match &setting {
            PackageSetting::Source(source) => source,
            PackageSetting::Filtered(filter) => &filter.source,
        };
        let source = PackageSource::parse(text)?;
        let (dir, identity) = (package_dir(&source, base, env), source.identity(base, env));
        Ok(Self { setting, scope, source, dir, base: base.to_owned(), identity })
    }
}

/// The packages of one scope, in the order of the settings, and what is wrong with others.
pub(super) fn packages_of(
    settings: &SettingsManager,
    scope: SettingsScope,
) -> Vec<Result<ListedPackage, PackageError>> {
    let entries = settings.resources().packages(scope);
    let Some(base) = base_dir(settings, scope).filter(|_| !entries.is_empty()) else { return Vec::new() };
    entries.into_iter().map(|setting| ListedPackage::read(setting, scope, &base, settings.env())).collect()
}

/// The packages that count: those of the project first, and each package once.
pub fn listed_packages(settings: &SettingsManager) -> (Vec<ListedPackage>, Vec<PackageError>) {
    let (mut packages, mut problems) = (Vec::<ListedPackage>::new(), Vec::new());
    let own = packages_of(settings, SettingsScope::Project);
    for package in own.into_iter().chain(outer_packages(settings)).chain(packages_of(settings, SettingsScope::Global)) {
        match package {
            Ok(package) if packages.iter().all(|other| other.identity != package.identity) => packages.push(package),
            Ok(_) => {}
            Err(problem) => problems.push(problem),
        }
    }
    (packages, problems)
}

/// The packages of the project's directories above the working directory.
fn outer_packages(settings: &SettingsManager) -> Vec<Result<ListedPackage, PackageError>> {
    let read = |setting, base: &Path| ListedPackage::read(setting, SettingsScope::Project, base, settings.env());
    let projects = settings.resources().outer_projects();
    projects.iter().flat_map(|outer| outer.packages().into_iter().map(|setting| read(setting, &outer.dir))).collect()
}

/// The configuration directory of a scope, to which paths are relative.
pub(super) fn base_dir(settings: &SettingsManager, scope: SettingsScope) -> Option<PathBuf> {
    settings.file(scope)?.parent().map(PathBuf::from)
}

/// The scope of what a package brings.
pub(super) fn resource_scope(scope: SettingsScope) -> Scope {
    match scope {
        SettingsScope::Global => Scope::User,
        SettingsScope::Project => Scope::Project,
    }
}

/// The array `packages` as it is in the file, with what nobody here understands.
pub(super) fn raw_entries(settings: &SettingsManager, scope: SettingsScope) -> Vec<Value> {
    settings.scope(scope).get("packages").and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Writes the array `packages`.
pub(super) fn save_entries(settings: &SettingsManager, scope: SettingsScope, entries: Vec<Value>) -> Result<(), Error> {
    settings.set(scope, &["packages"], Some(Value::Array(entries))).map_err(Into::into)
}

/// What an element of the array means; `None` where it means nothing.
pub(super) fn read_entry(settings: &SettingsManager, scope: SettingsScope, entry: &Value) -> Option<ListedPackage> {
    let base = base_dir(settings, scope)?;
    ListedPackage::read(PackageSetting::deserialize(entry).ok()?, scope, &base, settings.env()).ok()
}
