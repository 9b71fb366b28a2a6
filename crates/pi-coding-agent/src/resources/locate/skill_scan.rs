//! Finds the files of skills below a directory. What is in them is not looked at.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::Gitignore;

use super::ignore_files::rules_of;
use super::source::{Found, file_name, sorted_entries};
use crate::host::{self, MAX_DEPTH, MAX_DIRECTORIES, SymlinkGuard};

/// The file that makes its directory a skill.
pub(in crate::resources) const SKILL_FILE: &str = "SKILL.md";

/// Whether Markdown files directly in the scanned directory are skills, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RootFiles {
    /// Each is a skill.
    Count,
    /// They are something else.
    Ignored,
}

/// Finds skill files below `dir`, sorted by path. A directory with a `SKILL.md` is one skill, whatever else is in it.
/// Links are followed, each directory once, but not out of the fence. Whether a `SKILL.md` can be read shows later.
pub(crate) fn scan<T>(
    dir: &Path,
    root_files: RootFiles,
    fence: Option<&SymlinkGuard>,
    found: &mut Found<T>,
) -> Vec<PathBuf> {
    let mut scan = Scan { fence, files: Vec::new(), visited: HashSet::new(), ignores: Vec::new(), is_cut: [false; 2] };
    if host::has_entry(dir) {
        scan.directory(dir, root_files, found);
    }
    scan.files
}

struct Scan<'a> {
    fence: Option<&'a SymlinkGuard>,
    files: Vec<PathBuf>,
    /// Real paths, against links that lead back up.
    visited: HashSet<PathBuf>,
    /// Rules of the directories from the root of the scan to the current one.
    ignores: Vec<Gitignore>,
    /// Whether it was said that some directories are too deep, and that there are too many.
    is_cut: [bool; 2],
}

impl Scan<'_> {
    fn directory<T>(&mut self, dir: &Path, root_files: RootFiles, found: &mut Found<T>) {
        let Ok(real) = dir.canonicalize() else { return };
        if let Some(Err(error)) = self.fence.map(|fence| fence.resolve(dir)) {
            return found.refuse(dir, format!("cannot look for skills: {error}"));
        }
        if self.is_beyond_limits(dir, found) || !self.visited.insert(real) {
            return;
        }
        let skill = dir.join(SKILL_FILE);
        if skill.symlink_metadata().is_ok() && !skill.is_dir() {
            return self.files.push(skill);
        }
        let (rules, problems) = rules_of(dir);
        problems.iter().for_each(|(file, problem)| found.refuse(file, problem.as_str()));
        self.ignores.push(rules);
        match sorted_entries(dir) {
            Ok(entries) => entries.iter().for_each(|path| self.entry(path, root_files, found)),
            Err(error) => found.refuse(dir, format!("cannot look for skills: {error}")),
        }
        self.ignores.pop();
    }

    /// Says once of each limit that there is more.
    fn is_beyond_limits<T>(&mut self, dir: &Path, found: &mut Found<T>) -> bool {
        let limits =
            [(self.ignores.len() >= MAX_DEPTH, MAX_DEPTH), (self.visited.len() >= MAX_DIRECTORIES, MAX_DIRECTORIES)];
        let Some(which) = limits.iter().position(|(is_reached, _)| *is_reached) else { return false };
        if !std::mem::replace(&mut self.is_cut[which], true) {
            let what = ["levels of directories", "directories"][which];
            let limit = limits[which].1;
            found.refuse(dir, format!("there are more than {limit} {what}; no skills are looked for in the rest"));
        }
        true
    }

    fn entry<T>(&mut self, path: &Path, root_files: RootFiles, found: &mut Found<T>) {
        let is_dir = path.is_dir();
        if self.is_ignored(path, is_dir) {
            return;
        }
        if is_dir && file_name(path) != Some("node_modules") {
            self.directory(path, RootFiles::Ignored, found);
        } else if root_files == RootFiles::Count && path.extension().is_some_and(|e| e == "md") && !is_dir {
            self.files.push(path.to_owned());
        }
    }

    /// The rules of the nearest directory decide.
    fn is_ignored(&self, path: &Path, is_dir: bool) -> bool {
        let decision = self.ignores.iter().rev().find_map(|rules| match rules.matched(path, is_dir) {
            Match::None => None,
            other => Some(other.is_ignore()),
        });
        decision.unwrap_or(false)
    }
}
