//! Brings a package to the disk and takes it away again. The settings are somebody else's.

use std::fs;
use std::path::{Path, PathBuf};

use super::contents::link_that_leaves;
use super::entries::ListedPackage;
use super::git;
use super::install_lock::InstallLock;
use super::npm::{InstallScripts, Npm};
use super::package_dirs::{confine, git_root, in_background, io, make_dir, npm_root, prepare, remove_dir};
use super::programs::Programs;
use super::snapshot::{Before, put_back};
use crate::resources::PackageError;
use crate::resources::locate::package_source::{GitSource, NpmSource, PackageSource, shown};

/// How the names of directories begin in which something is not finished yet.
const UNFINISHED: &str = ".unfinished-";

/// Fetches with programs.
#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) npm: Npm,
    pub(super) programs: Programs,
    pub(super) scripts: InstallScripts,
    pub(super) offline: bool,
}

impl Fetcher {
    /// Fetches a package, or brings the one that is there to what the source says. Where that fails, everything is as it
    /// was.
    pub(super) async fn fetch(&self, package: &ListedPackage, base: &Path) -> Result<(), PackageError> {
        self.locked(package, base, false).await
    }

    /// Fetches a package unless somebody else has meanwhile.
    pub(super) async fn fetch_missing(&self, package: &ListedPackage, base: &Path) -> Result<(), PackageError> {
        self.locked(package, base, true).await
    }

    /// Removes a package from the disk. A path of the user's stays.
    pub(super) async fn remove(&self, package: &ListedPackage, base: &Path) -> Result<(), PackageError> {
        let Some(root) = root_of(&package.source, base).filter(|_| package.dir.symlink_metadata().is_ok()) else {
            return Ok(());
        };
        let _lock = self.lock(&root, base).await?;
        if let PackageSource::Npm(npm) = &package.source {
            let before = Before::of(&root, &root).await?;
            before.settle(self.npm.uninstall(&npm.name, &root, &self.programs).await).await?;
        }
        confine(&package.dir, base)?;
        let dir = package.dir.clone();
        in_background(move || remove_dir(&dir, &root)).await
    }

    async fn locked(&self, package: &ListedPackage, base: &Path, only_missing: bool) -> Result<(), PackageError> {
        let Some(root) = root_of(&package.source, base) else { return Ok(()) };
        if self.offline {
            return Err(PackageError::Offline { shown: shown(package.text()) });
        }
        let _lock = self.lock(&root, base).await?;
        if only_missing && package.is_there() {
            return Ok(());
        }
        confine(&package.dir, base)?;
        match &package.source {
            PackageSource::Npm(npm) => {
                let before = Before::of(&root, &root).await?;
                before.settle(self.install_npm(npm, package, &root).await).await
            }
            PackageSource::Git(git) if git::is_clone(&package.dir) => {
                let before = Before::of(&package.dir, &root).await?;
                before.settle(self.refresh(git, package).await).await
            }
            PackageSource::Git(git) => self.clone(git, package, &root).await,
            PackageSource::Local(_) => Ok(()),
        }
    }

    /// One process at a time works in a directory of packages; what one before has left unfinished is cleared away.
    async fn lock(&self, root: &Path, base: &Path) -> Result<InstallLock, PackageError> {
        prepare(root, base)?;
        let lock = InstallLock::acquire(root, &self.programs).await?;
        let root = root.to_owned();
        in_background(move || put_back(&root).and_then(|()| remove_unfinished(&root))).await?;
        Ok(lock)
    }

    async fn install_npm(&self, npm: &NpmSource, package: &ListedPackage, root: &Path) -> Result<(), PackageError> {
        let spec = match npm.version {
            // Without it npm would stay at the version that its lock file has.
            None => format!("{}@latest", npm.name),
            Some(_) => npm.spec(),
        };
        self.npm.install(&spec, root, self.scripts, &self.programs).await?;
        if !package.is_there() {
            return Err(PackageError::NothingInstalled { shown: shown(package.text()), path: package.dir.clone() });
        }
        check(package, &package.dir, root).await
    }

    async fn refresh(&self, source: &GitSource, package: &ListedPackage) -> Result<(), PackageError> {
        if git::refresh(source, &package.dir, &self.programs).await? {
            self.finish_clone(package, &package.dir).await?;
        }
        Ok(())
    }

    /// A clone that is not finished never lies where a package is looked for.
    async fn clone(&self, source: &GitSource, package: &ListedPackage, root: &Path) -> Result<(), PackageError> {
        let unfinished =
            tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(root).map_err(io("make a directory in", root))?;
        git::clone(source, unfinished.path(), &self.programs).await?;
        self.finish_clone(package, unfinished.path()).await?;
        if let Some(parent) = package.dir.parent() {
            make_dir(parent)?;
        }
        let (from, to) = (unfinished.keep(), package.dir.clone());
        in_background(move || {
            // A directory that is no clone is in the way.
            let moved = fs::remove_dir_all(&to).or(Ok(())).and_then(|()| fs::rename(&from, &to));
            moved.map_err(|error| {
                let _ = fs::remove_dir_all(&from);
                io("move the package to", &to)(error)
            })
        })
        .await
    }

    /// Installs what a clone depends on, and looks at all of it.
    async fn finish_clone(&self, package: &ListedPackage, dir: &Path) -> Result<(), PackageError> {
        if dir.join("package.json").is_file() {
            self.npm.dependencies(dir, self.scripts, &self.programs).await?;
        }
        check(package, dir, dir).await
    }
}

/// Clones of runs that were killed.
fn remove_unfinished(root: &Path) -> Result<(), PackageError> {
    let entries = fs::read_dir(root).map_err(io("read", root))?;
    let is_unfinished = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(UNFINISHED);
    entries
        .flatten()
        .filter(is_unfinished)
        .try_for_each(|entry| fs::remove_dir_all(entry.path()).map_err(io("remove", &entry.path())))
}

/// The directory in which a program works for a source.
fn root_of(source: &PackageSource, base: &Path) -> Option<PathBuf> {
    match source {
        PackageSource::Npm(_) => Some(npm_root(base)),
        PackageSource::Git(_) => Some(git_root(base)),
        PackageSource::Local(_) => None,
    }
}

/// Refuses a package that has links to what is no part of it.
async fn check(package: &ListedPackage, dir: &Path, root: &Path) -> Result<(), PackageError> {
    let shown = shown(package.text());
    let (dir, root) = (dir.to_owned(), root.to_owned());
    in_background(move || match link_that_leaves(&dir, &root) {
        Some(link) => Err(PackageError::Escapes { shown, link }),
        None => Ok(()),
    })
    .await
}
