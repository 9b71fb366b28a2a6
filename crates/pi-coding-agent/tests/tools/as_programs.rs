//! The same answers as `rg` and `fd` on trees made at random. Where the programs are missing, a notice says so.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pi_coding_agent::tools::{FindOperations, FindRequest, GrepOperations, GrepRequest, LocalFiles};
use proptest::prelude::*;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// What is put at a path.
#[derive(Debug, Clone)]
enum Node {
    File(&'static str),
    Ignore(Vec<&'static str>),
    Link(&'static str),
}

const DIRS: &[&str] = &["", "a", "b", ".h", "src", "src/a", "src/target", "a/b", "a/b/src", "b/.git", "odd [x]"];
const NAMES: &[&str] = &["a", "b", "x.log", "y.txt", "Z.TXT", ".hid", "target", "[x]", "É.txt"];
const IGNORES: &[&str] =
    &[".gitignore", ".ignore", ".rgignore", ".fdignore", ".git/info/exclude", ".git/HEAD", "a/.git/HEAD", "b/.git"];
const RULES: &[&str] = &[
    "*.log",
    "target/",
    "/a",
    "!x.log",
    "**/b",
    "src/*",
    "!src/y.txt",
    "a/b",
    "# note",
    "",
    "*.txt",
    "!Z.TXT",
    "/src/**/a",
    "\\[x\\]",
    ".h",
    "b/",
    "!b/",
];

fn tree() -> impl Strategy<Value = BTreeMap<String, Node>> {
    let place = |names: &'static [&'static str]| {
        (prop::sample::select(DIRS), prop::sample::select(names)).prop_map(|(dir, name)| Path::new(dir).join(name))
    };
    let text = prop::sample::select(vec!["needle\n", "hay\nNeedle here\nneedle\n", "hay\n", "\0needle\n", ""]);
    let file = (place(NAMES), text.prop_map(Node::File));
    let link = (place(NAMES), prop::sample::select(vec!["src", "..", "y.txt", "nowhere"]).prop_map(Node::Link));
    let rules = prop::collection::vec(prop::sample::select(RULES), 0..4).prop_map(Node::Ignore);
    let node = prop_oneof![6 => file, 1 => link, 3 => (place(IGNORES), rules)];
    let path = |(path, node): (PathBuf, Node)| (path.display().to_string(), node);
    prop::collection::vec(node.prop_map(path), 1..25).prop_map(|nodes| nodes.into_iter().collect())
}

/// Makes the tree; what collides with what is there already is left out. `crowded` names a directory with so much in
/// front that a search of it takes to working in parallel.
fn plant(tree: &BTreeMap<String, Node>, crowded: Option<&str>) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    if let Some(dir) = crowded {
        let crowd = root.path().join(dir).join("0");
        fs::create_dir_all(&crowd).unwrap();
        for n in 0..100 {
            fs::write(crowd.join(n.to_string()), "hay\n").unwrap();
        }
    }
    for (path, node) in tree {
        let path = root.path().join(path);
        // Nothing is written through a link: it may lead out of the tree.
        if path.ancestors().any(Path::is_symlink)
            || path.exists()
            || fs::create_dir_all(path.parent().unwrap()).is_err()
        {
            continue;
        }
        match node {
            Node::File(text) => fs::write(path, text).unwrap(),
            Node::Ignore(rules) => fs::write(path, rules.join("\n")).unwrap(),
            Node::Link(target) => std::os::unix::fs::symlink(target, path).unwrap(),
        }
    }
    root
}

/// The first of these programs that is installed in this version or a later one; else a notice.
#[allow(clippy::print_stderr, reason = "a test that compares nothing must not look like one that does")]
fn program(names: &[&'static str], major: u32) -> Option<&'static str> {
    let found = names.iter().find(|name| version(name).is_some_and(|version| version >= major));
    if found.is_none() {
        eprintln!("notice: {names:?} of version {major} or later is not installed; nothing was compared");
    }
    found.copied()
}

/// The major version of a program: the number in `ripgrep 14.1.0`.
fn version(program: &str) -> Option<u32> {
    let output = Command::new(program).arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).split_whitespace().nth(1)?.split('.').next()?.parse().ok()
}

/// The lines that a program prints, sorted.
fn output(command: &mut Command) -> Vec<String> {
    let output = command.output().unwrap();
    let mut lines: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

fn ours<T>(answer: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(answer)
}

fn find(root: &Path, pattern: &str) -> Vec<String> {
    let (path, pattern, cancel) = (root.to_owned(), pattern.to_owned(), CancellationToken::new());
    let report = ours(LocalFiles.find(FindRequest { pattern, path, limit: None, cancel })).unwrap();
    assert!(report.found.is_sorted_by_key(|found| found.path.clone()));
    let shown = report.found.iter().map(|f| format!("{}{}", f.path.display(), if f.is_directory { "/" } else { "" }));
    let mut lines: Vec<String> = shown.collect();
    lines.sort();
    lines
}

fn fd(fd: &str, root: &Path, pattern: &str) -> Vec<String> {
    let mut command = Command::new(fd);
    command.args(["--glob", "--color=never", "--hidden"]);
    if !root.ancestors().any(|dir| dir.join(".git").exists()) {
        command.arg("--no-require-git");
    }
    let mut pattern = pattern.to_owned();
    if pattern.contains('/') {
        command.arg("--full-path");
        if !pattern.starts_with('/') && !pattern.starts_with("**/") {
            pattern.insert_str(0, "**/");
        }
    }
    output(command.arg("--").arg(pattern).arg(root))
}

fn grep(base: &Path, path: &Path, pattern: &str, glob: Option<&str>, context: usize) -> Vec<String> {
    let request = GrepRequest {
        pattern: pattern.to_owned(),
        literal: false,
        ignore_case: false,
        glob: glob.map(str::to_owned),
        path: path.to_owned(),
        base: base.to_owned(),
        context,
        limit: usize::MAX,
        cancel: CancellationToken::new(),
    };
    let report = ours(LocalFiles.grep(request)).unwrap();
    assert!(report.matches.is_sorted_by_key(|found| (found.path.clone(), found.line)));
    let mut lines: Vec<String> =
        report.matches.iter().map(|found| format!("{}\0{}:{}", found.path.display(), found.line, found.text)).collect();
    lines.sort();
    lines
}

fn rg(base: &Path, path: &Path, pattern: &str, glob: Option<&str>) -> Vec<String> {
    let mut command = Command::new("rg");
    // As text instead of as JSON, which would have to be parsed; files that turn out to be binary are left out.
    command.args([
        "--no-config",
        "--line-number",
        "--color=never",
        "--hidden",
        "--null",
        "--with-filename",
        "--no-heading",
    ]);
    command.current_dir(base).args(glob.map(|glob| format!("--glob={glob}")));
    output(command.arg("--").arg(pattern).arg(path))
}

const PATTERNS: &[&str] = &[
    "*",
    "*.txt",
    "y*",
    "**/b",
    "src/**",
    "a/*",
    "{a,b}",
    "[ab]*",
    "*.TXT",
    "**",
    "src/**/*.log",
    "?",
    ".*",
    "!a",
    "[!a]*",
    "é.txt",
    "É*",
    "*/a",
    "**/src/*",
    "a",
    "\\[x\\]",
    "odd [[]x]/*",
    "*[x]*",
    "target",
    "{*.log,src/*}",
    "**/*",
    "***",
    "a**b",
];
const GLOBS: &[Option<&str>] = &[
    None,
    Some("*.txt"),
    Some("!*.log"),
    Some("src/**"),
    Some("a"),
    Some("/a"),
    Some("target/"),
    Some("**/b/*"),
    Some("*.{txt,log}"),
    Some("!src"),
    Some("*.TXT"),
    Some("src/*"),
    Some("!**/a/**"),
    Some("\\[x\\]"),
    Some(".h/**"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn find_finds_what_fd_finds(tree in tree(), dir in prop::sample::select(DIRS), patterns in prop::sample::subsequence(PATTERNS, 6), is_large: bool) {
        let Some(program) = program(&["fd", "fdfind"], 9) else { return Ok(()) };
        let root = plant(&tree, is_large.then_some(dir));
        let path = root.path().canonicalize().unwrap().join(dir);
        prop_assume!(path.is_dir());
        let path = path.components().collect::<PathBuf>();
        for pattern in patterns {
            prop_assert_eq!(find(&path, pattern), fd(program, &path, pattern), "pattern {}", pattern);
        }
    }

    #[test]
    fn grep_finds_what_rg_finds(tree in tree(), dir in prop::sample::select(DIRS), globs in prop::sample::subsequence(GLOBS, 4), is_large: bool) {
        let Some(_) = program(&["rg"], 14) else { return Ok(()) };
        let root = plant(&tree, is_large.then_some(dir));
        let base = root.path().canonicalize().unwrap();
        let path = base.join(dir).components().collect::<PathBuf>();
        prop_assume!(path.is_dir());
        for glob in globs {
            let wanted = rg(&base, &path, "needle", glob);
            prop_assert_eq!(&grep(&base, &path, "needle", glob, 0), &wanted, "glob {:?}", glob);
            prop_assert_eq!(&grep(&base, &path, "needle", glob, 2), &wanted, "glob {:?} with context", glob);
        }
    }
}
