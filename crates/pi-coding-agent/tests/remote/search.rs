//! Searching on other machines: the same answers as here, with the tools that are there.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::places::{Place, contained, text};

impl Place {
    /// The usual tools, those of GNU for example, but neither ripgrep nor fd.
    fn plain() -> Self {
        let place = Self::local();
        let bin = place.work().parent().unwrap().join("bin");
        fs::create_dir(&bin).unwrap();
        for tool in ["cat", "find", "grep", "printf", "rm", "sh", "tail", "tr", "xargs", "readlink", "ls"] {
            let dirs = ["/usr/bin", "/bin"].iter().map(|dir| std::path::Path::new(dir).join(tool));
            symlink(dirs.into_iter().find(|path| path.exists()).unwrap(), bin.join(tool)).unwrap();
        }
        let path = format!("PATH={}", bin.display());
        Self {
            name: "plain",
            machine: Some(std::sync::Arc::new(contained(&["env", "-i", &path, "HOME=/root"]))),
            ..place
        }
    }
}

fn furnish(place: &Place) {
    place.put("a.txt", b"one needle\ntwo\nthree needle\nfour\nfive\n");
    place.put("B.TXT", b"NEEDLE\r\nneedle 42");
    place.put("sub/c.rs", b"fn needle() {}\n// (needle)\n");
    place.put("sub-2/d.rs", b"nothing here\n");
    place.put("sub/deep/it's $(odd)\n*.txt", b"odd needle\n");
    place.put(".hidden", b"hidden needle\n");
    place.put("empty", b"");
    place.put("binary", b"needle\0\n");
    place.put("latin", b"caf\xe9 needle\n");
    place.put("-n", b"dash needle\n");
    place.link("a.txt", "link.txt");
    place.link("nowhere", "broken.txt");
    place.link("sub", "linked");
}

fn calls() -> Vec<(&'static str, Value)> {
    let grep = |arguments: Value| ("grep", arguments);
    let find = |arguments: Value| ("find", arguments);
    vec![
        grep(json!({"pattern": "needle"})),
        grep(json!({"pattern": "NEEDLE", "ignoreCase": true, "glob": "*.txt"})),
        grep(json!({"pattern": "(needle)", "literal": true})),
        grep(json!({"pattern": "\\d+$"})),
        grep(json!({"pattern": "^(?:one|odd) \\w+"})),
        grep(json!({"pattern": "needle", "context": 1})),
        grep(json!({"pattern": "needle", "context": 3, "limit": 2})),
        grep(json!({"pattern": "needle", "limit": 3})),
        grep(json!({"pattern": "needle", "path": "a.txt"})),
        grep(json!({"pattern": "needle", "path": "a.txt", "context": 9})),
        grep(json!({"pattern": "needle", "path": "sub"})),
        grep(json!({"pattern": "needle", "path": "linked"})),
        grep(json!({"pattern": "needle", "glob": "sub/**"})),
        grep(json!({"pattern": "needle", "glob": "!*.rs"})),
        grep(json!({"pattern": "needle", "glob": "*.rs", "path": "sub"})),
        grep(json!({"pattern": "not there at all"})),
        grep(json!({"pattern": "needle", "path": "missing"})),
        grep(json!({"pattern": "needle", "path": "a.txt/below"})),
        grep(json!({"pattern": "unclosed(needle"})),
        grep(json!({"pattern": "needle", "glob": "{a,b"})),
        grep(json!({"pattern": "$(touch injected)", "literal": true})),
        grep(json!({"pattern": "-e", "literal": true})),
        find(json!({"pattern": "*"})),
        find(json!({"pattern": "*.txt"})),
        find(json!({"pattern": "*.TXT"})),
        find(json!({"pattern": "sub*"})),
        find(json!({"pattern": "sub/*"})),
        find(json!({"pattern": "./sub/**"})),
        find(json!({"pattern": "**/*.rs", "limit": 1})),
        find(json!({"pattern": "d*", "path": "sub"})),
        find(json!({"pattern": "*.rs", "path": "linked"})),
        find(json!({"pattern": "-n"})),
        find(json!({"pattern": ""})),
        find(json!({"pattern": "none at all"})),
        find(json!({"pattern": "*", "path": "missing"})),
        find(json!({"pattern": "*", "path": "a.txt"})),
        find(json!({"pattern": "[z-a]"})),
        find(json!({"pattern": "$(touch injected)"})),
        ("ls", json!({})),
        ("ls", json!({"path": "sub"})),
        ("ls", json!({"path": "linked"})),
        ("ls", json!({"path": "missing"})),
        ("ls", json!({"path": "a.txt"})),
        ("ls", json!({"path": "a.txt/below"})),
        ("ls", json!({"limit": 2})),
    ]
}

/// An answer without the remark that tools are missing over there, and whether there was one.
fn without_note(answer: &str) -> (String, bool) {
    let mut rest = answer.to_owned();
    for start in ["There is no ripgrep on", "There is no fd on"] {
        let Some(from) = rest.find(start) else { continue };
        let end = from + rest[from..].find("had no effect").unwrap() + "had no effect".len();
        rest.replace_range(from..end, "");
        // Alone in its brackets, or before others.
        rest = rest.replace("\\n\\n[.]", "").replace("[. ", "[");
        return (rest, true);
    }
    (rest, false)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_find_the_same_on_every_machine() {
    let mut places = Place::all();
    places.push(Place::plain());
    places.iter().for_each(furnish);
    let (here, elsewhere) = places.split_first().unwrap();
    for (tool, arguments) in calls() {
        let expected = here.answer(tool, arguments.clone()).await;
        for place in elsewhere {
            let (answer, noted) = without_note(&place.answer(tool, arguments.clone()).await);
            assert_eq!(answer, expected, "{tool} on {}: {arguments}", place.name);
            assert!(!noted || !expected.contains("error"), "{tool} on {}: {arguments}", place.name);
        }
        assert!(!here.path("injected").exists());
    }
}

#[tokio::test]
async fn what_ignore_files_name_is_left_out_or_the_model_is_told() {
    for place in Place::elsewhere() {
        place.put(".gitignore", b"*.log\n");
        place.put(".git/HEAD", b"");
        place.put("a.log", b"needle\n");
        place.put("b.txt", b"needle\n");
        for (tool, arguments) in [("grep", json!({"pattern": "needle"})), ("find", json!({"pattern": "*.{log,txt}"}))] {
            let answer = text(&place.call(tool, arguments).await);
            let told = answer.contains("ignore files such as .gitignore had no effect");
            assert!(answer.contains("b.txt"), "{}: {answer}", place.name);
            assert_eq!(answer.contains("a.log"), told, "{}: {answer}", place.name);
        }
    }
}

#[tokio::test]
async fn a_search_that_nobody_wants_ends() {
    for place in Place::elsewhere() {
        for n in 0..2000 {
            place.put(&format!("{n}"), b"needle\n");
        }
        let cancel = CancellationToken::new();
        let call = place.call_until("grep", json!({"pattern": "needle", "limit": 1_000_000}), cancel.clone());
        let (answer, ()) = tokio::join!(call, async {
            tokio::task::yield_now().await;
            cancel.cancel();
        });
        assert_eq!(text(&answer), "Operation aborted", "{}", place.name);
    }
}
