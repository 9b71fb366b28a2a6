//! One layout of modules: the file of a module that has a folder is `mod.rs` in that folder.

use std::collections::HashSet;

use crate::code::File;

/// Files `x.rs` beside a folder `x/` that holds further Rust files.
pub(super) fn modules_beside_their_folder(files: &[File]) -> Vec<String> {
    let rust = || files.iter().filter_map(|file| file.path.strip_suffix(".rs"));
    let folders: HashSet<&str> = rust().flat_map(|path| path.match_indices('/').map(|(end, _)| &path[..end])).collect();
    let beside = rust().filter(|path| folders.contains(path));
    beside.map(|path| format!("{path}.rs lies beside its folder: move it to {path}/mod.rs")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_lies_in_its_folder() {
        let file = |path: &str| File { path: path.to_owned(), text: String::new() };
        let check =
            |paths: &[&str]| modules_beside_their_folder(&paths.iter().map(|path| file(path)).collect::<Vec<_>>());
        let allowed =
            ["c/src/lib.rs", "c/src/a/mod.rs", "c/src/a/b.rs", "c/src/ab.rs", "c/src/data.rs", "c/src/data/x.txt"];
        assert_eq!(check(&allowed), Vec::<String>::new());
        let found = ["c/src/a.rs lies beside its folder: move it to c/src/a/mod.rs"];
        assert_eq!(check(&["c/src/a.rs", "c/src/a/b.rs"]), found);
        assert_eq!(check(&["c/src/a.rs", "c/src/a/b/c.rs"]), found);
    }
}
