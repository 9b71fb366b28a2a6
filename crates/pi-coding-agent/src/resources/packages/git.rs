//! Repositories, by the program git. Submodules are not fetched, and nothing of a repository is run.

use std::path::Path;

use super::programs::{Needed, Programs};
use super::source::{GitSource, shown};
use crate::resources::PackageError;

const NEEDED: Needed = Needed {
    purpose: "packages from repositories",
    way_out: "Install git, or install the package from npm or a path.",
};

/// What git is told in every call: no housekeeping in the background that outlives the call.
const QUIET: [&str; 6] = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "advice.detachedHead=false"];

/// Clones a repository into `dir`, which must not exist or be empty, and goes to the source's reference.
pub(super) async fn clone(source: &GitSource, dir: &Path, programs: &Programs) -> Result<(), PackageError> {
    let parent = dir.parent().unwrap_or(dir);
    git(&["clone", "--quiet", "--no-checkout", "--", &source.url, &dir.to_string_lossy()], parent, programs).await?;
    let commit = wanted(source, dir, programs).await?;
    check_out(&commit, dir, programs).await
}

/// Fetches what is new, and goes to the source's reference or to where the default branch is now. Local changes are lost.
/// Returns whether anything changed.
pub(super) async fn refresh(source: &GitSource, dir: &Path, programs: &Programs) -> Result<bool, PackageError> {
    git(&["remote", "set-url", "--", "origin", &source.url], dir, programs).await?;
    git(&["fetch", "--quiet", "--force", "--prune", "--tags", "origin"], dir, programs).await?;
    if source.reference.is_none() {
        // The default branch may be another one by now.
        git(&["remote", "set-head", "origin", "--auto"], dir, programs).await?;
    }
    let commit = wanted(source, dir, programs).await?;
    let before = git(&["rev-parse", "--verify", "--quiet", "HEAD"], dir, programs).await;
    let status = git(&["status", "--porcelain", "--untracked-files=no"], dir, programs).await?;
    if before.is_ok_and(|head| head == commit) && status.is_empty() {
        return Ok(false);
    }
    check_out(&commit, dir, programs).await?;
    Ok(true)
}

/// Whether `dir` is a clone of its own, and not only inside of another.
pub(super) fn is_clone(dir: &Path) -> bool {
    dir.join(".git").exists()
}

async fn check_out(commit: &str, dir: &Path, programs: &Programs) -> Result<(), PackageError> {
    git(&["checkout", "--quiet", "--force", "--detach", commit, "--"], dir, programs).await?;
    git(&["clean", "--quiet", "-fdx"], dir, programs).await.map(drop)
}

/// The commit that a source means.
async fn wanted(source: &GitSource, dir: &Path, programs: &Programs) -> Result<String, PackageError> {
    let Some(reference) = &source.reference else {
        return commit("refs/remotes/origin/HEAD", dir, programs).await;
    };
    for name in [format!("refs/tags/{reference}"), format!("refs/remotes/origin/{reference}"), reference.clone()] {
        match commit(&name, dir, programs).await {
            Err(PackageError::Failed { .. }) => {}
            result => return result,
        }
    }
    // A commit that no branch has any more.
    match git(&["fetch", "--quiet", "origin", "--", reference], dir, programs).await {
        Ok(_) => commit("FETCH_HEAD", dir, programs).await,
        Err(PackageError::Failed { .. }) => {
            Err(PackageError::NoSuchReference { shown: shown(&source.url), reference: reference.clone() })
        }
        Err(error) => Err(error),
    }
}

async fn commit(name: &str, dir: &Path, programs: &Programs) -> Result<String, PackageError> {
    let name = format!("{name}^{{commit}}");
    git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name], dir, programs).await
}

/// Runs git in `dir`; its output without the end of the line.
async fn git(arguments: &[&str], dir: &Path, programs: &Programs) -> Result<String, PackageError> {
    let argv: Vec<String> =
        ["git"].iter().chain(&QUIET).chain(arguments).map(|argument| (*argument).to_owned()).collect();
    programs.run(&argv, dir, NEEDED).await.map(|output| output.trim().to_owned())
}
