//! Files in which nothing was said yet are sessions to go on with: empty ones, blank lines, torn headers, a header alone.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::rpc::{ask, prompt, rpc, send};
use pi_test_kit::{Provider, World, answer, read_entries};

/// What a file may hold.
fn contents(world: &World) -> Vec<String> {
    let whole = header(world);
    let cuts = (1..whole.len()).step_by(23).chain([whole.len() - 1]).map(|cut| whole[..cut].to_owned());
    let others = ["", "\n", "\n\n \n", "  "].map(ToOwned::to_owned);
    let with_newline = [format!("{whole}\n"), format!("{}\n", &whole[..60])];
    cuts.chain(others).chain(with_newline).chain([whole.clone()]).collect()
}

/// A header of the world's project, as the program writes it.
fn header(world: &World) -> String {
    format!(
        r#"{{"type":"session","version":3,"id":"begun-1","timestamp":"2026-11-21T20:14:22.840Z","cwd":"{}"}}"#,
        world.cwd().display()
    )
}

fn texts(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let messages =
        lines.map(|line| serde_json::from_str::<Value>(line).unwrap()).filter(|entry| entry["type"] == "message");
    messages.map(|entry| entry["message"]["content"][0]["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_way_of_opening_goes_on_with_such_a_file() {
    let probe = World::at("http://127.0.0.1:9");
    for number in 0..contents(&probe).len() {
        let provider = Provider::start(["one", "two", "three"].map(answer)).await;
        let world = World::with(&provider);
        let content = contents(&world).swap_remove(number);
        let file = world.write("s.jsonl", &content);
        let run = world.run(&["--session", "./s.jsonl", "-p", "hello"]).await;
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "one\n"), "{content:?}: {}", run.stderr);
        assert_eq!(
            run.stderr.is_empty(),
            content.trim().is_empty() || content.contains('}'),
            "{content:?}: {}",
            run.stderr
        );
        assert_eq!(texts(&file), ["hello", "one"], "{content:?}");
        let first = fs::read_to_string(&file).unwrap();
        assert_eq!(first.contains("\"id\":\"begun-1\""), content.contains("\"begun-1\""), "{content:?}: {first}");
        let aside = world.cwd().join("s.jsonl.torn-1");
        if !content.trim().is_empty() && !content.contains('}') {
            assert_eq!(fs::read_to_string(aside).unwrap(), content, "what was torn is kept");
        }

        fs::write(&file, &content).unwrap();
        let mut pi = rpc(&world).await;
        let switch = json!({"id": 1, "type": "switch_session", "sessionPath": file});
        assert_eq!(ask(&mut pi, switch).await["success"], true, "{content:?}");
        send(&mut pi, &[prompt("hello")]).await;
        pi.until(|line| line["type"] == "agent_end").await;
        assert_eq!(pi.end().await.0, 0);
        assert_eq!(texts(&file), ["hello", "two"], "{content:?}");

        fs::write(&file, &content).unwrap();
        let forked = world.run(&["--fork", "./s.jsonl", "-p", "hello"]).await;
        assert_eq!((forked.code, forked.stdout.as_str()), (Some(0), "three\n"), "{content:?}: {}", forked.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

#[tokio::test]
async fn looking_at_such_a_file_is_no_error() {
    let world = World::at("http://127.0.0.1:9");
    for content in contents(&world) {
        let file = world.write("s.jsonl", &content);
        for command in [["show", "./s.jsonl"], ["tree", "./s.jsonl"], ["doctor", "./s.jsonl"], ["export", "./s.jsonl"]]
        {
            let run = world.run(&["session", command[0], command[1]]).await;
            assert_eq!(run.code, Some(0), "{command:?} {content:?}: {}", run.stderr);
            assert!(!run.stderr.contains("Error"), "{command:?} {content:?}: {}", run.stderr);
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
}

#[tokio::test]
async fn such_a_file_is_listed_found_and_continued() {
    let probe = World::at("http://127.0.0.1:9");
    for number in 0..contents(&probe).len() {
        let provider = Provider::start(["one", "two"].map(answer)).await;
        let world = World::with(&provider);
        let content = contents(&world).swap_remove(number);
        let encoded = world.cwd().to_str().unwrap().trim_start_matches('/').replace('/', "-");
        let dir = world.agent_dir().join("sessions").join(format!("--{encoded}--"));
        fs::create_dir_all(&dir).unwrap();
        let file = dir.join("2026-11-21T20-14-22-840Z_begun-1.jsonl");
        fs::write(&file, &content).unwrap();
        let listed = world.run(&["session", "ls"]).await.success();
        assert!(listed.contains("(no messages)"), "{content:?}: {listed}");
        let run = world.run(&["-c", "-p", "hello"]).await;
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "one\n"), "{content:?}: {}", run.stderr);
        assert_eq!(texts(&file), ["hello", "one"], "{content:?}");
        fs::write(&file, &content).unwrap();
        let run = world.run(&["--session", "begun", "-p", "hello"]).await;
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "two\n"), "{content:?}: {}", run.stderr);
        assert_eq!(world.session_files(), [file]);
    }
}

#[tokio::test]
async fn files_of_other_kinds_are_refused_and_left_alone() {
    let world = World::at("http://127.0.0.1:9");
    let others: [&[u8]; 7] = [
        b"my notes\n",
        b"{\"name\":\"package\"}\n",
        b"{\"name\":",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"[]",
        b"\0\0\0\0",
        b"{}",
    ];
    for content in others {
        let file = world.cwd().join("other.jsonl");
        fs::write(&file, content).unwrap();
        let run = world.run(&["--session", "./other.jsonl", "-p", "hello"]).await;
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("Not a session file"), "{}", run.stderr);
        assert_eq!(fs::read(&file).unwrap(), content);
    }
}

#[tokio::test]
async fn working_directories_with_long_paths_have_sessions() {
    let provider = Provider::start(["one", "two", "three"].map(answer)).await;
    let world = World::with(&provider);
    let deep = world.cwd().join(["d".repeat(200).as_str(), "e".repeat(100).as_str(), "ü"].join("/"));
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(world.pi(&["-p", "first"]).dir(&deep).run().await.success(), "one\n");
    assert_eq!(world.pi(&["-p", "-c", "second"]).dir(&deep).run().await.success(), "two\n");
    assert_eq!(provider.requests()[1].texts("user"), ["first", "second"]);
    assert_eq!(world.session_files().len(), 1);
    let id = read_entries(&world.session_files()[0])[0]["id"].as_str().unwrap().to_owned();
    for args in [["session", "ls"], ["session", "show"], ["session", "search"]] {
        let mut args = args.to_vec();
        args.extend(match args[1] {
            "show" => Some(id.as_str()),
            "search" => Some("second"),
            _ => None,
        });
        let shown = world.pi(&args).dir(&deep).run().await.success();
        assert!(shown.contains("first") || shown.contains("second"), "{args:?}: {shown}");
    }
    assert!(world.run(&["session", "ls", "--all"]).await.success().contains("first"));
    assert_eq!(world.pi(&["-p", "--session", &id, "third"]).dir(&deep).run().await.success(), "three\n");
}
