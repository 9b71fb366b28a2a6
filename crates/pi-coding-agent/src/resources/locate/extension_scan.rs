//! Finds the files of extensions in a directory. What is in them is not looked at, only the manifest of a package is.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::ignore_files::rules_of;
use super::overrides::{entries, expand_glob};
use super::source::{file_name, read_text, sorted_entries};
use crate::host::{FileKind, kind_name};

/// The file that says what a package consists of.
const MANIFEST: &str = "package.json";
/// The files that make their directory one extension; the first one counts.
const INDEX: [&str; 2] = ["index.ts", "index.js"];
/// The directory in which a package without a manifest has its extensions.
const CONVENTIONAL: &str = "extensions";

/// The extensions in a directory: what its manifest lists, else its index file, else the files in it and the directories
/// in it that have a manifest or an index file, by name. Deeper directories, hidden ones and what is ignored are not
/// looked at.
///
/// # Errors
/// When the directory cannot be listed. One that is not there has none.
pub(crate) fn scan(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let inside = sorted_entries(dir)?;
    let is_whole = |path: &PathBuf| file_name(path).is_some_and(|name| name == MANIFEST || INDEX.contains(&name));
    let whole = inside.iter().any(is_whole).then(|| of_package(dir)).flatten();
    Ok(whole.unwrap_or_else(|| single(dir, inside, of_package)))
}

/// The files among the entries of a directory, and what `of_dir` finds in the directories among them.
fn single(dir: &Path, inside: Vec<PathBuf>, of_dir: impl Fn(&Path) -> Option<Vec<PathBuf>>) -> Vec<PathBuf> {
    let rules = (!inside.is_empty()).then(|| rules_of(dir).0);
    let is_ignored = |path: &Path, is_dir| rules.as_ref().is_some_and(|rules| rules.matched(path, is_dir).is_ignore());
    let mut files = Vec::new();
    for path in inside {
        let is_dir = path.is_dir();
        if is_ignored(&path, is_dir) || file_name(&path) == Some("node_modules") {
            continue;
        }
        if is_dir {
            files.extend(of_dir(&path).unwrap_or_default());
        } else if is_script(&path) && path.is_file() {
            files.push(path);
        }
    }
    files
}

/// The extensions in a directory that somebody names as one extension: what its manifest lists, else those in its
/// `extensions` directory, else its index file, else the `main` file of its `package.json`. Files that merely lie in it
/// do not count.
pub(in crate::resources) fn of_named(dir: &Path) -> Vec<PathBuf> {
    let conventional = || scan(&dir.join(CONVENTIONAL)).ok().filter(|files| !files.is_empty());
    let main = || manifest(dir)?.get("main")?.as_str().map(|main| dir.join(main)).filter(|main| main.is_file());
    let files = listed(dir).or_else(conventional).or_else(|| index(dir).or_else(main).map(|file| vec![file]));
    files.unwrap_or_default()
}

/// What a directory holds as a whole: what its manifest lists, else its index file.
fn of_package(dir: &Path) -> Option<Vec<PathBuf>> {
    listed(dir).or_else(|| index(dir).map(|file| vec![file]))
}

/// The files under `pi.extensions` in the manifest that are there. A directory stands for the extensions in it.
fn listed(dir: &Path) -> Option<Vec<PathBuf>> {
    let manifest = manifest(dir)?;
    let list = manifest.get("pi")?.get("extensions")?.as_array()?;
    let list: Vec<String> = list.iter().filter_map(|entry| entry.as_str().map(str::to_owned)).collect();
    let entries = entries(&list, dir);
    let mut files = Vec::new();
    for entry in entries.plain {
        for path in expand_glob(&crate::host::paths::absolute(dir, Path::new(entry))).unwrap_or_default() {
            match path.is_dir() {
                true => files.extend(of_listed_dir(&path)),
                false => files.extend(path.is_file().then_some(path)),
            }
        }
    }
    files.retain(|file| entries.overrides.allow(file, dir));
    (!files.is_empty()).then_some(files)
}

/// What is wrong with the manifests of a directory and of those in it, with its ignore files, and with what is called like
/// a script: why extensions are missed that somebody meant to be there.
pub(in crate::resources) fn problems(dir: &Path) -> Vec<(PathBuf, String)> {
    let inside = sorted_entries(dir).unwrap_or_default();
    let mut problems = if inside.is_empty() { Vec::new() } else { rules_of(dir).1 };
    let scripts = inside.iter().filter(|path| is_script(path));
    problems.extend(scripts.filter_map(|path| Some((path.clone(), no_script(path)?))));
    let dirs = inside.iter().filter(|path| path.is_dir() && file_name(path) != Some("node_modules"));
    let dirs = std::iter::once(dir).chain(dirs.map(PathBuf::as_path));
    problems.extend(dirs.filter_map(|dir| Some((dir.to_owned(), problem(dir)?))));
    problems
}

/// Why something that is called like a script is none.
fn no_script(path: &Path) -> Option<String> {
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => None,
        Ok(metadata) => kind_name(metadata.file_type()).map(|what| format!("it is {what}, not a regular file")),
        Err(error) => Some(error.to_string()),
    }
}

/// What is wrong with the manifest of a directory.
pub(in crate::resources) fn problem(dir: &Path) -> Option<String> {
    let text = match read_text(&dir.join(MANIFEST), FileKind::Manifest, None) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return None,
        Err(error) => return Some(format!("its package.json cannot be read: {error}")),
    };
    let manifest: Value = match serde_json::from_str(&text) {
        Ok(manifest) => manifest,
        Err(error) => return Some(format!("its package.json is not valid JSON: {error}")),
    };
    let listed = manifest.get("pi")?.get("extensions")?;
    let is_list = listed.as_array().is_some_and(|list| list.iter().all(Value::is_string));
    if !is_list {
        return Some("pi.extensions in its package.json is no list of texts".to_owned());
    }
    let list: Vec<String> = listed.as_array()?.iter().filter_map(|entry| entry.as_str().map(str::to_owned)).collect();
    let is_there = |entry: &&str| {
        expand_glob(&crate::host::paths::absolute(dir, Path::new(entry)))
            .is_ok_and(|paths| paths.iter().any(|path| path.exists()))
    };
    let entries = entries(&list, dir);
    let missing = entries.plain.iter().copied().find(|entry| !is_there(entry))?;
    Some(format!("its package.json lists {missing} under pi.extensions, and it does not exist"))
}

/// No manifest in it counts: one that leads back up would have no end.
fn of_listed_dir(dir: &Path) -> Vec<PathBuf> {
    let index_of = |dir: &Path| index(dir).map(|file| vec![file]);
    index_of(dir).unwrap_or_else(|| single(dir, sorted_entries(dir).unwrap_or_default(), index_of))
}

/// A manifest that cannot be read is none: the directory may be no package at all.
fn manifest(dir: &Path) -> Option<Value> {
    serde_json::from_str(&read_text(&dir.join(MANIFEST), FileKind::Manifest, None).ok()?).ok()
}

fn index(dir: &Path) -> Option<PathBuf> {
    INDEX.iter().map(|name| dir.join(name)).find(|file| file.is_file())
}

fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ts" || extension == "js")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_directories_with_an_index_are_extensions() {
        for (files, expected) in [
            (&["a.ts", "b.js", "c.md", ".d.ts", "node_modules/index.js"][..], &["a.ts", "b.js"][..]),
            (&["a.ts", "index.js"], &["index.js"]),
            (&["one/index.ts", "one/index.js", "two/other.ts", "three/deep/index.ts"], &["one/index.ts"]),
            (&["x/package.json", "x/index.ts", "x/main.ts"], &["x/main.ts"]),
            (&["package.json", "main.ts", "gone/index.ts"], &["main.ts"]),
            (&[], &[]),
        ] {
            let root = tempfile::tempdir().unwrap();
            for file in files {
                let path = root.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(&path, r#"{"pi": {"extensions": ["./main.ts", "missing.ts"]}}"#).unwrap();
            }
            let found = scan(root.path()).unwrap();
            let found: Vec<_> = found.iter().map(|path| path.strip_prefix(root.path()).unwrap()).collect();
            assert_eq!(found, expected.iter().map(Path::new).collect::<Vec<_>>(), "{files:?}");
        }
    }
}
