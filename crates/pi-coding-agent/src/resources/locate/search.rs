//! Finds the files of one kind of resource, in order of precedence: packages for this run, the project's settings, its
//! directories, both of the nearest directory first, the user's settings, the user's directories, packages, the command line, extensions. Of extensions those
//! on the command line come first. What is in the files is not looked at, and neither is an untrusted project.

use std::path::{Path, PathBuf};

use super::explicit::{ListedResources, PathLists, ResourcePaths};
use super::extension_scan;
use super::overrides::{entries, expand_glob};
use super::skill_scan::{RootFiles, scan};
use super::source::{DiagnosticKind, Found, Origin, ResourcePlaces, Scope, SourceOrigin, files_ending_in};
use crate::config::settings::ResourceKind;
use crate::host::SymlinkGuard;
use crate::host::env::Env;
use crate::host::paths::{absolute, expand};

/// A file, and where it came from.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) path: PathBuf,
    pub(crate) origin: Origin,
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) kind: ResourceKind,
    pub(crate) places: &'a ResourcePlaces,
    pub(crate) listed: &'a ListedResources,
    /// What the command line names, absolute.
    pub(crate) explicit: &'a [PathBuf],
    /// Without it only what the command line names counts.
    pub(crate) discover: bool,
}

/// Finds the files; what is wrong with paths is reported in `found`.
pub(crate) fn locate<T>(search: Search<'_>, found: &mut Found<T>) -> Vec<Located> {
    let mut locator = Locator { search, found, located: Vec::new() };
    let are_first = search.kind == ResourceKind::Extensions;
    if are_first {
        locator.explicit();
    }
    locator.packages(true);
    if search.discover {
        if search.places.trusted {
            locator.scope(Scope::Project, &search.listed.project, &search.places.project_dir);
            search.listed.outer.iter().for_each(|(dir, lists)| locator.scope(Scope::Project, lists, dir));
        }
        locator.scope(Scope::User, &search.listed.user, &search.places.agent_dir);
        locator.packages(false);
    }
    if !are_first {
        locator.explicit();
    }
    if search.discover {
        locator.contributions();
    }
    locator.located
}

struct Locator<'a, T> {
    search: Search<'a>,
    found: &'a mut Found<T>,
    located: Vec<Located>,
}

impl<T> Locator<'_, T> {
    /// What the settings in `base` list, then what lies in the usual directories, both as far as the settings allow.
    fn scope(&mut self, scope: Scope, lists: &PathLists, base: &Path) {
        let entries = entries(lists.of(self.search.kind), base);
        for complaint in &entries.bad {
            self.found.warn(base, format!("{} in the settings: {complaint}", self.search.kind.key()));
        }
        let first = self.located.len();
        for entry in &entries.plain {
            self.entry(entry, &Origin::settings(scope, base));
        }
        for (origin, shared) in self.usual_places(scope, base) {
            let dir = origin.base_dir().join(self.search.kind.key());
            let files = self.files_in(&dir, if shared { RootFiles::Ignored } else { RootFiles::Count }, None);
            self.add(files, &origin);
        }
        let mut scoped = self.located.split_off(first);
        scoped.retain(|file| entries.overrides.allow(&file.path, file.origin.base_dir()));
        self.located.extend(scoped);
    }

    fn entry(&mut self, entry: &str, origin: &Origin) {
        let home = self.search.places.home.as_ref().map(|home| ("HOME", home.to_string_lossy().into_owned()));
        let path = absolute(origin.base_dir(), &expand(entry, &Env::fixed(home)));
        match expand_glob(&path) {
            Ok(paths) => paths.iter().for_each(|path| self.path(path, origin)),
            Err(reason) => self.found.warn(&path, format!("this is no pattern ({reason}); it is ignored")),
        }
    }

    /// Configuration directories, and whether they are shared with other programs.
    fn usual_places(&self, scope: Scope, base: &Path) -> Vec<(Origin, bool)> {
        let places = self.search.places;
        let shared = match (self.search.kind, scope) {
            // They reach up to the root of the repository by themselves.
            (ResourceKind::Skills, Scope::Project) if base != places.project_dir => Vec::new(),
            (ResourceKind::Skills, Scope::Project) => shared_dirs(places),
            (ResourceKind::Skills, _) => places.home.iter().map(|home| home.join(SHARED_DIR)).collect(),
            _ => Vec::new(),
        };
        let shared = shared.into_iter().map(|dir| (Origin::auto(scope, dir), true));
        std::iter::once((Origin::auto(scope, base), false)).chain(shared).collect()
    }

    fn packages(&mut self, for_this_run: bool) {
        let listed = self.search.listed;
        for package in listed.packages.iter().filter(|package| (package.scope == Scope::Temporary) == for_this_run) {
            let origin = Origin::new(&package.source, package.scope, SourceOrigin::Package, &package.base_dir);
            self.paths(&package.paths, &origin);
        }
    }

    fn contributions(&mut self) {
        let listed = self.search.listed;
        for extension in &listed.contributions {
            let source = format!("extension:{}", extension.name);
            let origin = Origin::new(&source, Scope::Temporary, SourceOrigin::TopLevel, &extension.base_dir);
            self.paths(&extension.paths, &origin);
        }
    }

    fn paths(&mut self, paths: &ResourcePaths, origin: &Origin) {
        paths.of(self.search.kind).iter().for_each(|path| self.path(path, origin));
    }

    fn explicit(&mut self) {
        for path in self.search.explicit {
            if self.search.kind == ResourceKind::Extensions {
                self.explicit_extension(path);
            } else if path.exists() {
                self.path(path, &Origin::explicit(path));
            } else {
                let what = noun(self.search.kind);
                let (first, rest) = what.split_at(1);
                let message = format!("{}{rest} path does not exist", first.to_uppercase());
                self.found.report(DiagnosticKind::Error, path, message);
            }
        }
    }

    /// What does not lead to an extension is an error in words that clients know.
    fn explicit_extension(&mut self, path: &Path) {
        let files = if path.is_dir() { extension_scan::of_named(path) } else { vec![path.to_owned()] };
        let shown = path.display();
        if !path.exists() {
            let message = format!("Extension path does not exist: {shown}");
            self.found.report(DiagnosticKind::Error, path, message);
        } else if files.is_empty() {
            let reason = extension_scan::problem(path).unwrap_or_else(|| {
                "the directory has no package.json with pi.extensions, no index.ts or index.js, and nothing in extensions/".to_owned()
            });
            let message = format!("Failed to load extension: {reason}: {shown}");
            self.found.report(DiagnosticKind::Error, path, message);
        } else {
            self.add(files, &Origin::command_line(path));
        }
    }

    /// A file, or the files in a directory.
    fn path(&mut self, path: &Path, origin: &Origin) {
        let kind = self.search.kind;
        if path.is_dir() {
            let fence = self.search.places.fence_of(path, &origin.info(path));
            if let Some(Err(error)) = fence.as_ref().map(|fence| fence.resolve(path)) {
                return self.found.refuse(path, format!("cannot list {}s: {error}", noun(kind)));
            }
            let files = self.files_in(path, RootFiles::Count, fence.as_ref());
            self.add(files, origin);
        } else if !path.exists() {
            self.found.warn(path, format!("{} path does not exist", noun(kind)));
        } else if kind == ResourceKind::Skills && path.extension().is_none_or(|extension| extension != "md") {
            self.found.warn(path, "skill path is not a markdown file");
        } else {
            self.add(vec![path.to_owned()], origin);
        }
    }

    fn files_in(&mut self, dir: &Path, root_files: RootFiles, fence: Option<&SymlinkGuard>) -> Vec<PathBuf> {
        let files = match self.search.kind {
            ResourceKind::Skills => return scan(dir, root_files, fence, self.found),
            ResourceKind::Extensions => {
                extension_scan::problems(dir).iter().for_each(|(dir, problem)| self.found.warn(dir, problem.as_str()));
                extension_scan::scan(dir)
            }
            ResourceKind::Prompts => files_ending_in("md", dir),
            ResourceKind::Themes => files_ending_in("json", dir),
        };
        files.unwrap_or_else(|error| {
            self.found.refuse(dir, format!("cannot list {}s: {error}", noun(self.search.kind)));
            Vec::new()
        })
    }

    fn add(&mut self, files: Vec<PathBuf>, origin: &Origin) {
        self.located.extend(files.into_iter().map(|path| Located { path, origin: origin.clone() }));
    }
}

fn noun(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Extensions => "extension",
        ResourceKind::Skills => "skill",
        ResourceKind::Prompts => "prompt template",
        ResourceKind::Themes => "theme",
    }
}

/// The directory that programs share for resources.
const SHARED_DIR: &str = ".agents";

/// The shared directories of the working directory and above, up to the root of the repository, without the user's.
fn shared_dirs(places: &ResourcePlaces) -> Vec<PathBuf> {
    let mut dirs = Vec::new();
    let in_repository = places.cwd.ancestors().any(|dir| dir.join(".git").exists());
    for dir in places.cwd.ancestors() {
        if places.home.as_deref() != Some(dir) {
            dirs.push(dir.join(SHARED_DIR));
        }
        if in_repository && dir.join(".git").exists() {
            break;
        }
    }
    dirs
}
