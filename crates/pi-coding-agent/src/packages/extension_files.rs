//! Which extensions a directory holds: names only, no file is run.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use crate::prompt::source::sorted_entries;

/// Files that make their directory one extension, the first before the second.
const INDEX: [&str; 2] = ["index.ts", "index.js"];

/// The extensions in a directory: itself where it has a manifest or an index, else its scripts and those of its
/// directories that are extensions themselves. Nothing below those is looked at.
pub(super) fn extensions_in(dir: &Path) -> Vec<PathBuf> {
    if let Some(own) = own_extensions(dir) {
        return own;
    }
    // A directory that cannot be read has none.
    let entries = sorted_entries(dir).unwrap_or_default();
    entries.into_iter().flat_map(extensions_at).collect()
}

fn extensions_at(path: PathBuf) -> Vec<PathBuf> {
    let is_script = path.extension().is_some_and(|ending| ending == "ts" || ending == "js");
    if path.is_dir() {
        let is_dependency = path.file_name().is_some_and(|name| name == "node_modules");
        return if is_dependency { Vec::new() } else { own_extensions(&path).unwrap_or_default() };
    }
    if is_script && path.is_file() { vec![path] } else { Vec::new() }
}

/// What the directory itself says that it is.
fn own_extensions(dir: &Path) -> Option<Vec<PathBuf>> {
    let listed = Manifest::read(dir).ok().flatten().and_then(|manifest| manifest.extensions);
    if let Some(listed) = listed.filter(|listed| !listed.is_empty()) {
        let files = listed.iter().map(|entry| dir.join(entry.trim_start_matches("./")));
        return Some(files.filter(|file| file.exists()).collect());
    }
    INDEX.iter().map(|name| dir.join(name)).find(|index| index.is_file()).map(|index| vec![index])
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
            let found = extensions_in(root.path());
            let found: Vec<_> = found.iter().map(|path| path.strip_prefix(root.path()).unwrap()).collect();
            assert_eq!(found, expected.iter().map(Path::new).collect::<Vec<_>>(), "{files:?}");
        }
    }
}
