//! What a search of a tree of 50,000 files costs, in process and by the programs whose answers it gives.
//!
//! `rg` and `fd` are started as an agent without libraries would start them, and read until there is enough. They are
//! left out where they are not installed. Run with `cargo bench -p pi-coding-agent --bench search`.
//!
//! Both sides take turns, so that what else the machine does falls on both, and a line shows them side by side.

#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::print_stdout, reason = "benches may panic and print")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pi_coding_agent::tools::{FindOperations, FindRequest, GrepOperations, GrepRequest, LocalFiles};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

const DIRS: usize = 500;
const FILES: usize = 100;
/// Counted runs of each side.
const RUNS: usize = 21;

/// Pattern and limit of a search.
type Case = (&'static str, usize);
const GREPS: [Case; 7] = [
    ("needle", 100),
    ("(?i)NEEDLE", 100),
    ("(lorem|ipsum) \\d+ needle", 100),
    ("lorem \\d+ none", 100),
    ("[0-9]{4}-[0-9]{2}", 100),
    ("hay 7 ", 100),
    ("every", 100),
];
const FINDS: [Case; 4] = [("*.none", 1000), ("f7*.rs", 1000), ("*.rs", 1000), ("*", 1000)];

/// 500 directories of 100 files of some 2 KB; a few of them hold a needle.
fn tree() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let filler: String = (0..40).map(|n| format!("lorem {n} ipsum {n} dolor sit amet, consectetur\n")).collect();
    fs::write(root.path().join(".gitignore"), "*.log\ntarget/\n").unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    for dir in 0..DIRS {
        let path = root.path().join(format!("group{}", dir % 20)).join(format!("dir{dir}"));
        fs::create_dir_all(&path).unwrap();
        for file in 0..FILES {
            let needle = if dir % 50 == 49 && file == 5 { "ipsum 5 needle\n" } else { "" };
            let text = format!("{filler}hay {} \n{needle}every file\n", (dir * FILES + file) % 300);
            fs::write(path.join(format!("f{file}.{}", if file % 10 == 0 { "rs" } else { "txt" })), text).unwrap();
        }
    }
    root
}

fn grep(runtime: &Runtime, root: &Path, (pattern, limit): Case) -> usize {
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
    runtime.block_on(LocalFiles.grep(request)).unwrap().matches.len()
}

fn find(runtime: &Runtime, root: &Path, (pattern, limit): Case) -> usize {
    let (path, cancel) = (root.to_owned(), CancellationToken::new());
    let request = FindRequest { pattern: pattern.to_owned(), path, limit: Some(limit), cancel };
    runtime.block_on(LocalFiles.find(request)).unwrap().found.len()
}

/// Starts a program, reads `limit` lines that count, and kills it.
fn lines(command: &mut Command, limit: usize, counts: impl Fn(&str) -> bool) -> usize {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let found = lines.filter(|line| counts(line.as_ref().unwrap())).take(limit).count();
    _ = child.kill();
    child.wait().unwrap();
    found
}

fn rg(root: &Path, (pattern, limit): Case) -> usize {
    let mut command = Command::new("rg");
    command.args(["--no-config", "--json", "--line-number", "--color=never", "--hidden", "--", pattern]).arg(root);
    lines(&mut command, limit, |line| line.starts_with(r#"{"type":"match""#))
}

fn fd(root: &Path, (pattern, limit): Case) -> usize {
    let mut command = Command::new("fd");
    command.args(["--glob", "--color=never", "--hidden", "--max-results", &limit.to_string(), "--", pattern]).arg(root);
    lines(&mut command, usize::MAX, |_| true)
}

fn is_installed(program: &str) -> bool {
    let installed = Command::new(program).arg("--version").output().is_ok();
    if !installed {
        eprintln!("notice: {program} is not installed; there is nothing to compare with");
    }
    installed
}

/// One way to make a search; returns how much was found.
type Side<'a> = (&'a str, &'a dyn Fn() -> usize);

/// Lets the sides take turns and prints the shortest and the median time of each.
fn compare(name: &str, sides: &[Side<'_>], runs: usize) {
    let mut times = vec![Vec::new(); sides.len()];
    let mut found = Vec::new();
    // The first round fills the caches and is not counted.
    for round in 0..=runs {
        for ((_, search), times) in sides.iter().zip(&mut times) {
            let start = Instant::now();
            found.push(search());
            if round > 0 {
                times.push(start.elapsed());
            }
        }
    }
    assert!(found.iter().all(|count| *count == found[0]), "{name}: {found:?}");
    print!("{name:<44} {:>5} hits", found[0]);
    for ((side, _), times) in sides.iter().zip(&mut times) {
        times.sort();
        if let (Some(shortest), Some(median)) = (times.first(), times.get(times.len() / 2)) {
            print!("  {side} {:>6.1} ms (median {:>6.1})", ms(*shortest), ms(*median));
        }
    }
    println!();
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() {
    // Without the argument of `cargo bench` the cases are only tried.
    let runs = if std::env::args().any(|argument| argument == "--bench") { RUNS } else { 0 };
    let root = tree();
    let root = root.path();
    let runtime = Builder::new_current_thread().build().unwrap();
    let (has_rg, has_fd) = (is_installed("rg"), is_installed("fd"));
    for case in GREPS {
        let (ours, theirs) = (|| grep(&runtime, root, case), || rg(root, case));
        let sides: [Side<'_>; 2] = [("pi", &ours), ("rg", &theirs)];
        compare(&format!("grep {}, limit {}", case.0, case.1), &sides[..1 + usize::from(has_rg)], runs);
    }
    for case in FINDS {
        let (ours, theirs) = (|| find(&runtime, root, case), || fd(root, case));
        let sides: [Side<'_>; 2] = [("pi", &ours), ("fd", &theirs)];
        compare(&format!("find {}, limit {}", case.0, case.1), &sides[..1 + usize::from(has_fd)], runs);
    }
}
