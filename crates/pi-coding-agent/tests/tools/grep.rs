//! `grep`: which lines come, in which form, and what is said about the rest.

use std::process::Command;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Workbench, numbered_lines, text};

/// Calls `grep` and returns the text of the answer.
async fn grep(bench: &Workbench, arguments: Value) -> String {
    text(&bench.call("grep", arguments).await)
}

#[tokio::test]
async fn patterns_files_and_limits() {
    let bench = Workbench::with(&[
        ("a.txt", b"needle one\nother\nNeedle two\n"),
        ("src/main.rs", b"fn main() {\n    needle(1.5);\n}\n"),
        ("src/deep/b.txt", b"needle three"),
        (".hidden/c.txt", b"needle four\n"),
        ("empty.txt", b""),
    ]);
    let calls = [
        json!({"pattern": "needle"}),
        json!({"pattern": "needle", "path": "src"}),
        json!({"pattern": "NEEDLE T", "ignoreCase": true}),
        json!({"pattern": "(1.5)", "literal": true}),
        json!({"pattern": "n\\w+e\\(\\d"}),
        json!({"pattern": "needle", "path": "src/main.rs"}),
        json!({"pattern": "needle", "glob": "*.txt", "limit": 2}),
        json!({"pattern": "needle", "glob": "!*.txt"}),
        json!({"pattern": "needle", "glob": "src/*.rs"}),
        json!({"pattern": "needle", "glob": "src/*.rs", "path": "src"}),
        json!({"pattern": "needle", "limit": 1.5}),
        json!({"pattern": "needle", "limit": -7}),
        json!({"pattern": "needle", "limit": 4}),
        json!({"pattern": "nothing at all"}),
        json!({"pattern": "", "path": "a.txt", "limit": 9}),
        json!({"pattern": "needle", "path": "", "glob": "", "limit": 9}),
    ];
    assert_snapshot!(bench.show_all("grep", &calls).await);
}

#[tokio::test]
async fn context_comes_with_each_match() {
    let bench = Workbench::with(&[
        ("a.txt", numbered_lines(12).as_bytes()),
        ("no line end.txt", b"one\ntwo"),
        ("mixed.txt", b"x\r\nq\rneedle\r\ny\r\n"),
    ]);
    let calls = [
        json!({"pattern": "line 5", "path": "a.txt", "context": 2}),
        json!({"pattern": "line [56]", "path": "a.txt", "context": 1}),
        json!({"pattern": "line (2|9)", "path": "a.txt", "context": 1}),
        json!({"pattern": "line 12", "path": "a.txt", "context": 3}),
        json!({"pattern": "two", "context": 3}),
        json!({"pattern": "needle", "context": 1}),
        json!({"pattern": "line", "path": "a.txt", "context": 1, "limit": 1}),
        json!({"pattern": "line 3", "path": "a.txt", "context": 1.5}),
        json!({"pattern": "line 3", "path": "a.txt", "context": -1}),
    ];
    assert_snapshot!(bench.show_all("grep", &calls).await);
}

#[tokio::test]
async fn failures_say_what_to_do() {
    let bench = Workbench::with(&[("a.txt", b"x\n")]);
    Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    let calls = [
        json!({"pattern": "x", "path": "no/such/dir"}),
        json!({"pattern": "x", "path": "a.txt/child"}),
        json!({"pattern": "x", "path": "pipe"}),
        json!({"pattern": "x", "path": "/dev/zero"}),
        json!({"pattern": "(unclosed"}),
        json!({"pattern": "ab[z-a]"}),
        json!({"pattern": "a(?=b)"}),
        json!({"pattern": "\\p{Nothing}"}),
        json!({"pattern": "a{999}{999}{999}"}),
        json!({"pattern": "one\\ntwo"}),
        json!({"pattern": "one\ntwo", "literal": true}),
        json!({"pattern": "nul\\x00"}),
        json!({"pattern": "x", "glob": "src/[ab"}),
        json!({"pattern": "x", "glob": "a{b"}),
        json!({}),
    ];
    assert_snapshot!(bench.show_all("grep", &calls).await);
}

#[tokio::test]
async fn long_answers_are_cut() {
    let wide: String = (1..=900).map(|n| format!("row {n:04} {}\n", "w".repeat(90))).collect();
    let bench = Workbench::with(&[
        ("wide.txt", wide.as_bytes()),
        ("long.txt", format!("a{}\nb{}\n", "=".repeat(499), "=".repeat(500)).as_bytes()),
        ("emoji.txt", format!("c{}\n", "😀".repeat(600)).as_bytes()),
    ]);
    let calls = [
        json!({"pattern": "row", "limit": 2000}),
        json!({"pattern": "row", "limit": 800}),
        json!({"pattern": "row"}),
        json!({"pattern": "^a=", "path": "long.txt"}),
        json!({"pattern": "^b=", "path": "long.txt"}),
        json!({"pattern": "^b=", "path": "long.txt", "context": 1}),
        json!({"pattern": "😀", "path": "emoji.txt"}),
    ];
    assert_snapshot!(bench.show_all("grep", &calls).await);
}

#[tokio::test]
async fn ignore_rules() {
    let files: &[(&str, &[u8])] = &[
        (".gitignore", b"*.log\n/out/\n"),
        (".ignore", b"ignored.txt\n"),
        (".rgignore", b"rg-ignored.txt\n"),
        (".fdignore", b"seen.txt\n"),
        ("a.log", b"needle\n"),
        ("out/b.txt", b"needle\n"),
        ("ignored.txt", b"needle\n"),
        ("rg-ignored.txt", b"needle\n"),
        ("seen.txt", b"needle\n"),
    ];
    let bench = Workbench::with(files);
    // Outside of a repository .gitignore does not count.
    let all = json!({"pattern": "needle"});
    assert_eq!(grep(&bench, all.clone()).await, "a.log:1: needle\nout/b.txt:1: needle\nseen.txt:1: needle");
    bench.put(".git/info/exclude", b"seen.txt\nneedle\n");
    bench.put("out/c.txt", b"needle\n");
    assert_eq!(grep(&bench, all.clone()).await, ".git/info/exclude:2: needle");
    // What the model names is searched, and a glob brings back what is ignored.
    assert_eq!(grep(&bench, json!({"pattern": "needle", "path": "a.log"})).await, "a.log:1: needle");
    assert_eq!(grep(&bench, json!({"pattern": "needle", "path": "out"})).await, "b.txt:1: needle\nc.txt:1: needle");
    assert_eq!(grep(&bench, json!({"pattern": "needle", "glob": "*.log"})).await, "a.log:1: needle");
    // The rules of a repository end where another one begins.
    for file in ["inner/.git/HEAD", "inner/z.log"] {
        bench.put(file, b"needle\n");
    }
    let inner = json!({"pattern": "needle", "glob": "inner/**"});
    assert_eq!(grep(&bench, inner).await, "inner/.git/HEAD:1: needle\ninner/z.log:1: needle");
}

#[tokio::test]
async fn bytes_that_are_no_plain_text() {
    let utf16: Vec<u8> = "\u{feff}one\nneedle ü\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut late = b"needle early\n".to_vec();
    late.extend(b"filler\n".repeat(20_000));
    late.extend(b"\0\nneedle late\n");
    let bench = Workbench::with(&[
        ("binary", b"a\0needle\nneedle 2\n"),
        ("bom.txt", b"\xef\xbb\xbfneedle\n"),
        ("late", &late),
        ("latin1.txt", b"caf\xe9 needle\n"),
        ("utf16.txt", &utf16),
    ]);
    let expected = "bom.txt:1: needle\nlate:1: needle early\nlatin1.txt:1: caf\u{fffd} needle\nutf16.txt:2: needle ü";
    assert_eq!(grep(&bench, json!({"pattern": "needle"})).await, expected);
    // A file that is named is searched to its end.
    let binary = grep(&bench, json!({"pattern": "needle", "path": "binary"})).await;
    assert_eq!(binary, "binary:1: a\0needle\nbinary:2: needle 2");
    let late = grep(&bench, json!({"pattern": "needle", "path": "late"})).await;
    assert_eq!(late, "late:1: needle early\nlate:20003: needle late");
    let context = grep(&bench, json!({"pattern": "needle", "path": "utf16.txt", "context": 1})).await;
    assert_eq!(context, "utf16.txt-1- one\nutf16.txt:2: needle ü\nutf16.txt-3- ");
}

#[tokio::test]
async fn a_line_of_many_megabytes_keeps_its_number() {
    let mut file = b"needle before\n".to_vec();
    for part in [&b"\xef\xbb\xbf"[..], b"needle ", &vec![b'='; 9 << 20], b" needle\n", b"needle after\n"] {
        file.extend(part);
    }
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(&file);
    let bench = Workbench::with(&[("min.js", &file), ("bom.js", &marked)]);
    for name in ["min.js", "bom.js"] {
        let answer = grep(&bench, json!({"pattern": "needle", "path": name})).await;
        let starts: Vec<String> = answer.lines().map(|line| line.chars().take(17).collect()).collect();
        let expected =
            [format!("{name}:1: needle "), format!("{name}:2: \u{feff}needle"), format!("{name}:3: needle ")];
        assert_eq!(starts[..3], expected);
        let context = grep(&bench, json!({"pattern": "before|after", "path": name, "context": 1})).await;
        let numbers: Vec<&str> = context.lines().take(5).map(|line| &line[name.len()..name.len() + 3]).collect();
        assert_eq!(numbers, [":1:", "-2-", "-2-", ":3:", "-4-"]);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn links_pipes_and_unreadable_files_are_left_out() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let bench = Workbench::with(&[("dir/a.txt", b"needle\n"), ("secret.txt", b"needle\n"), ("z.txt", b"needle\n")]);
    Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(bench.path("socket")).unwrap();
    symlink(bench.path("dir"), bench.path("link")).unwrap();
    symlink(bench.path("nowhere"), bench.path("broken")).unwrap();
    std::fs::set_permissions(bench.path("secret.txt"), PermissionsExt::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    let seen = if std::fs::read(bench.path("secret.txt")).is_ok() { "secret.txt:1: needle\n" } else { "" };
    let all = grep(&bench, json!({"pattern": "needle"})).await;
    assert_eq!(all, format!("dir/a.txt:1: needle\n{seen}z.txt:1: needle"));
    assert_eq!(grep(&bench, json!({"pattern": "needle", "path": "link"})).await, "a.txt:1: needle");
    assert_eq!(grep(&bench, json!({"pattern": "needle", "path": "link/a.txt"})).await, "a.txt:1: needle");
}

#[tokio::test]
async fn the_first_matches_are_those_of_the_first_paths() {
    let bench = Workbench::new();
    for dir in 0..40 {
        for file in 0..50 {
            // In every seventh file: rare enough to be searched in parallel, frequent enough to end early.
            let text = if (dir * 50 + file) % 7 == 3 { "needle\n" } else { "hay\n" };
            bench.put(&format!("d{dir:02}/f{file:02}"), text.as_bytes());
        }
    }
    let every: Vec<String> =
        grep(&bench, json!({"pattern": "needle", "limit": 5000})).await.lines().map(str::to_owned).collect();
    assert_eq!(every.len(), 286);
    assert!(every.is_sorted());
    for limit in [1, 2, 30, 150, 285] {
        let answer = grep(&bench, json!({"pattern": "needle", "limit": limit})).await;
        assert_eq!(answer.lines().take(limit).collect::<Vec<_>>(), every[..limit], "limit {limit}");
        assert!(answer.contains(&format!("Stopped at {limit} matches")), "{answer}");
    }
}
