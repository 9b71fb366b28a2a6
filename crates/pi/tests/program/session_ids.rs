//! One session per id, from the moment in which the id is chosen; and what a run says that could not be stored, or that
//! goes on with a session that has holes.

use futures::future::join_all;
use rustix::process::Signal;
use serde_json::{Value, json};

use pi_test_kit::{Live, Provider, World, answer, read_entries};

fn state() -> String {
    format!("{}\n", json!({"id": "state", "type": "get_state"}))
}

/// A program that has chosen its session and asks nothing.
async fn waiting(world: &World, args: &[&str]) -> Live {
    let mut pi = world.pi(&[&["--mode", "rpc"], args].concat()).start();
    pi.send(&state()).await;
    pi.event("response").await;
    pi
}

fn files_below(world: &World) -> Vec<std::path::PathBuf> {
    let dirs = std::fs::read_dir(world.agent_dir().join("sessions")).into_iter().flatten();
    let files = dirs.flat_map(|dir| std::fs::read_dir(dir.unwrap().path()).unwrap());
    files.map(|file| file.unwrap().path()).collect()
}

#[tokio::test]
async fn an_id_is_taken_before_there_is_a_file() {
    let provider = Provider::start([answer("hello"), answer("again")]).await;
    let world = World::with(&provider);
    for (number, (args, named)) in [
        (["--session-id", "mine"], "Session mine".to_owned()),
        (["--session", "new/mine.jsonl"], format!("Session file {}", world.cwd().join("new/mine.jsonl").display())),
    ]
    .into_iter()
    .enumerate()
    {
        let first = waiting(&world, &args).await;
        let process = first.id();
        let ask = [&args[..], &["-p", "hi"]].concat();
        let refused = world.run(&ask).await;
        let expected = world.mask(&format!("Error: {named} is in use by process {process}. Close that session, "));
        assert!(refused.code == Some(1) && refused.stderr.starts_with(&expected), "{refused:?}");
        assert_eq!((files_below(&world).len(), provider.requests().len()), (0, number));
        first.signal(Signal::KILL);
        // Ended by the time that the next one looks, or a moment later.
        let (_, next) = tokio::join!(first.finish_unread(), world.run(&ask));
        assert!(["hello\n", "again\n"].contains(&next.success().as_str()));
        for file in files_below(&world) {
            std::fs::remove_file(file).unwrap();
        }
    }
}

#[tokio::test]
async fn a_run_in_which_nothing_was_asked_leaves_nothing() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    for is_killed in [false, true] {
        let mut pi = waiting(&world, &["--session-id", "mine"]).await;
        for command in [json!({"type": "set_session_name", "name": "n"}), json!({"type": "bash", "command": "ls"})] {
            pi.send(&format!("{command}\n")).await;
            pi.until(|line| line["command"] == command["type"]).await;
        }
        if is_killed {
            pi.signal(Signal::KILL);
            pi.finish().await;
        } else {
            assert_eq!(pi.end().await, (0, String::new()));
        }
        assert_eq!(files_below(&world).len(), 0);
    }
}

#[tokio::test]
async fn of_many_that_start_at_once_one_session_comes() {
    for args in [["--session-id", "mine"], ["--session", "mine.jsonl"]] {
        let provider = Provider::start((0..6).map(|number| answer(&format!("answer {number}")))).await;
        let world = World::with(&provider);
        let ask = [args[0], args[1], "-p", "hi"];
        let runs = join_all((0..6).map(|_| world.run(&ask)));
        let (served, refused): (Vec<_>, Vec<_>) = runs.await.into_iter().partition(|run| run.code == Some(0));
        assert!(!served.is_empty() && refused.iter().all(|run| run.stderr.contains(" is in use by ")), "{refused:#?}");
        let mut files = world.session_files();
        files.extend(Some(world.cwd().join("mine.jsonl")).filter(|file| file.exists()));
        assert_eq!(files.len(), 1, "{files:?}");
        let messages = read_entries(&files[0]).into_iter().filter(|entry| entry["type"] == "message").count();
        assert_eq!(messages, 2 * served.len(), "every run is in the one file");
    }
}

#[tokio::test]
async fn a_holder_that_is_just_ending_is_waited_for() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    assert_eq!(world.run(&["-p", "hi"]).await.success(), "one\n");
    let holder = waiting(&world, &["-c"]).await;
    let next = world.run(&["-p", "-c", "and?"]);
    let end = async {
        // Dead long before the other one has lost its patience, and mostly after it has begun to wait.
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        holder.signal(Signal::KILL);
        holder.finish_unread().await;
    };
    let (next, ()) = tokio::join!(next, end);
    assert_eq!(next.success(), "two\n");
    assert_eq!(world.session_files().len(), 1);
}

#[tokio::test]
async fn what_cannot_be_a_file_name_is_no_id() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let long = "a".repeat(201);
    for id in ["", ".", "..", "a/b", "../a", "a\\b", "a b", "a\nb", "\u{1b}[2J", "ä", "_a", ".a", "a.", &long] {
        let refused = world.run(&["--session-id", id, "-p", "hi"]).await;
        assert!(refused.code == Some(1) && refused.stderr.starts_with("Error: Session id must "), "{id}: {refused:?}");
    }
    let long = format!("{}.jsonl", "a".repeat(300));
    let refused = world.run(&["--session", &long, "-p", "hi"]).await;
    assert!(refused.code == Some(1) && refused.stderr.contains("File name too long"), "{refused:?}");
    assert_eq!((files_below(&world).len(), provider.requests().len()), (0, 0));
}

#[tokio::test]
async fn what_cannot_be_stored_is_printed_and_ends_with_1() {
    for (mode, answered) in [("-p", "hello\n"), ("--mode json", "\"text\":\"hello\"")] {
        for durability in ["none", "turn", "entry"] {
            let provider = Provider::start([answer("hello")]).await;
            let world = World::with(&provider);
            world.write_config(
                "settings.json",
                &json!({"defaultProvider": "mock", "defaultModel": "m1", "sessionDurability": durability}),
            );
            let run = world.shell(&format!("ulimit -f 0; exec \"$PI\" {mode} hi")).run().await;
            let last = run.stderr.lines().last().unwrap_or_default();
            let named =
                last.starts_with("Error: the session could not be stored: Cannot write to session file ROOT/agent/");
            assert!(named && last.ends_with("File too large (os error 27)"), "{mode}, {durability}: {run:?}");
            assert!(run.code == Some(1) && run.stdout.contains(answered), "{run:?}");
            assert_eq!(run.stderr.matches("Warning: Cannot write to session file").count(), 1, "{}", run.stderr);
        }
    }
}

#[tokio::test]
async fn holes_are_told_at_the_start_as_the_doctor_tells_them() {
    let provider = Provider::start([answer("one"), answer("two"), answer("three")]).await;
    let world = World::with(&provider);
    assert_eq!(world.run(&["-p", "hi"]).await.success(), "one\n");
    let file = world.session_files().remove(0);
    let text = std::fs::read_to_string(&file).unwrap();
    let parent = read_entries(&file).pop().unwrap()["id"].clone();
    let entry = |id: &str, parent: &Value, message: Value| {
        json!({"type": "message", "id": id, "parentId": parent, "timestamp": "2026-11-21T20:14:23.000Z",
            "message": message})
    };
    let said = json!({"role": "user", "content": "and?", "timestamp": 1});
    let odd = entry("0000000a", &parent, json!({"role": "assistant", "content": 7}));
    let orphan = entry("0000000b", &json!("0000dead"), said.clone());
    let later = entry("0000000c", &json!("0000000b"), said);
    std::fs::write(&file, format!("{text}{odd}\nrubbish\n{orphan}\nmore rubbish\n{later}\n")).unwrap();
    let doctor = world.run(&["session", "doctor", file.to_str().unwrap()]).await.stdout;
    let runs = [
        world.run(&["-p", "-c", "and?"]).await.stderr,
        world.run(&["--mode", "json", "-c", "and?"]).await.stderr,
        waiting(&world, &["-c"]).await.end().await.1,
    ];
    let told = world.mask(&runs[0]).replace(file.file_name().unwrap().to_str().unwrap(), "FILE");
    // The header names a directory, whose length is not always the same.
    let bytes = regex::Regex::new("bytes [0-9]+ to [0-9]+").unwrap();
    insta::assert_snapshot!(bytes.replace_all(&told, "BYTES"));
    for run in &runs {
        assert_eq!(world.mask(run), world.mask(&runs[0]));
        let holes: Vec<&str> = run.lines().filter(|line| line.starts_with("  line ")).collect();
        assert_eq!(holes.len(), 3, "{run}");
        for hole in holes {
            let (found, meaning) = hole.trim().split_once(". ").unwrap();
            assert!(doctor.contains(found) && doctor.contains(meaning), "{hole}\n{doctor}");
        }
    }
}
