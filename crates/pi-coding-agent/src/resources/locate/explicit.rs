//! Resources that somebody lists by path: settings, packages, extensions. Data only; `search` finds the files.

use std::path::PathBuf;

use super::source::{Diagnostic, Scope};
use crate::config::settings::{OuterProject, ResourceKind, SettingsManager, SettingsScope};

/// Everything that is listed. The default lists nothing.
#[derive(Debug, Clone, Default)]
pub struct ListedResources {
    /// What the user's settings list.
    pub user: PathLists,
    /// What the project's settings list.
    pub project: PathLists,
    /// What the settings of the project's directories above list, with those directories, the nearest first. Resources are
    /// looked for there, too.
    pub outer: Vec<(PathBuf, PathLists)>,
    /// What packages bring, in order of precedence. Those for this run only come before everything else.
    pub packages: Vec<PackageResources>,
    /// What is wrong with packages.
    pub package_problems: Vec<Diagnostic>,
    /// What extensions added while they ran, in the order in which they did.
    pub contributions: Vec<ExtensionResources>,
}

/// The arrays of one settings file: paths relative to its directory, globs, and `!`, `+` and `-` in front of what they
/// act on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathLists {
    /// `extensions`.
    pub extensions: Vec<String>,
    /// `skills`.
    pub skills: Vec<String>,
    /// `prompts`.
    pub prompts: Vec<String>,
    /// `themes`.
    pub themes: Vec<String>,
}

/// What a package brings, after its manifest and the user's filters.
#[derive(Debug, Clone)]
pub struct PackageResources {
    /// What the user wrote to get it.
    pub source: String,
    /// Whose settings name it; [`Scope::Temporary`] for the command line.
    pub scope: Scope,
    /// Its directory.
    pub base_dir: PathBuf,
    /// Files and directories, absolute.
    pub paths: ResourcePaths,
}

/// What an extension added while it ran.
#[derive(Debug, Clone)]
pub struct ExtensionResources {
    /// Name of the extension, without its file's ending.
    pub name: String,
    /// Its directory.
    pub base_dir: PathBuf,
    /// Files and directories, absolute.
    pub paths: ResourcePaths,
}

/// Files and directories of each kind, absolute.
#[derive(Debug, Clone, Default)]
pub struct ResourcePaths {
    /// Extensions.
    pub extensions: Vec<PathBuf>,
    /// Skills.
    pub skills: Vec<PathBuf>,
    /// Prompt templates.
    pub prompts: Vec<PathBuf>,
    /// Themes.
    pub themes: Vec<PathBuf>,
}

impl ListedResources {
    /// The paths that the settings list now.
    pub(in crate::resources) fn paths_of(settings: &SettingsManager) -> Self {
        let lists = |scope| PathLists {
            extensions: settings.resources().paths(scope, ResourceKind::Extensions),
            skills: settings.resources().paths(scope, ResourceKind::Skills),
            prompts: settings.resources().paths(scope, ResourceKind::Prompts),
            themes: settings.resources().paths(scope, ResourceKind::Themes),
        };
        let outer = |project: OuterProject| {
            let lists = PathLists {
                extensions: project.resources(ResourceKind::Extensions),
                skills: project.resources(ResourceKind::Skills),
                prompts: project.resources(ResourceKind::Prompts),
                themes: project.resources(ResourceKind::Themes),
            };
            (project.dir, lists)
        };
        let (user, project) = (lists(SettingsScope::Global), lists(SettingsScope::Project));
        let outer = settings.resources().outer_projects().into_iter().map(outer).collect();
        Self { user, project, outer, ..Self::default() }
    }
}

impl PathLists {
    /// The array of one kind.
    pub fn of(&self, kind: ResourceKind) -> &[String] {
        match kind {
            ResourceKind::Extensions => &self.extensions,
            ResourceKind::Skills => &self.skills,
            ResourceKind::Prompts => &self.prompts,
            ResourceKind::Themes => &self.themes,
        }
    }
}

impl ResourcePaths {
    /// The paths of one kind.
    pub fn of(&self, kind: ResourceKind) -> &[PathBuf] {
        match kind {
            ResourceKind::Extensions => &self.extensions,
            ResourceKind::Skills => &self.skills,
            ResourceKind::Prompts => &self.prompts,
            ResourceKind::Themes => &self.themes,
        }
    }
}
