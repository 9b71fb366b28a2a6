//! `ls`: what comes, in which order, and what is said about the rest.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Workbench, text};

#[tokio::test]
async fn entries_and_limits() {
    let bench = Workbench::with(&[
        ("b.txt", b""),
        ("A.txt", b""),
        (".gitignore", b"b.txt\n"),
        (".hid/x", b""),
        ("src/main.rs", b""),
        ("c10", b""),
        ("c9", b""),
        ("ä", b""),
    ]);
    std::fs::create_dir(bench.path("empty")).unwrap();
    let calls = [
        json!({}),
        json!({"path": "src"}),
        json!({"path": "~"}),
        json!({"path": "", "limit": 3}),
        json!({"limit": 1.5}),
        json!({"limit": 10}),
        json!({"limit": 0}),
        json!({"limit": -2}),
        json!({"path": "empty"}),
        json!({"path": "b.txt"}),
        json!({"path": "b.txt/x"}),
        json!({"path": "missing"}),
    ];
    assert_snapshot!(bench.show_all("ls", &calls).await);
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_what_they_lead_to() {
    use std::os::unix::fs::symlink;
    let bench = Workbench::with(&[("dir/a.txt", b"")]);
    symlink(bench.path("dir"), bench.path("to-dir")).unwrap();
    symlink(bench.path("dir/a.txt"), bench.path("to-file")).unwrap();
    symlink(bench.path("nowhere"), bench.path("broken")).unwrap();
    std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    assert_eq!(text(&bench.call("ls", json!({})).await), "dir/\npipe\nto-dir/\nto-file");
    assert_eq!(text(&bench.call("ls", json!({"path": "to-dir"})).await), "a.txt");
}

#[tokio::test]
async fn long_answers_are_cut() {
    let bench = Workbench::new();
    for n in 0..520 {
        bench.put(&format!("{n:03}{}", "n".repeat(120)), b"");
    }
    assert_snapshot!(bench.show_all("ls", &[json!({}), json!({"limit": 600})]).await);
}
