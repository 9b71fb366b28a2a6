//! Finds the files of skills below a directory. What is in them is not looked at.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::Gitignore;

use super::ignore_files::rules_of;
use super::source::{Found, file_name, sorted_entries};

/// The file that makes its directory a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// Whether Markdown files directly in the scanned directory are skills, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RootFiles {
    /// Each is a skill.
    Count,
    /// They are something else.
    Ignored,
}

/// Finds skill files below `dir`, sorted by path. A directory with a `SKILL.md` is one skill, whatever else is in it.
/// Links are followed, each directory once.
pub(crate) fn scan<T>(dir: &Path, root_files: RootFiles, found: &mut Found<T>) -> Vec<PathBuf> {
    let mut scan = Scan { files: Vec::new(), visited: HashSet::new(), ignores: Vec::new() };
    scan.directory(dir, root_files, found);
    scan.files
}

struct Scan {
    files: Vec<PathBuf>,
    /// Real paths, against links that lead back up.
    visited: HashSet<PathBuf>,
    /// Rules of the directories from the root of the scan to the current one.
    ignores: Vec<Gitignore>,
}

impl Scan {
    fn directory<T>(&mut self, dir: &Path, root_files: RootFiles, found: &mut Found<T>) {
        let Ok(real) = dir.canonicalize() else { return };
        if !self.visited.insert(real) {
            return;
        }
        let skill = dir.join(SKILL_FILE);
        if skill.is_file() {
            return self.files.push(skill);
        }
        self.ignores.push(rules_of(dir));
        match sorted_entries(dir) {
            Ok(entries) => entries.iter().for_each(|path| self.entry(path, root_files, found)),
            Err(error) => found.warn(dir, format!("cannot look for skills: {error}")),
        }
        self.ignores.pop();
    }

    fn entry<T>(&mut self, path: &Path, root_files: RootFiles, found: &mut Found<T>) {
        let is_dir = path.is_dir();
        if self.is_ignored(path, is_dir) {
            return;
        }
        if is_dir && file_name(path) != Some("node_modules") {
            self.directory(path, RootFiles::Ignored, found);
        } else if root_files == RootFiles::Count && path.extension().is_some_and(|e| e == "md") && path.is_file() {
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
