//! The answers of searches that all cores share are those of a plain walk, one name after the other.

use std::fs;
use std::path::{Path, PathBuf};

use pi_coding_agent::tools::{FindOperations, FindRequest, GrepOperations, GrepRequest, LocalFiles};
use proptest::prelude::*;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// Names whose order with a `/` behind them differs from their own.
const DIRS: &[&str] = &["a", "a-b", "a/b", "a/b c/d", "a.b", "b", "b/a", "b/a!", "c/\u{e9}", "c"];

/// Files of a directory, and in which of them there is a needle: where that number divides theirs.
type Crowd = (&'static str, usize, usize);

fn crowds() -> impl Strategy<Value = Vec<Crowd>> {
    prop::collection::vec((prop::sample::select(DIRS), 0..150_usize, 1..60_usize), 1..9)
}

fn plant(crowds: &[Crowd]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (dir, files, step) in crowds {
        let dir = root.path().join(dir);
        fs::create_dir_all(&dir).unwrap();
        for n in 0..*files {
            let (name, text) = match n % step {
                0 => (format!("{n}.yes"), "hay\nneedle\n\nneedle at the end".to_owned()),
                // More than is read at once.
                1 if n == 1 => (format!("{n}"), "hay\n".repeat(20_000)),
                _ => (format!("{n}"), String::from("hay\nneedl\ne\n")),
            };
            fs::write(dir.join(name), text).unwrap();
        }
    }
    root
}

/// All paths below a directory: names in the order of their bytes, each directory before what it holds.
fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
    for path in paths {
        found.push(path.clone());
        if path.is_dir() {
            walk(&path, found);
        }
    }
}

/// The matching lines of a file, with their numbers.
fn needles(path: &Path) -> Vec<(PathBuf, u64)> {
    let text = if path.is_file() { fs::read_to_string(path).unwrap() } else { String::new() };
    (1..).zip(text.lines()).filter(|(_, line)| line.contains("needle")).map(|(n, _)| (path.to_owned(), n)).collect()
}

fn ours<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(answer)
}

fn grep(root: &Path, pattern: &str, limit: usize) -> Vec<(PathBuf, u64)> {
    let request = GrepRequest {
        pattern: pattern.to_owned(),
        literal: false,
        ignore_case: false,
        glob: None,
        path: root.to_owned(),
        base: root.to_owned(),
        context: 0,
        limit,
        cancel: CancellationToken::new(),
    };
    ours(LocalFiles.grep(request)).unwrap().matches.into_iter().map(|found| (found.path, found.line)).collect()
}

fn find(root: &Path, pattern: &str, limit: usize) -> Vec<PathBuf> {
    let (pattern, path, cancel) = (pattern.to_owned(), root.to_owned(), CancellationToken::new());
    let request = FindRequest { pattern, path, limit: Some(limit), cancel };
    ours(LocalFiles.find(request)).unwrap().found.into_iter().map(|found| found.path).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_first_hits_are_found(crowds in crowds(), limits in prop::collection::vec(1..200_usize, 3)) {
        let root = plant(&crowds);
        let root = root.path();
        let mut paths = Vec::new();
        walk(root, &mut paths);
        let lines: Vec<(PathBuf, u64)> = paths.iter().flat_map(|path| needles(path)).collect();
        let names: Vec<PathBuf> =
            paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "yes")).cloned().collect();
        for limit in limits.into_iter().chain([usize::MAX]) {
            let first = &lines[..lines.len().min(limit)];
            prop_assert_eq!(&grep(root, "needle", limit), first, "limit {}", limit);
            prop_assert_eq!(&grep(root, "^n[d-l]+le( |$)", limit), first, "a regex, limit {}", limit);
            prop_assert_eq!(&find(root, "*.yes", limit), &names[..names.len().min(limit)], "limit {}", limit);
            prop_assert_eq!(&find(root, "*", limit), &paths[..paths.len().min(limit)], "limit {}", limit);
        }
    }
}
