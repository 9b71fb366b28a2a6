//! `find`: which names come, in which order, and what is said about the rest.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Workbench, text};

/// Calls `find` and returns the text of the answer.
async fn find(bench: &Workbench, arguments: Value) -> String {
    text(&bench.call("find", arguments).await)
}

fn bench() -> Workbench {
    Workbench::with(&[
        ("a.txt", b""),
        ("UP.TXT", b""),
        ("sub/c.txt", b""),
        ("sub/deep/d.rs", b""),
        ("sub-2/e.rs", b""),
        (".hid/f.txt", b""),
        ("odd [1]/g{h}.txt", b""),
    ])
}

#[tokio::test]
async fn patterns_and_limits() {
    let calls = [
        json!({"pattern": "*"}),
        json!({"pattern": "*.txt"}),
        json!({"pattern": "*.TXT"}),
        json!({"pattern": "sub"}),
        json!({"pattern": "SUB"}),
        json!({"pattern": "d.rs", "path": "sub"}),
        json!({"pattern": "sub/*"}),
        json!({"pattern": "sub/**"}),
        json!({"pattern": "./sub/**/*.rs"}),
        json!({"pattern": "**/*.rs"}),
        json!({"pattern": "**"}),
        json!({"pattern": "/sub/*"}),
        json!({"pattern": "sub/"}),
        json!({"pattern": "{a,c}.txt"}),
        json!({"pattern": "[!a]*.rs"}),
        json!({"pattern": "g\\{*"}),
        json!({"pattern": "?.txt", "path": "odd [1]/../sub"}),
        json!({"pattern": ""}),
        json!({"pattern": "*.txt", "limit": 2}),
        json!({"pattern": "*.rs", "limit": 2}),
        json!({"pattern": "*.rs", "limit": 0}),
        json!({"pattern": "*.none", "limit": 0}),
    ];
    assert_snapshot!(bench().show_all("find", &calls).await);
}

#[tokio::test]
async fn failures_say_what_to_do() {
    let calls = [
        json!({"pattern": "*", "path": "no/such/dir"}),
        json!({"pattern": "*", "path": "a.txt"}),
        json!({"pattern": "*", "path": "a.txt/child"}),
        json!({"pattern": "x[a"}),
        json!({"pattern": "src/{a,b"}),
        json!({"pattern": "a}"}),
        json!({"pattern": "end\\"}),
        json!({"pattern": "[z-a]"}),
        json!({"pattern": "*", "limit": -1}),
        json!({"pattern": "*", "limit": 1.5}),
        json!({}),
    ];
    assert_snapshot!(bench().show_all("find", &calls).await);
}

#[tokio::test]
async fn ignore_rules() {
    let bench = Workbench::with(&[
        (".gitignore", b"*.log\n"),
        (".fdignore", b"fd.txt\n"),
        (".rgignore", b"rg.txt\n"),
        ("a.log", b""),
        ("fd.txt", b""),
        ("rg.txt", b""),
    ]);
    let files = json!({"pattern": "[a-z]*.*"});
    // Also outside of a repository .gitignore counts.
    assert_eq!(find(&bench, files.clone()).await, "rg.txt");
    bench.put("inner/.git/HEAD", b"");
    bench.put("inner/b.log", b"");
    assert_eq!(find(&bench, json!({"pattern": "*.log"})).await, "No files found matching pattern");
    // Inside, the rules of a repository end where another one begins.
    bench.put(".git/HEAD", b"");
    assert_eq!(find(&bench, json!({"pattern": "*.log"})).await, "inner/b.log");
    assert_eq!(find(&bench, json!({"pattern": "HEAD"})).await, ".git/HEAD\ninner/.git/HEAD");
    assert_eq!(find(&bench, json!({"pattern": "*.log", "path": "inner"})).await, "b.log");
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_names() {
    use std::os::unix::fs::symlink;
    let bench = Workbench::with(&[("dir/a.txt", b"")]);
    symlink(bench.path("dir"), bench.path("link.txt")).unwrap();
    symlink(bench.path("nowhere"), bench.path("broken.txt")).unwrap();
    assert_eq!(find(&bench, json!({"pattern": "*.txt"})).await, "broken.txt\ndir/a.txt\nlink.txt");
    assert_eq!(find(&bench, json!({"pattern": "*", "path": "link.txt"})).await, "a.txt");
}

#[tokio::test]
async fn the_first_results_are_those_of_the_first_paths() {
    let bench = Workbench::new();
    for dir in 0..30 {
        for file in 0..100 {
            let ending = if (dir * 100 + file) % 5 == 2 { "rs" } else { "txt" };
            bench.put(&format!("d{dir:02}/f{file:02}.{ending}"), b"");
        }
    }
    let every: Vec<String> = find(&bench, json!({"pattern": "*.rs"})).await.lines().map(str::to_owned).collect();
    assert_eq!(every.len(), 600);
    assert!(every.is_sorted());
    for limit in [1, 50, 599] {
        let answer = find(&bench, json!({"pattern": "*.rs", "limit": limit})).await;
        assert_eq!(answer.lines().take(limit).collect::<Vec<_>>(), every[..limit], "limit {limit}");
    }
}

#[tokio::test]
async fn long_answers_are_cut() {
    let bench = Workbench::new();
    for n in 0..600 {
        bench.put(&format!("{n:03}{}", "n".repeat(100)), b"");
    }
    let calls = [json!({"pattern": "*"}), json!({"pattern": "*", "limit": 550})];
    assert_snapshot!(bench.show_all("find", &calls).await);
}
