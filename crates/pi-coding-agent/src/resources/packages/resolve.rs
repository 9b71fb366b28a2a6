//! What the packages of the settings bring, as far as they are on disk. Nothing is installed here.

use std::path::Path;

use super::entries::{ListedPackage, listed_packages, resource_scope};
use super::manifest::{Manifest, OnDisk};
use crate::config::settings::{PackageFilter, SettingsManager, SettingsScope};
use crate::resources::locate::explicit::{PackageResources, ResourcePaths};
use crate::resources::locate::extension_scan;
use crate::resources::locate::package_source::shown;
use crate::resources::locate::source::{Diagnostic, Found, Scope};

/// What packages bring, in order of precedence, and what is wrong with them.
#[derive(Debug, Clone, Default)]
pub struct ResolvedPackages {
    /// One for each package that is there.
    pub packages: Vec<PackageResources>,
    /// What is wrong with others.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the packages of the settings bring. Reads directories and manifests; blocks for as long.
pub(crate) fn resolve_packages(settings: &SettingsManager) -> ResolvedPackages {
    let (listed, problems) = listed_packages(settings);
    let mut found = Found::<()>::default();
    let file = settings.file(SettingsScope::Global).unwrap_or_default();
    problems.iter().for_each(|problem| found.warn(&file, problem.to_string()));
    let packages = listed.iter().filter_map(|package| resolve_one(package, &mut found)).collect();
    ResolvedPackages { packages, diagnostics: found.diagnostics }
}

/// What a package brings that is for this run only, see [`super::temporary`].
pub fn temporary_resources(source: &str, dir: &Path) -> ResolvedPackages {
    for_this_run(source, OnDisk { path: dir, confined: true }, None)
}

/// What a directory of the user's own brings for this run, besides extensions: those are named by it already, and what is
/// wrong with its manifest is said where they are loaded.
pub fn directory_resources(source: &str, dir: &Path) -> ResolvedPackages {
    if Manifest::read(dir).is_err() {
        return ResolvedPackages::default();
    }
    let without_extensions = PackageFilter { extensions: Some(Vec::new()), ..PackageFilter::default() };
    for_this_run(source, OnDisk { path: dir, confined: false }, Some(&without_extensions))
}

fn for_this_run(source: &str, on_disk: OnDisk<'_>, filter: Option<&PackageFilter>) -> ResolvedPackages {
    let (dir, mut found) = (on_disk.path, Found::<()>::default());
    let paths = on_disk.resources(filter, &mut found);
    let package = PackageResources { source: shown(source), scope: Scope::Temporary, base_dir: dir.to_owned(), paths };
    ResolvedPackages { packages: vec![package], diagnostics: found.diagnostics }
}

fn resolve_one(package: &ListedPackage, found: &mut Found<()>) -> Option<PackageResources> {
    if !package.is_there() {
        let text = shown(package.text());
        let message = match package.source.is_remote() {
            true => format!("the package {text} is not installed: pi install {}{text}", option_of(package.scope)),
            false => format!("the package {text} does not exist; correct or remove it in the settings"),
        };
        found.warn(&package.dir, message);
        return None;
    }
    let on_disk = OnDisk { path: &package.dir, confined: package.source.is_remote() };
    Some(PackageResources {
        source: shown(package.text()),
        scope: resource_scope(package.scope),
        base_dir: base_of(&package.dir),
        paths: on_disk.resources(package.filter(), found),
    })
}

/// What the commands about packages need in front of a source of this scope.
fn option_of(scope: SettingsScope) -> &'static str {
    match scope {
        SettingsScope::Global => "",
        SettingsScope::Project => "--local ",
    }
}

/// What is wrong with what a package offers, whatever is used of it.
pub(super) fn problems_of(package: &ListedPackage) -> Vec<String> {
    let on_disk = OnDisk { path: &package.dir, confined: package.source.is_remote() };
    let mut found = Found::<()>::default();
    let paths = on_disk.resources(None, &mut found);
    let mut problems: Vec<String> = found.diagnostics.iter().map(ToString::to_string).collect();
    if problems.is_empty() && offers_nothing(&paths, &package.dir) {
        problems.push(format!("{}: it offers no extensions, skills, prompts or themes", package.dir.display()));
    }
    problems
}

/// A directory of this machine that has nothing else is taken for an extension, and may be none.
fn offers_nothing(paths: &ResourcePaths, dir: &Path) -> bool {
    let is_extension = |path: &Path| path.is_file() || !extension_scan::scan(path).unwrap_or_default().is_empty();
    let is_itself = |path: &Path| path == dir && !is_extension(path);
    let mut rest = [&paths.skills, &paths.prompts, &paths.themes].into_iter();
    rest.all(Vec::is_empty) && paths.extensions.iter().all(|path| is_itself(path))
}

/// A file belongs to its directory.
fn base_of(path: &Path) -> std::path::PathBuf {
    if path.is_file() { path.parent().unwrap_or(path).to_owned() } else { path.to_owned() }
}
