//! The same calls give the same answers on every machine.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::places::Place;

/// A one-pixel PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff\xff\x7f\0\t\xfb\x03\xfdP\xfcB\xc7\0\0\0\0IEND\xaeB`\x82";

/// Files that the calls find.
fn furnish(place: &Place) {
    place.put("plain.txt", b"one\ntwo\nthree\n");
    place.put("crlf.txt", b"\xef\xbb\xbfa\r\nb\r\n");
    place.put("empty", b"");
    place.put("bytes.bin", &(0..=255).collect::<Vec<u8>>());
    place.put("picture.txt", PNG);
    place.put("dir/inner.txt", b"inner\n");
    place.put("it's $(odd) `name`\n*.txt", b"odd\n");
    place.put("script.sh", b"#!/bin/sh\n");
    fs::set_permissions(place.path("script.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    place.link("plain.txt", "link");
    place.link("nowhere", "broken");
    place.link("loop", "loop");
    place.link("../outside", "up");
}

/// Tool and arguments; the calls see each other's work.
fn calls() -> Vec<(&'static str, Value)> {
    let read = |path: &str| ("read", json!({ "path": path }));
    let write = |path: &str, content: &str| ("write", json!({ "path": path, "content": content }));
    let edit = |path: &str| ("edit", json!({ "path": path, "edits": [{ "oldText": "b", "newText": "é" }] }));
    let bash = |command: &str| ("bash", json!({ "command": command }));
    vec![
        read("plain.txt"),
        ("read", json!({"path": "plain.txt", "offset": 2, "limit": 1})),
        ("read", json!({"path": "plain.txt", "offset": 9})),
        read("link"),
        read("crlf.txt"),
        read("empty"),
        read("bytes.bin"),
        read("picture.txt"),
        read("it's $(odd) `name`\n*.txt"),
        read("missing"),
        read("missing/deeper"),
        read("plain.txt/below"),
        read("broken"),
        read("loop"),
        read("dir"),
        read("/dev/null"),
        read(&"long".repeat(80)),
        write("new.txt", "héllo\n"),
        read("new.txt"),
        write("a/b c/'d'/new.txt", "deep"),
        read("a/b c/'d'/new.txt"),
        write("plain.txt/below", "x"),
        write("dir", "x"),
        write("link", "through the link"),
        read("plain.txt"),
        write("broken", "made"),
        read("nowhere"),
        write("empty", ""),
        write("loop", "x"),
        write("script.sh", "#!/bin/sh\necho ran"),
        bash("./script.sh; ls -l script.sh | cut -c1-10; ls -l link | cut -c1"),
        edit("crlf.txt"),
        bash("od -c crlf.txt | head -3"),
        edit("missing"),
        edit("dir"),
        edit("empty"),
        bash("echo out; echo err >&2; echo out"),
        bash("exit 3"),
        bash("exit 137"),
        bash("kill -9 $$"),
        bash("echo before; kill -TERM $$"),
        bash("{ sh -c 'kill -9 $$'; echo $?; } 2>/dev/null"),
        bash("cat; echo no input"),
        bash("pwd; cd dir; cat inner.txt"),
        bash("printf 'no line end'"),
        bash("printf '\\036looks like a report\\036\\n'; printf '\\377\\000x'"),
        bash("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done | tail -c 9000"),
        bash("echo 'it'\"'\"'s' \"$HOME_THAT_IS_NOT_SET\" '$(touch injected)' \\\\ ; ls | grep -c injected"),
        bash("(sleep 600 & echo $! > job); echo now; kill -9 $(cat job)"),
        bash("exec 2>&-; echo still here"),
        bash("if then"),
        bash("no_such_command_anywhere 2>/dev/null"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_calls_give_the_same_answers_on_every_machine() {
    let places = Place::all();
    places.iter().for_each(furnish);
    let (here, elsewhere) = places.split_first().unwrap();
    for (tool, arguments) in calls() {
        let expected = here.answer(tool, arguments.clone()).await;
        for place in elsewhere {
            let answer = place.answer(tool, arguments.clone()).await;
            // Every shell words its own complaints.
            if arguments["command"] == "if then" {
                assert!(answer.contains("exited with code 2"), "{}: {answer}", place.name);
            } else {
                assert_eq!(answer, expected, "{} on {}: {arguments}", tool, place.name);
            }
        }
    }
}
