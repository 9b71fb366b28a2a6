//! `read`: which lines come, what is said of the rest, what cannot be read.

use std::io::Write;

use insta::assert_snapshot;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::again;
use crate::support::{Workbench, numbered_lines, text};
use pi_agent_core::ToolUpdates;

#[tokio::test]
async fn offset_and_limit_select_lines() {
    let bench = Workbench::with(&[
        ("a.txt", numbered_lines(20).as_bytes()),
        ("sub/b.txt", b"no newline at end"),
        ("empty.txt", b""),
    ]);
    let calls = [
        json!({"path": "a.txt", "offset": 18}),
        json!({"path": "a.txt", "limit": 2}),
        json!({"path": "a.txt", "offset": 5, "limit": 3}),
        json!({"path": "a.txt", "offset": 20, "limit": 1}),
        json!({"path": "a.txt", "offset": 21}),
        json!({"path": "a.txt", "offset": 0, "limit": 1}),
        json!({"path": "a.txt", "offset": -3, "limit": 1}),
        json!({"path": "a.txt", "limit": 0}),
        json!({"path": "a.txt", "offset": 2, "limit": -17}),
        json!({"path": "a.txt", "offset": 20.5}),
        json!({"path": "a.txt", "offset": 2.5, "limit": 1.5}),
        json!({"path": "a.txt", "offset": 2.5, "limit": 0.4}),
        json!({"path": "./sub/../sub/b.txt"}),
        json!({"path": "empty.txt"}),
    ];
    assert_snapshot!(bench.show_all("read", &calls).await);
    assert_eq!(text(&bench.call("read", json!({"path": "a.txt"})).await), numbered_lines(20));
}

#[tokio::test]
async fn what_cannot_be_read_is_named() {
    let bench = Workbench::with(&[("a.txt", numbered_lines(20).as_bytes()), ("sub/b.txt", b"x")]);
    std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    let calls = [
        json!({"path": "missing.txt"}),
        json!({"path": "a.txt/child"}),
        json!({"path": "sub"}),
        json!({"path": ""}),
        json!({"path": "a.txt", "offset": 99}),
        json!({"path": "empty.txt", "offset": 2}),
        json!({"path": "pipe"}),
        json!({"path": "/dev/zero"}),
        json!({"path": "file://example.com/a.txt"}),
        json!({"path": "nul\u{0}byte"}),
        json!({}),
    ];
    bench.put("empty.txt", b"");
    assert_snapshot!(bench.show_all("read", &calls).await);
}

#[tokio::test]
async fn long_files_are_cut_and_say_how_to_go_on() {
    let wide: String = (1..=900).map(|n| format!("{n:04} {}\n", "w".repeat(95))).collect();
    let long = format!("short first\n{}\nafter\n", "L".repeat(60_000));
    let bench = Workbench::with(&[
        ("many.txt", numbered_lines(2500).as_bytes()),
        ("wide.txt", wide.as_bytes()),
        ("long line.txt", long.as_bytes()),
        ("exact.txt", numbered_lines(2000).as_bytes()),
    ]);
    let calls = [
        json!({"path": "many.txt"}),
        json!({"path": "wide.txt"}),
        json!({"path": "long line.txt"}),
        json!({"path": "long line.txt", "offset": 2}),
        json!({"path": "many.txt", "offset": 2001}),
        json!({"path": "many.txt", "offset": 100, "limit": 2300}),
        json!({"path": "exact.txt"}),
    ];
    assert_snapshot!(bench.show_all("read", &calls).await);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown_as_far_as_possible() {
    let bench =
        Workbench::with(&[("x", b"\xef\xbb\xbfp\xfeq\0r\r\n"), ("looks.txt", b"GIF is what this text starts with")]);
    assert_eq!(text(&bench.call("read", json!({"path": "x"})).await), "\u{feff}p\u{fffd}q\0r\r\n");
    let odd = text(&bench.call("read", json!({"path": "looks.txt"})).await);
    assert!(odd.contains("left out"), "{odd}");
}

#[tokio::test]
async fn an_aborted_run_reads_nothing() {
    let bench = Workbench::with(&[("a.txt", b"a")]);
    let cancel = CancellationToken::new();
    cancel.cancel();
    let answer = bench.call_with("read", json!({"path": "a.txt"}), cancel, ToolUpdates::ignored()).await;
    assert_eq!(answer.unwrap_err().to_string(), "Operation aborted");
}

#[tokio::test]
async fn a_file_of_many_gigabytes_is_read_in_parts() {
    let bench = Workbench::with(&[("big.log", numbered_lines(3000).as_bytes())]);
    // What follows the lines takes no room on the disk, and is one more line.
    let file = std::fs::File::options().write(true).open(bench.path("big.log")).unwrap();
    file.set_len(5 << 30).unwrap();
    let read = |call: serde_json::Value| async { text(&bench.call("read", call).await) };
    assert_eq!(
        read(json!({"path": "big.log", "offset": 2999, "limit": 1})).await,
        "line 2999\n\n[The file has more than 1 more lines. Go on with offset=3000.]"
    );
    let last = read(json!({"path": "big.log", "offset": 3001})).await;
    assert!(last.starts_with("[Line 3001 has more than 65.0MB, "), "{last}");
}

#[tokio::test]
async fn the_end_of_a_long_file_can_be_counted_from() {
    let bench = Workbench::with(&[("f", numbered_lines(300_000).as_bytes())]);
    let answer = bench.call("read", json!({"path": "f", "offset": 299_998, "limit": -300_000})).await;
    assert_eq!(text(&answer), "line 299998\n\n[The file has 3 more lines. Go on with offset=299999.]");
    let answer = bench.call("read", json!({"path": "f", "limit": -299_999})).await;
    assert_eq!(text(&answer), "line 1\nline 2\n\n[The file has 299999 more lines. Go on with offset=3.]");
}

#[tokio::test]
async fn a_file_that_changes_while_it_is_read_is_read_as_it_comes() {
    let bench = Workbench::with(&[("f", "x\n".repeat(3 << 20).as_bytes())]);
    for length in [0, 10, 9 << 20] {
        let change = async {
            tokio::task::yield_now().await;
            std::fs::File::options().write(true).open(bench.path("f")).unwrap().set_len(length).unwrap();
        };
        let (answer, ()) = tokio::join!(bench.call("read", json!({"path": "f", "offset": 1})), change);
        let told = text(&answer);
        assert!(
            told.is_empty() || told.starts_with("x\n") || told.starts_with('\0') || told.starts_with('['),
            "{told}"
        );
    }
}

#[tokio::test]
async fn files_without_a_size_are_read() {
    // Such as those that the system makes up.
    let answer = text(&Workbench::new().call("read", json!({"path": "/proc/self/status"})).await);
    assert!(answer.contains("\nPid:\t"), "{answer}");
}

#[tokio::test]
async fn a_long_file_takes_little_memory() {
    const LINES: usize = 2_000_000;
    if !again::is_inner() {
        return again::passed(&again::run("read::a_long_file_takes_little_memory", ""));
    }
    let bench = Workbench::with(&[("short", b"x")]);
    {
        let mut file = std::io::BufWriter::new(std::fs::File::create(bench.path("long")).unwrap());
        (1..=LINES).for_each(|n| writeln!(file, "line {n} of a file that is long, but has ordinary lines").unwrap());
    }
    bench.call("read", json!({"path": "short"})).await.unwrap();
    let before = again::peak_memory();
    for (call, first) in [
        (json!({"path": "long"}), 1),
        (json!({"path": "long", "offset": LINES - 10, "limit": 5}), LINES - 10),
        (json!({"path": "long", "limit": -(LINES as i64) + 5}), 1),
    ] {
        let answer = bench.call("read", call).await;
        assert!(text(&answer).starts_with(&format!("line {first} of")), "{}", text(&answer));
    }
    let after = again::peak_memory();
    assert!(after - before < 12 << 10, "{before} KiB before, {after} KiB after");
}
