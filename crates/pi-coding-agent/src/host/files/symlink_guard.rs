//! How far links are followed. A file behind a fence is opened without following any link below it, so that nothing can be
//! exchanged between the look at where a path leads and the reading. Hard links cannot be told from files.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::open::{check_regular, is_a_directory};
use super::refusal::Refusal;
use super::repository::repository_top;
use super::sanitize::plain_path;
use super::without_links::without_links;

/// A directory that files must not lead out of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymlinkGuard {
    /// Without links.
    root: PathBuf,
    /// The directory that it was made for, as it was named.
    named: PathBuf,
    owner: Owner,
}

/// Whose directory it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A project that the user does not trust.
    Untrusted,
    /// A package of somebody else.
    Package,
}

impl SymlinkGuard {
    /// Around the repository that an untrusted working directory belongs to, else around the directory itself; `home` is
    /// the user's.
    pub(crate) fn untrusted(cwd: &Path, home: Option<&Path>) -> Self {
        let real_cwd = without_links(cwd);
        let top = repository_top(&real_cwd, home);
        Self { root: top.unwrap_or(real_cwd), named: cwd.to_owned(), owner: Owner::Untrusted }
    }

    /// Around a package of somebody else.
    pub fn package(dir: &Path) -> Self {
        Self { root: without_links(dir), named: dir.to_owned(), owner: Owner::Package }
    }

    /// Whether an absolute path is that of something inside. Where a link on the way or at its end leads does not matter.
    pub(crate) fn has_inside(&self, path: &Path) -> bool {
        let goes_up = path.components().any(|part| part == Component::ParentDir);
        let is_named_so = || [&self.root, &self.named].iter().any(|dir| path.starts_with(dir));
        let lies_there = || path.parent().is_some_and(|parent| without_links(parent).starts_with(&self.root));
        (!goes_up && is_named_so()) || lies_there()
    }

    /// Where a path leads, if that is inside.
    ///
    /// # Errors
    /// What the system says, [`Refusal::LeadsOut`].
    pub fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        let target = fs::canonicalize(path)?;
        if target.starts_with(&self.root) {
            return Ok(target);
        }
        Err(Refusal::LeadsOut { target, fence: self.shown() }.into())
    }

    /// Opens a regular file that lies inside, wherever the links on the way to it come from.
    ///
    /// # Errors
    /// Those of [`Self::resolve`] and [`open_regular`](super::open_regular), [`Refusal::Changed`].
    pub(super) fn open(&self, path: &Path) -> io::Result<File> {
        let target = self.resolve(path)?;
        let below = target.strip_prefix(&self.root).map_err(|_| Refusal::Changed)?;
        let file = open_below(&self.root, below)?;
        check_regular(&file)?;
        Ok(file)
    }

    fn shown(&self) -> String {
        let root = plain_path(&self.root);
        match self.owner {
            Owner::Untrusted => {
                format!("the repository {root}, which is not trusted (--approve trusts it for one run)")
            }
            Owner::Package => format!("its package {root}"),
        }
    }
}

/// Goes from `root` down to a file, step by step, and through no link.
#[cfg(unix)]
fn open_below(root: &Path, below: &Path) -> io::Result<File> {
    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};

    // A directory on the way need not be readable.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const STEP: OFlags = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const STEP: OFlags = OFlags::RDONLY;
    let step = STEP | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let changed = |errno: rustix::io::Errno| match errno {
        rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => Refusal::Changed.into(),
        errno => io::Error::from(errno),
    };
    let mut dir = openat(CWD, root, step, Mode::empty()).map_err(changed)?;
    let mut steps: Vec<_> = below.components().collect();
    let Some(name) = steps.pop() else { return Err(is_a_directory()) };
    for part in steps {
        dir = openat(&dir, part.as_os_str(), step | OFlags::NOFOLLOW, Mode::empty()).map_err(changed)?;
    }
    let name = name.as_os_str();
    // Before it is opened: opening some devices has an effect. What counts is what the caller finds open.
    let stat = statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW).map_err(changed)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Directory => return Err(is_a_directory()),
        FileType::Fifo => return Err(Refusal::NotRegular { what: "a named pipe" }.into()),
        FileType::Socket => return Err(Refusal::NotRegular { what: "a socket" }.into()),
        FileType::Symlink => return Err(Refusal::Changed.into()),
        _ => return Err(Refusal::NotRegular { what: "a device" }.into()),
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(&dir, name, flags, Mode::empty()).map_err(changed)?.into())
}

#[cfg(not(unix))]
fn open_below(root: &Path, below: &Path) -> io::Result<File> {
    super::open_regular(&root.join(below))
}
