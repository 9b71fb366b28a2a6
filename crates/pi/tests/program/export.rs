//! Sessions as pages: `--export` and the RPC command.

use std::fs;

use serde_json::json;

use crate::rpc::{ask, prompt, rpc, send};
use pi_test_kit::{Provider, World, answer};

#[tokio::test]
async fn a_session_file_becomes_a_page() {
    let provider = Provider::start([answer("an answer")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "a question"]).await.success();
    let file = world.session_files().pop().unwrap();
    let before = fs::read(&file).unwrap();
    let (file_name, stem) = (file.to_str().unwrap(), file.file_stem().unwrap().to_str().unwrap());
    let default = format!("pi-session-{stem}.html");
    for (args, output) in [
        (vec![], default.as_str()),
        (vec!["out/page.html"], "out/page.html"),
        (vec!["branch.jsonl", "ignored"], "branch.jsonl"),
    ] {
        let run = world.run(&[&["--export", file_name], args.as_slice()].concat()).await;
        assert_eq!(run.success(), world.mask(&format!("Exported to: {output}\n")));
        let content = fs::read_to_string(world.cwd().join(output)).unwrap();
        assert!(content.contains("a question") && content.contains("an answer"));
        assert_eq!(content.starts_with("<!DOCTYPE html>"), !output.ends_with(".jsonl"));
    }
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(provider.requests().len(), 1, "an export asks no model");
}

#[tokio::test]
async fn what_cannot_be_exported_is_named() {
    let world = World::empty();
    world.write("odd.jsonl", "hello\n");
    for (file, expected) in [
        ("none.jsonl", "Error: File not found: ROOT/project/none.jsonl\n"),
        (
            "odd.jsonl",
            "Error: Not a session file: ROOT/project/odd.jsonl: it holds no JSON lines. It was left untouched; name another file, or move this one away first.\n",
        ),
    ] {
        let run = world.run(&["--export", file]).await;
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "", expected));
    }
    let run = world.run(&["--export"]).await;
    let complaint = "Error: Unknown option: --export\n--export needs a value behind it\n";
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), complaint));
    assert_eq!(fs::read_dir(world.cwd()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_running_session_exports_itself() {
    let provider = Provider::start([answer("an answer")]).await;
    let world = World::with(&provider);
    let mut pi = rpc(&world).await;
    let early = ask(&mut pi, json!({"id": 1, "type": "export_html"})).await;
    assert_eq!(early["error"], "Nothing to export yet - start a conversation first");
    send(&mut pi, &[prompt("a question")]).await;
    pi.event("agent_end").await;
    let file = world.session_files().pop().unwrap();
    let default = format!("pi-session-{}.html", file.file_stem().unwrap().to_str().unwrap());
    let absolute = world.cwd().join("abs.html");
    for (field, expected) in [
        (json!({}), default.as_str()),
        (json!({"outputPath": "rel.html"}), "rel.html"),
        (json!({"outputPath": absolute}), absolute.to_str().unwrap()),
    ] {
        let mut command = json!({"id": expected, "type": "export_html"});
        command.as_object_mut().unwrap().extend(field.as_object().unwrap().clone());
        assert_eq!(ask(&mut pi, command).await["data"], json!({"path": expected}));
        let page = fs::read_to_string(world.cwd().join(expected)).unwrap();
        for text in ["a question", "an answer", "System prompt", "Tools, 4"] {
            assert!(page.contains(text), "{text} in {expected}");
        }
    }
    let own = ask(&mut pi, json!({"id": 9, "type": "export_html", "outputPath": file})).await;
    assert!(own["error"].as_str().unwrap().contains("that is the session file itself"), "{own}");
    assert_eq!(pi.end().await.0, 0);
}

#[tokio::test]
async fn a_session_in_memory_has_no_page() {
    let world = World::at("http://127.0.0.1:9");
    let mut pi = world.pi(&["--mode", "rpc", "--no-session"]).start();
    let refused = ask(&mut pi, json!({"id": 1, "type": "export_html", "outputPath": "x.html"})).await;
    assert_eq!(refused["error"], "Cannot export in-memory session to HTML");
    assert_eq!(pi.end().await.0, 0);
    assert_eq!(fs::read_dir(world.cwd()).unwrap().count(), 0);
}
