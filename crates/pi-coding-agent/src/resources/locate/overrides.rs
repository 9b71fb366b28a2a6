//! The arrays of a settings file, taken apart: paths to load, and what switches single resources off and on.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

use super::skill_scan::SKILL_FILE;
use super::source::{file_name, text};
use crate::host::{MAX_DIRECTORIES, plain_path, refusal_in};

/// Characters that make a path a glob.
const GLOB: [char; 4] = ['*', '?', '[', '{'];

/// What an array says about resources that were found.
#[derive(Debug, Default)]
pub(crate) struct Overrides {
    base: PathBuf,
    /// What is let through at all; empty is everything.
    included: Vec<GlobMatcher>,
    /// `!glob`
    excluded: Vec<GlobMatcher>,
    /// `+path`: wins over `!`.
    forced: Vec<String>,
    /// `-path`: wins over `+`.
    refused: Vec<String>,
}

/// An array, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Entries<'a> {
    /// Paths and globs to load, as they were written.
    pub(crate) plain: Vec<&'a str>,
    pub(crate) overrides: Overrides,
    /// Entries that are no glob, with the reason.
    pub(crate) bad: Vec<String>,
}

/// Takes an array apart whose paths are relative to `base`.
pub(crate) fn entries<'a>(list: &'a [String], base: &Path) -> Entries<'a> {
    let mut entries = Entries::default();
    entries.overrides.base = base.to_owned();
    for entry in list.iter().map(|entry| entry.trim()).filter(|entry| !entry.is_empty()) {
        let overrides = &mut entries.overrides;
        match (entry.as_bytes()[0], entry.get(1..).unwrap_or_default()) {
            (b'!', pattern) => match glob(pattern) {
                Ok(glob) => overrides.excluded.push(glob),
                Err(reason) => entries.bad.push(format!("\"{entry}\" is no pattern ({reason}); it is ignored")),
            },
            (b'+', path) => overrides.forced.push(without_dot(path).to_owned()),
            (b'-', path) => overrides.refused.push(without_dot(path).to_owned()),
            _ => entries.plain.push(entry),
        }
    }
    entries
}

/// The same for an array that chooses among what is there: where it has plain entries, only what fits one is used.
pub(crate) fn choice<'a>(list: &'a [String], base: &Path) -> Entries<'a> {
    let mut entries = entries(list, base);
    for entry in std::mem::take(&mut entries.plain) {
        match glob(entry) {
            Ok(glob) => entries.overrides.included.push(glob),
            Err(reason) => entries.bad.push(format!("\"{entry}\" is no pattern ({reason}); it is ignored")),
        }
    }
    entries
}

impl Overrides {
    /// Whether a file that was found below `found_in` is used.
    pub(crate) fn allow(&self, file: &Path, found_in: &Path) -> bool {
        if self.included.is_empty() && self.excluded.is_empty() && self.refused.is_empty() {
            return true;
        }
        let names = self.names(file, found_in);
        let exactly = |paths: &[String]| paths.iter().any(|path| names.paths.iter().any(|name| name == path));
        if exactly(&self.refused) {
            return false;
        }
        let fits = |globs: &[GlobMatcher]| globs.iter().any(|glob| names.all().any(|name| glob.is_match(name)));
        exactly(&self.forced) || ((self.included.is_empty() || fits(&self.included)) && !fits(&self.excluded))
    }

    /// What a file can be called by; a skill also by its directory.
    fn names(&self, file: &Path, found_in: &Path) -> Names {
        let dir = file.parent().filter(|_| file_name(file) == Some(SKILL_FILE));
        let mut names = Names::default();
        for path in std::iter::once(file).chain(dir) {
            let relative = [self.base.as_path(), found_in].into_iter().filter_map(|base| path.strip_prefix(base).ok());
            names.paths.extend(relative.chain([path]).map(text));
            names.base.extend(file_name(path).map(str::to_owned));
        }
        names
    }
}

#[derive(Default)]
struct Names {
    /// Relative and absolute paths.
    paths: Vec<String>,
    base: Vec<String>,
}

impl Names {
    fn all(&self) -> impl Iterator<Item = &String> {
        self.paths.iter().chain(&self.base)
    }
}

/// The files and directories that a path to load means, sorted; itself where it is no glob.
///
/// # Errors
/// What is wrong with the glob.
pub(crate) fn expand_glob(path: &Path) -> Result<Vec<PathBuf>, String> {
    let mut reached = vec![PathBuf::new()];
    for component in path.components() {
        let part = component.as_os_str();
        let pattern = part.to_str().filter(|part| part.contains(GLOB));
        reached = match pattern {
            None => reached.into_iter().map(|dir| dir.join(part)).collect(),
            Some("**") => {
                let mut all = Vec::new();
                for dir in reached {
                    add_with_subdirectories(dir, &mut all)?;
                }
                all
            }
            Some(pattern) => {
                let glob = glob(pattern)?;
                let matches = |path: &PathBuf| file_name(path).is_some_and(|name| glob.is_match(name));
                let mut inside = Vec::new();
                for dir in &reached {
                    inside.extend(entries_of(dir)?.into_iter().filter(matches));
                }
                inside
            }
        };
    }
    if path.to_str().is_some_and(|path| path.contains(GLOB)) {
        reached.retain(|path| path.exists());
    }
    Ok(reached)
}

/// Links are not followed: they may lead back up.
fn add_with_subdirectories(dir: PathBuf, all: &mut Vec<PathBuf>) -> Result<(), String> {
    let mut next = all.len();
    all.push(dir);
    while let Some(dir) = all.get(next).cloned() {
        let below = entries_of(&dir)?.into_iter().filter(|path| path.is_dir() && !path.is_symlink());
        all.extend(below.filter(|path| file_name(path) != Some("node_modules")));
        next += 1;
        if all.len() > MAX_DIRECTORIES {
            return Err(format!("it takes in more than {MAX_DIRECTORIES} directories"));
        }
    }
    Ok(())
}

/// A directory that cannot be read has no entries; a glob asks for what is there. One that has too many is an error.
fn entries_of(dir: &Path) -> Result<Vec<PathBuf>, String> {
    match super::source::sorted_entries(dir) {
        Err(error) if refusal_in(&error).is_some() => Err(format!("{}: {error}", plain_path(dir))),
        entries => Ok(entries.unwrap_or_default()),
    }
}

fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(without_dot(pattern)).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| error.kind().to_string())
}

fn without_dot(path: &str) -> &str {
    path.trim_start_matches("./").trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: &[&str]) -> Vec<String> {
        entries.iter().map(|entry| (*entry).to_owned()).collect()
    }

    #[test]
    fn the_last_word_is_minus_then_plus_then_the_exclamation_mark() {
        let base = Path::new("/c");
        for (array, file, allowed) in [
            (vec![], "/c/skills/a/SKILL.md", true),
            (vec!["!skills/a"], "/c/skills/a/SKILL.md", false),
            (vec!["!a"], "/c/skills/a/SKILL.md", false),
            (vec!["!skills/*"], "/c/skills/a/SKILL.md", false),
            (vec!["!skills/*"], "/c/skills/deep/a/SKILL.md", true),
            (vec!["!skills/**"], "/c/skills/deep/a/SKILL.md", false),
            (vec!["!/c/skills/a"], "/c/skills/a/SKILL.md", false),
            (vec!["!*.md"], "/c/prompts/a.md", false),
            (vec!["!./prompts/a.md"], "/c/prompts/a.md", false),
            (vec!["!**", "+skills/a"], "/c/skills/a/SKILL.md", true),
            (vec!["!**", "+./skills/a/"], "/c/skills/a/SKILL.md", true),
            (vec!["!**", "+a"], "/c/skills/a/SKILL.md", false),
            (vec!["+skills/a", "-skills/a/SKILL.md"], "/c/skills/a/SKILL.md", false),
            (vec!["-skills/*"], "/c/skills/a/SKILL.md", true),
            (vec!["!skills/a"], "/h/.agents/skills/a/SKILL.md", false),
        ] {
            let array = list(&array);
            let entries = entries(&array, base);
            let found_in = if file.starts_with("/h") { Path::new("/h/.agents") } else { base };
            assert_eq!(entries.overrides.allow(Path::new(file), found_in), allowed, "{array:?} {file}");
            assert!(entries.plain.is_empty() && entries.bad.is_empty(), "{entries:?}");
        }
    }

    #[test]
    fn paths_are_kept_and_bad_patterns_named() {
        let array = list(&["a", " b/*.md ", "", "![z", "-c"]);
        let entries = entries(&array, Path::new("/c"));
        assert_eq!(entries.plain, ["a", "b/*.md"]);
        assert_eq!(entries.bad.len(), 1);
        assert!(entries.bad[0].starts_with("\"![z\" is no pattern (unclosed character class"), "{:?}", entries.bad);
    }

    #[test]
    fn globs_find_files_and_directories() {
        let root = tempfile::tempdir().unwrap();
        for file in ["a/x/one.md", "a/y/two.md", "a/y/deep/three.md", "a/.z/four.md", "b.md"] {
            let file = root.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        for (glob, expected) in [
            ("a/*", vec!["a/x", "a/y"]),
            ("a/[xz]/*.md", vec!["a/x/one.md"]),
            ("a/**/*.md", vec!["a/x/one.md", "a/y/two.md", "a/y/deep/three.md"]),
            ("*/y/{two,deep}*", vec!["a/y/deep", "a/y/two.md"]),
            ("no/*", vec![]),
            ("no/such", vec!["no/such"]),
        ] {
            let found = expand_glob(&root.path().join(glob)).unwrap();
            let found: Vec<_> = found.iter().map(|path| path.strip_prefix(root.path()).unwrap()).collect();
            assert_eq!(found, expected.iter().map(Path::new).collect::<Vec<_>>(), "{glob}");
        }
        assert!(expand_glob(Path::new("/a/[z")).is_err());
    }
}
