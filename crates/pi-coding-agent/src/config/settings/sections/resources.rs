//! Packages, and the paths of extensions, skills, prompt templates and themes.

use std::path::PathBuf;

use super::super::ancestors::OuterProject;
use super::super::keys::Keys;
use super::super::scope::SettingsScope;
use super::super::table::PACKAGES;
use super::super::values::{PackageSetting, ResourceKind};
use crate::config::Error;
use crate::host::paths::expand;

/// Packages, and the paths of extensions, skills, prompt templates and themes.
///
/// Made by [`SettingsManager::resources`](crate::settings::SettingsManager::resources).
#[derive(Debug, Clone, Copy)]
pub struct ResourceSettings<'a>(pub(in crate::config::settings) Keys<'a>);

impl ResourceSettings<'_> {
    /// Packages of one scope; entries that cannot be read are left out.
    pub fn packages(self, scope: SettingsScope) -> Vec<PackageSetting> {
        self.0.get_in(scope, &PACKAGES)
    }

    /// Whether any settings name packages.
    pub fn has_packages(self) -> bool {
        let outer = || self.0.outer_projects().iter().any(|project| !project.packages().is_empty());
        [SettingsScope::Global, SettingsScope::Project].into_iter().any(|scope| !self.packages(scope).is_empty())
            || outer()
    }

    /// Paths of one kind of resource, as one scope lists them. They are relative to the directory of that scope's
    /// settings file.
    pub fn paths(self, scope: SettingsScope, kind: ResourceKind) -> Vec<String> {
        self.0.get_in(scope, kind.setting()).unwrap_or_default()
    }

    /// The project's directories above the working directory that count, the nearest first.
    pub fn outer_projects(self) -> Vec<OuterProject> {
        self.0.outer_projects()
    }

    /// A path of the settings with the user's home in place of `~`.
    pub fn expanded(self, path: &str) -> PathBuf {
        expand(path, self.0.env())
    }
}

/// Setters write the user's settings; a project's own value for the same key stays in force.
///
/// # Errors
/// Those of [`SettingsManager::set`](crate::settings::SettingsManager::set); the value is in force all the same.
impl ResourceSettings<'_> {
    /// Paths of one kind of resource.
    pub fn set_paths(self, scope: SettingsScope, kind: ResourceKind, paths: &[String]) -> Result<(), Error> {
        self.0.set(scope, kind.setting(), paths)
    }
}
