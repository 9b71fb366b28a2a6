//! What a package offers: the key `pi` of its `package.json`, else the usual directories; and what of that the user's
//! filters let through. Everything becomes single files, so that patterns can be applied to them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::config::settings::{PackageFilter, ResourceKind};
use crate::host::{self, FileKind, SymlinkGuard};
use crate::resources::locate::explicit::ResourcePaths;
use crate::resources::locate::extension_scan;
use crate::resources::locate::overrides::{choice, entries, expand_glob};
use crate::resources::locate::skill_scan::{RootFiles, scan};
use crate::resources::locate::source::{Found, files_ending_in};

/// The key `pi` of a `package.json`. What is absent is not offered.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Manifest {
    #[serde(default)]
    pub(super) extensions: Option<Vec<String>>,
    #[serde(default)]
    pub(super) skills: Option<Vec<String>>,
    #[serde(default)]
    pub(super) prompts: Option<Vec<String>>,
    #[serde(default)]
    pub(super) themes: Option<Vec<String>>,
}

impl Manifest {
    /// The manifest of a package; `None` where it has none.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(dir: &Path) -> Result<Option<Self>, String> {
        let text = match host::read_text(&dir.join("package.json"), FileKind::Manifest) {
            Ok(text) => text,
            // A package may be a single file.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(format!("package.json cannot be read: {error}")),
        };
        let package: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| format!("package.json is not valid: {error}"))?;
        let Some(pi) = package.get("pi") else { return Ok(None) };
        Self::deserialize(pi).map(Some).map_err(|error| format!("the key pi of package.json is not valid: {error}"))
    }

    fn of(&self, kind: ResourceKind) -> &[String] {
        let entries = match kind {
            ResourceKind::Extensions => &self.extensions,
            ResourceKind::Skills => &self.skills,
            ResourceKind::Prompts => &self.prompts,
            ResourceKind::Themes => &self.themes,
        };
        entries.as_deref().unwrap_or_default()
    }
}

/// A package on disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct OnDisk<'a> {
    /// Its directory, or its only file.
    pub(super) path: &'a Path,
    /// Whether somebody else made it: then nothing outside of it is used.
    pub(super) confined: bool,
}

impl OnDisk<'_> {
    /// The files that it offers and the filter lets through. What is wrong is reported in `found`.
    pub(super) fn resources(self, filter: Option<&PackageFilter>, found: &mut Found<()>) -> ResourcePaths {
        let manifest = Manifest::read(self.path).unwrap_or_else(|reason| {
            found.warn(self.path, reason);
            None
        });
        let mut of = |kind| self.files(kind, manifest.as_ref(), filter_of(filter, kind), found);
        ResourcePaths {
            extensions: of(ResourceKind::Extensions),
            skills: of(ResourceKind::Skills),
            prompts: of(ResourceKind::Prompts),
            themes: of(ResourceKind::Themes),
        }
    }

    fn files(
        self,
        kind: ResourceKind,
        manifest: Option<&Manifest>,
        filter: Option<&[String]>,
        found: &mut Found<()>,
    ) -> Vec<PathBuf> {
        // What is switched off is not looked for.
        if filter.is_some_and(<[String]>::is_empty) {
            return Vec::new();
        }
        let mut files = match manifest {
            Some(manifest) => self.listed(kind, manifest.of(kind), found),
            None => self.usual(kind, found),
        };
        if let Some(filter) = filter {
            let chosen = choice(filter, self.path);
            self.complain(kind, &chosen.bad, found);
            files.retain(|file| chosen.overrides.allow(file, self.path));
        }
        self.within(files, found)
    }

    fn listed(self, kind: ResourceKind, list: &[String], found: &mut Found<()>) -> Vec<PathBuf> {
        let listed = entries(list, self.path);
        self.complain(kind, &listed.bad, found);
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in &listed.plain {
            let path = host::paths::absolute(self.path, Path::new(entry));
            match expand_glob(&path) {
                Ok(paths) => paths.iter().for_each(|path| files.extend(self.at(kind, path, found))),
                Err(reason) => found.warn(self.path, format!("\"{entry}\" is no pattern ({reason}); it is ignored")),
            }
        }
        files.retain(|file| listed.overrides.allow(file, self.path));
        let mut seen = std::collections::HashSet::new();
        files.retain(|file| seen.insert(file.clone()));
        files
    }

    /// Without a manifest the directories named like the kinds; a directory of this machine without any is an extension.
    fn usual(self, kind: ResourceKind, found: &mut Found<()>) -> Vec<PathBuf> {
        const KINDS: [ResourceKind; 4] =
            [ResourceKind::Extensions, ResourceKind::Skills, ResourceKind::Prompts, ResourceKind::Themes];
        if KINDS.iter().any(|kind| self.path.join(kind.key()).is_dir()) {
            let dir = self.path.join(kind.key());
            return if dir.is_dir() { self.at(kind, &dir, found) } else { Vec::new() };
        }
        if kind == ResourceKind::Extensions && !self.confined { vec![self.path.to_owned()] } else { Vec::new() }
    }

    /// The resources at a path of the package.
    fn at(self, kind: ResourceKind, path: &Path, found: &mut Found<()>) -> Vec<PathBuf> {
        if !path.is_dir() {
            if !path.exists() {
                found.warn(path, format!("the package lists it under {}, and it does not exist", kind.key()));
                return Vec::new();
            }
            return vec![path.to_owned()];
        }
        let files = match kind {
            ResourceKind::Extensions => extension_scan::scan(path),
            ResourceKind::Skills => {
                let fence = self.confined.then(|| SymlinkGuard::package(self.path));
                return scan(path, RootFiles::Count, fence.as_ref(), found);
            }
            ResourceKind::Prompts => files_ending_in("md", path),
            ResourceKind::Themes => files_ending_in("json", path),
        };
        files.unwrap_or_else(|error| {
            found.warn(path, format!("cannot list {}: {error}", kind.key()));
            Vec::new()
        })
    }

    fn within(self, mut files: Vec<PathBuf>, found: &mut Found<()>) -> Vec<PathBuf> {
        if self.confined && !files.is_empty() {
            let root = fs::canonicalize(self.path).unwrap_or_else(|_| self.path.to_owned());
            files.retain(|file| {
                let is_inside = fs::canonicalize(file).is_ok_and(|real| real.starts_with(&root));
                if !is_inside {
                    found.warn(file, "it is outside of its package; it is not used");
                }
                is_inside
            });
        }
        files
    }

    fn complain(self, kind: ResourceKind, bad: &[String], found: &mut Found<()>) {
        bad.iter().for_each(|complaint| found.warn(self.path, format!("{}: {complaint}", kind.key())));
    }
}

fn filter_of(filter: Option<&PackageFilter>, kind: ResourceKind) -> Option<&[String]> {
    let filter = filter?;
    let list = match kind {
        ResourceKind::Extensions => &filter.extensions,
        ResourceKind::Skills => &filter.skills,
        ResourceKind::Prompts => &filter.prompts,
        ResourceKind::Themes => &filter.themes,
    };
    list.as_deref()
}
