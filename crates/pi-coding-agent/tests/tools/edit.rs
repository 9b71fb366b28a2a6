//! `edit`: matching, refusal, line ends, and the details that clients show.

use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::future::{FutureExt, ready};
use insta::assert_snapshot;
use pi_agent_core::ToolUpdates;
use pi_coding_agent::tools::{EditOperations, OperationResult, PathOperations};
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::{Workbench, numbered_lines, text};

fn edit(path: &str, pairs: &[(&str, &str)]) -> Value {
    let edits: Vec<Value> = pairs.iter().map(|(old, new)| json!({"oldText": old, "newText": new})).collect();
    json!({"path": path, "edits": edits})
}

#[tokio::test]
async fn edits_and_their_details() {
    let bench = Workbench::with(&[("a.txt", numbered_lines(20).as_bytes())]);
    let calls = [
        edit("a.txt", &[("line 3\n", "LINE THREE\n")]),
        edit("a.txt", &[("line 5", "five"), ("line 15", "fifteen"), ("line 10\n", "")]),
        edit("a.txt", &[("line 20\n", "line 20\nline 21\n")]),
        edit("a.txt", &[("line 21\n", "line 21")]),
    ];
    assert_snapshot!(bench.show_all("edit", &calls).await);
    assert_snapshot!(bench.get("a.txt"));
}

#[tokio::test]
async fn older_shapes_of_arguments() {
    let bench = Workbench::with(&[("a.txt", numbered_lines(20).as_bytes())]);
    for (arguments, expected) in [
        (json!({"path": "a.txt", "oldText": "line 3\n", "newText": "three\n"}), "three\n"),
        (json!({"path": "a.txt", "edits": r#"[{"oldText": "line 4\n", "newText": "four\n"}]"#}), "four\n"),
        (
            json!({"path": "a.txt", "edits": [{"oldText": "line 5\n", "newText": "five\n"}], "oldText": "line 6", "newText": "six"}),
            "five\nsix\n",
        ),
    ] {
        bench.call("edit", arguments).await.unwrap();
        assert!(bench.get("a.txt").contains(expected));
    }
}

#[tokio::test]
async fn refusals_change_nothing() {
    let twins = "say \"it\"\nsay \u{201c}it\u{201d}\n";
    let bench = Workbench::with(&[
        ("a.txt", numbered_lines(20).as_bytes()),
        ("twins.txt", twins.as_bytes()),
        ("latin1.txt", b"caf\xe9\n"),
        ("sub/x", b""),
    ]);
    let calls = [
        edit("a.txt", &[("no such text", "x")]),
        edit("a.txt", &[("line 1", "x")]),
        edit("none.txt", &[("a", "b")]),
        edit("sub", &[("a", "b")]),
        edit("a.txt", &[]),
        edit("a.txt", &[("line 3\n", "line 3\n")]),
        edit("a.txt", &[("line 3\n", "line 3\n"), ("line 4\n", "line 4\n")]),
        edit("a.txt", &[("line 6\nline 7\n", "x"), ("line 7\nline 8\n", "y")]),
        edit("a.txt", &[("line 7\nline 8\n", "y"), ("line 6\nline 7\n", "x")]),
        edit("a.txt", &[("", "x")]),
        edit("a.txt", &[("line 3\n", "x"), ("", "x")]),
        edit("a.txt", &[("line 3\n", "changed\n"), ("not there", "x")]),
        edit("a.txt", &[("line 3\n", "changed\n"), ("line 1", "x")]),
        edit("a.txt", &[(" ", "x")]),
        edit("twins.txt", &[("say \"it\"", "x")]),
        edit("latin1.txt", &[("caf", "tea")]),
        json!({"path": "a.txt", "edits": "[{"}),
    ];
    assert_snapshot!(bench.show_all("edit", &calls).await);
    assert_eq!(bench.get("a.txt"), numbered_lines(20));
    assert_eq!(bench.get("twins.txt"), twins);
}

#[tokio::test]
async fn line_ends_and_byte_order_mark_are_kept() {
    for (before, old, new, after) in [
        ("one\r\ntwo\r\nthree\r\n", "two\nthree", "2\n3", "one\r\n2\r\n3\r\n"),
        ("\u{feff}hello\n", "hello", "goodbye", "\u{feff}goodbye\n"),
        // In a mixed file the first line end decides for the lines that are changed; the others keep theirs.
        ("a\r\nb\nc\r\n", "b", "B", "a\r\nB\r\nc\r\n"),
        ("a\nb\r\nc\n", "b", "B", "a\nB\nc\n"),
        ("a\r\nb\nc\nd\n", "b\nc", "B\nnew\nC", "a\r\nB\r\nnew\r\nC\r\nd\n"),
        ("a\nb\r\nc\r\n", "a\n", "", "b\r\nc\r\n"),
        ("a\nb\r\nc\r\n", "c\n", "c\nd\n", "a\nb\r\nc\nd\n"),
        ("a\r\nb\u{2014}1  \nc\u{2014}\n", "b-1", "B", "a\r\nB\r\nc\u{2014}\n"),
        // A lone CR stays, also in a changed line.
        ("a\rb\rc", "b", "B\nnew", "a\rB\rnew\rc"),
        ("50%\r100%\ndone\n", "50", "60", "60%\r100%\ndone\n"),
        ("50%\r100%\r\ndone\n", "100", "99", "50%\r99%\r\ndone\n"),
        ("a\r\nb\r\n", "a\r\nb", "x\r\ny\rz", "x\r\ny\r\nz\r\n"),
        ("no end", "end", "start", "no start"),
    ] {
        let bench = Workbench::with(&[("f", before.as_bytes())]);
        bench.call("edit", edit("f", &[(old, new)])).await.unwrap();
        assert_eq!(bench.get("f"), after, "{before:?}");
    }
}

#[tokio::test]
async fn text_that_differs_in_looks_is_found() {
    for (before, edits, after) in [
        (
            "const a = 1;  \nconst b = 2;\t\nrest  \n",
            &[("const a = 1;\nconst b = 2;", "const c = 3;")][..],
            "const c = 3;\nrest  \n",
        ),
        ("it\u{2019}s \u{201c}here\u{201d}\n", &[("it's \"here\"", "gone")], "gone\n"),
        // The rest of a touched line comes out plain, other lines stay as they are.
        ("\u{2018}a\u{2019} 1 \u{2014} 2  \n\u{2018}b\u{2019}  \n", &[("1 - 2", "3")], "'a' 3\n\u{2018}b\u{2019}  \n"),
        ("full\u{ff08}width\u{ff09}\n", &[("full(width)", "x")], "x\n"),
        ("non\u{a0}breaking\n", &[("non breaking", "x")], "x\n"),
        ("cafe\u{301}\n", &[("caf\u{e9}", "tea")], "tea\n"),
        // One edit that needs the plain form takes the others with it; both are on one line.
        ("x \u{2014} y, z\n", &[("x - y", "1"), ("z", "2")], "1, 2\n"),
        ("a\u{2014}b  \nkeep  \nc\u{2014}d  \n", &[("c-d", "2"), ("a-b", "1")], "1\nkeep  \n2\n"),
        // An exact match is preferred and leaves the line alone.
        ("exact  \u{2019}\n", &[("exact", "x")], "x  \u{2019}\n"),
    ] {
        let bench = Workbench::with(&[("f", before.as_bytes())]);
        bench.call("edit", edit("f", edits)).await.unwrap();
        assert_eq!(bench.get("f"), after, "{before:?}");
    }
    let bench = Workbench::with(&[("f", b"\tindented\n")]);
    let answer = bench.call("edit", edit("f", &[("  indented", "dedented")])).await;
    assert!(text(&answer).starts_with("Could not find the exact text in f."));
}

#[tokio::test]
async fn an_aborted_run_edits_nothing() {
    let bench = Workbench::with(&[("f", b"a")]);
    let cancel = CancellationToken::new();
    cancel.cancel();
    let answer = bench.call_with("edit", edit("f", &[("a", "b")]), cancel, ToolUpdates::ignored()).await;
    assert_eq!(answer.unwrap_err().to_string(), "Operation aborted");
    assert_eq!(bench.get("f"), "a");
}

/// One file in memory.
#[derive(Debug)]
struct MemoryFile(Mutex<String>);

impl PathOperations for MemoryFile {}

impl EditOperations for MemoryFile {
    fn read_file<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, Vec<u8>> {
        ready(Ok(self.0.lock().unwrap().clone().into_bytes())).boxed()
    }

    fn write_file<'a>(&'a self, _path: &'a Path, text: &'a str) -> OperationResult<'a, ()> {
        *self.0.lock().unwrap() = text.to_owned();
        ready(Ok(())).boxed()
    }

    fn access<'a>(&'a self, _path: &'a Path) -> OperationResult<'a, ()> {
        ready(Ok(())).boxed()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Exact edits leave everything else as it was, whatever surrounds them.
    #[test]
    fn exact_edits_touch_nothing_else(
        parts in prop::collection::vec("[ -~\u{e4}\u{2019}\u{a0}\t\n]{0,30}", 2..5),
        crlf: bool,
        bom: bool,
    ) {
        // Marks that occur nowhere else, so that every edit is unique.
        let joined = |mark: &dyn Fn(usize) -> String| {
            let text: String = parts.iter().enumerate().map(|(n, part)| part.clone() + &mark(n)).collect();
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            if bom { format!("\u{feff}{text}") } else { text }
        };
        let file = Arc::new(MemoryFile(Mutex::new(joined(&|n| format!("<<<{n}>>>")))));
        let mut bench = Workbench::new();
        bench.options.edit_operations = Some(file.clone());
        let edits: Vec<Value> = (0..parts.len()).map(|n| json!({"oldText": format!("<<<{n}>>>"), "newText": format!("\u{fc}{n}")})).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(bench.call("edit", json!({"path": "f", "edits": edits}))).unwrap();
        prop_assert_eq!(&*file.0.lock().unwrap(), &joined(&|n| format!("\u{fc}{n}")));
    }

    /// Whatever line ends a file mixes: lines without an edit are as they were, to the byte.
    #[test]
    fn lines_that_no_edit_touches_keep_every_byte(
        lines in prop::collection::vec(("[a-c\u{e4}\u{2019} ]{0,5}", prop::sample::select(vec!["\n", "\r\n", "\r"]), any::<bool>()), 1..12),
        fuzzy: bool,
        bom: bool,
    ) {
        let mark = |n: usize| if fuzzy { format!("<\u{2014}{n}>") } else { format!("<-{n}>") };
        let marked = lines.iter().enumerate().map(|(n, (text, end, edited))| {
            format!("{text}{}{end}", if *edited { mark(n) } else { String::new() })
        });
        let before = if bom { "\u{feff}" } else { "" }.to_owned() + &marked.collect::<String>();
        let edits: Vec<Value> = (0..lines.len())
            .filter(|n| lines[*n].2)
            .map(|n| json!({"oldText": format!("<-{n}>"), "newText": format!("[{n}]")}))
            .collect();
        prop_assume!(!edits.is_empty());
        let file = Arc::new(MemoryFile(Mutex::new(before.clone())));
        let mut bench = Workbench::new();
        bench.options.edit_operations = Some(file.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(bench.call("edit", json!({"path": "f", "edits": edits}))).unwrap();
        let after = file.0.lock().unwrap().clone();
        let (before, after) = (lines_with_ends(&before), lines_with_ends(&after));
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            if !before.contains('<') {
                prop_assert_eq!(before, after);
            }
        }
    }
}

/// A text in lines that end in LF, CRLF or CR.
fn lines_with_ends(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let end = at + if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        lines.push(&rest[..end]);
        rest = &rest[end..];
    }
    lines.push(rest);
    lines
}

#[tokio::test]
async fn a_huge_file_is_refused_before_it_is_read() {
    let bench = Workbench::with(&[("huge.txt", b"start")]);
    let file = std::fs::File::options().write(true).open(bench.path("huge.txt")).unwrap();
    // Sparse: it could not be read into memory.
    file.set_len(1 << 40).unwrap();
    let refused = bench.call("edit", edit("huge.txt", &[("start", "end")])).await.unwrap_err().to_string();
    let expected =
        "has 1048576.0MB, and files of more than 50.0MB are not edited. Use bash to change it, with sed or a script.";
    assert!(refused.contains("huge.txt") && refused.ends_with(expected), "{refused}");
    // Lines alone are no reason to compare for minutes.
    bench.put("lines.txt", format!("{}last", "\n".repeat(2_000_000)).as_bytes());
    let done = bench.call("edit", edit("lines.txt", &[("last", "new")])).await.unwrap();
    let details = done.details.unwrap();
    assert_eq!(details["firstChangedLine"], 2_000_001);
    assert_eq!(details["diff"], "[The diff is left out: a text of 2000000 lines; up to 1000000 are compared.]");
    assert!(bench.get("lines.txt").ends_with("\nnew"));
}
