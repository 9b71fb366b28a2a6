//! `write`: new files, directories, and failures that must not look like success.

use insta::assert_snapshot;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{Workbench, text};
use pi_agent_core::ToolUpdates;

#[tokio::test]
async fn writes_exactly_what_is_given() {
    let bench = Workbench::with(&[("old.txt", b"old content\n")]);
    let cases = [
        ("new.txt", "hello\n", "new.txt", 6),
        ("deep/er/dir/f.txt", "nested", "deep/er/dir/f.txt", 6),
        ("old.txt", "replaced\n", "old.txt", 9),
        ("empty.txt", "", "empty.txt", 0),
        // The figure counts UTF-16 code units.
        ("u.txt", "\u{feff}grüß 😀\r\n", "u.txt", 10),
        ("@at.txt", "x", "at.txt", 1),
    ];
    for (path, content, file, units) in cases {
        let answer = bench.call("write", json!({"path": path, "content": content})).await;
        assert_eq!(text(&answer), format!("Successfully wrote {units} bytes to {path}"));
        assert_eq!(answer.unwrap().details, None);
        assert_eq!(bench.get(file), content);
    }
    bench.call("write", json!({"path": "~/in-home.txt", "content": "h"})).await.unwrap();
    assert!(bench.root().join("home/in-home.txt").is_file());
}

#[tokio::test]
async fn failures_are_told() {
    let bench = Workbench::with(&[("sub/a", b"a"), ("f.txt", b"f")]);
    std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    let calls = [
        json!({"path": "sub", "content": "x"}),
        json!({"path": "f.txt/child", "content": "x"}),
        json!({"path": "f.txt/child/grandchild", "content": "x"}),
        json!({"path": "/dev/full", "content": "x"}),
        json!({"path": "/proc/nowhere/x", "content": "x"}),
        json!({"path": "pipe", "content": "x"}),
        json!({"path": "no-content.txt"}),
    ];
    assert_snapshot!(bench.show_all("write", &calls).await);
    assert_eq!(bench.get("f.txt"), "f");
}

#[tokio::test]
async fn an_aborted_run_writes_nothing() {
    let bench = Workbench::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let call = json!({"path": "dir/a.txt", "content": "a"});
    let answer = bench.call_with("write", call, cancel, ToolUpdates::ignored()).await;
    assert_eq!(answer.unwrap_err().to_string(), "Operation aborted");
    assert!(!bench.path("dir").exists());
}
