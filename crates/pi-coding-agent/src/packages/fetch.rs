//! Brings a package to the disk and takes it away again. The settings are somebody else's.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pi_ai::Clock;

use super::contents::link_that_leaves;
use super::entries::ListedPackage;
use super::git;
use super::npm::{InstallScripts, Npm};
use super::place::{confine, git_root, io, make_dir, npm_root, prepare, remove_dir};
use super::programs::Programs;
use super::source::{GitSource, NpmSource, PackageSource, shown};
use crate::dir_lock::LongLock;
use crate::error::{Error, PackageError};

/// How the names of directories begin in which something is not finished yet.
const UNFINISHED: &str = ".unfinished-";

/// Fetches with programs.
#[derive(Debug)]
pub(super) struct Fetcher {
    pub(super) npm: Npm,
    pub(super) programs: Programs,
    pub(super) scripts: InstallScripts,
    pub(super) offline: bool,
    pub(super) clock: Arc<dyn Clock>,
}

impl Fetcher {
    /// Fetches a package, or brings the one that is there to what the source says.
    pub(super) async fn fetch(&self, package: &ListedPackage, base: &Path) -> Result<(), Error> {
        self.locked(package, base, false).await
    }

    /// Fetches a package unless somebody else has meanwhile.
    pub(super) async fn fetch_missing(&self, package: &ListedPackage, base: &Path) -> Result<(), Error> {
        self.locked(package, base, true).await
    }

    /// Removes a package from the disk. A path of the user's stays.
    pub(super) async fn remove(&self, package: &ListedPackage, base: &Path) -> Result<(), Error> {
        let Some(root) = root_of(&package.source, base).filter(|_| package.dir.symlink_metadata().is_ok()) else {
            return Ok(());
        };
        let lock = self.lock(&root, base).await?;
        let remove = async {
            match &package.source {
                PackageSource::Npm(npm) => self.npm.uninstall(&npm.name, &root, &self.programs).await?,
                PackageSource::Git(_) | PackageSource::Local(_) => {}
            }
            confine(&package.dir, base)?;
            let dir = package.dir.clone();
            in_background(move || remove_dir(&dir, &root)).await
        };
        Ok(lock.hold_during(remove).await?)
    }

    async fn locked(&self, package: &ListedPackage, base: &Path, only_missing: bool) -> Result<(), Error> {
        let Some(root) = root_of(&package.source, base) else { return Ok(()) };
        if self.offline {
            return Err(PackageError::Offline { shown: shown(package.text()) }.into());
        }
        let lock = self.lock(&root, base).await?;
        if only_missing && package.is_there() {
            return Ok(());
        }
        confine(&package.dir, base)?;
        let fetch = async {
            match &package.source {
                PackageSource::Npm(npm) => self.install_npm(npm, package, &root).await,
                PackageSource::Git(git) => self.install_git(git, package, &root).await,
                PackageSource::Local(_) => Ok(()),
            }
        };
        Ok(lock.hold_during(fetch).await?)
    }

    /// One process at a time works in a directory of packages.
    async fn lock(&self, root: &Path, base: &Path) -> Result<LongLock, Error> {
        prepare(root, base)?;
        LongLock::acquire(&root.join("install"), &self.clock).await
    }

    async fn install_npm(&self, npm: &NpmSource, package: &ListedPackage, root: &Path) -> Result<(), PackageError> {
        let spec = match npm.version {
            // Without it npm would stay at the version that its lock file has.
            None => format!("{}@latest", npm.name),
            Some(_) => npm.spec(),
        };
        self.npm.install(&spec, root, self.scripts, &self.programs).await?;
        if !package.dir.is_dir() {
            return Err(PackageError::NothingInstalled { shown: shown(package.text()), path: package.dir.clone() });
        }
        let Err(error) = check(package, &package.dir, root).await else { return Ok(()) };
        // Whatever npm says: what is refused does not stay.
        let _ = self.npm.uninstall(&npm.name, root, &self.programs).await;
        let (dir, root) = (package.dir.clone(), root.to_owned());
        in_background(move || remove_dir(&dir, &root)).await?;
        Err(error)
    }

    async fn install_git(&self, source: &GitSource, package: &ListedPackage, root: &Path) -> Result<(), PackageError> {
        if git::is_clone(&package.dir) {
            if git::refresh(source, &package.dir, &self.programs).await? {
                self.finish_clone(package, &package.dir, root).await?;
            }
            return Ok(());
        }
        // A clone that was interrupted never lies where a package is looked for.
        make_dir(root)?;
        let unfinished =
            tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(root).map_err(io("make a directory in", root))?;
        git::clone(source, unfinished.path(), &self.programs).await?;
        self.finish_clone(package, unfinished.path(), unfinished.path()).await?;
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

    /// Installs what a clone depends on, and looks at all of it. A clone that is refused is removed.
    async fn finish_clone(&self, package: &ListedPackage, dir: &Path, root: &Path) -> Result<(), PackageError> {
        if dir.join("package.json").is_file() {
            self.npm.dependencies(dir, self.scripts, &self.programs).await?;
        }
        let Err(error) = check(package, dir, dir).await else { return Ok(()) };
        let (dir, root) = (dir.to_owned(), root.to_owned());
        in_background(move || remove_dir(&dir, &root)).await?;
        Err(error)
    }
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

/// Work on files, away from the threads of the runtime.
async fn in_background(work: impl FnOnce() -> Result<(), PackageError> + Send + 'static) -> Result<(), PackageError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(io("look at", Path::new("the package"))(std::io::Error::other(error))))
}
