//! The examples `git_checkpoint`, as programs: real repositories, real git.

use std::process::Command;

use serde_json::{Value, json};

use crate::extensions::programs::{Program, ask, notices, programs, reply, run, send};
use pi_test_kit::{Live, Provider, Reply, World, answer, tool_call};

fn checkpoints() -> Vec<Program> {
    programs("git_checkpoint", "git-checkpoint.ts")
}

fn git(world: &World, arguments: &[&str]) -> String {
    let names = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
    let mut git = Command::new("git");
    git.current_dir(world.cwd()).env("HOME", world.home()).args(names).args(arguments);
    let done = git.output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// A repository with a file under control, one that was never added, and one that is ignored.
fn repository(provider: &Provider) -> World {
    let world = World::with(provider);
    git(&world, &["init", "-q", "-b", "main"]);
    world.write("kept.txt", "committed");
    world.write(".gitignore", "ignored.txt\n");
    git(&world, &["add", "-A"]);
    git(&world, &["commit", "-q", "-m", "first"]);
    world.write("kept.txt", "changed by the user");
    world.write("new.txt", "never added");
    world.write("ignored.txt", "mine");
    world
}

/// Two prompts. The second one changes everything.
fn two_prompts() -> Vec<Reply> {
    let script = "echo model > kept.txt; rm new.txt; echo more > made.txt; echo theirs > ignored.txt";
    vec![answer("Hello."), tool_call("t1", "bash", &json!({"command": script})), answer("Changed.")]
}

/// Project files by name.
fn files(world: &World) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(world.cwd()).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    let mut files: Vec<_> = files
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap().trim().to_owned())
        })
        .filter(|(name, _)| name != ".gitignore")
        .collect();
    files.sort();
    files
}

fn expect(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

/// Begins a fork in front of the second prompt.
async fn fork(pi: &mut Live) {
    let places = ask(pi, json!({"id": 1, "type": "get_fork_messages"})).await["data"]["messages"].clone();
    let second = places.as_array().unwrap().iter().find(|place| place["text"] == "second").unwrap().clone();
    send(pi, &json!({"id": "fork", "type": "fork", "entryId": second["entryId"]})).await;
}

async fn forked(pi: &mut Live) -> (Value, Vec<Value>) {
    let mut lines = pi.until(|line| line["id"] == "fork").await;
    (lines.pop().unwrap()["data"]["cancelled"].clone(), lines)
}

#[tokio::test]
async fn the_files_of_a_prompt_come_back() {
    let before = [("ignored.txt", "mine"), ("kept.txt", "changed by the user"), ("new.txt", "never added")];
    let after = [("ignored.txt", "theirs"), ("kept.txt", "model"), ("made.txt", "more")];
    let restored = [("ignored.txt", "theirs"), before[1], before[2]];
    let cases = [
        (json!({"value": "Restore the files"}), false, &restored[..]),
        (json!({"value": "Keep the files as they are"}), false, &after[..]),
        (json!({"cancelled": true}), true, &after[..]),
    ];
    for program in checkpoints() {
        for (choice, cancelled, expected) in &cases {
            let provider = Provider::start(two_prompts()).await;
            let world = repository(&provider);
            let (head, status) =
                (git(&world, &["rev-parse", "HEAD"]), git(&world, &["diff", "--cached", "--name-only"]));
            assert_eq!(files(&world), expect(&before));
            let mut pi = program.rpc(&world, &[]);
            run(&mut pi, "first").await;
            run(&mut pi, "second").await;
            assert_eq!(files(&world), expect(&after), "{}", program.name);
            fork(&mut pi).await;
            let request = pi.event("extension_ui_request").await;
            assert_eq!(request["options"], json!(["Restore the files", "Keep the files as they are"]));
            reply(&mut pi, &request, choice.clone()).await;
            let (outcome, lines) = forked(&mut pi).await;
            assert_eq!(outcome, *cancelled, "{choice} {}", program.name);
            assert_eq!(files(&world), expect(expected), "{choice} {}", program.name);
            // What was there before the restoration is a commit that can be had back.
            if let Some(notice) = notices(&lines).first() {
                let commit = notice.trim_end_matches('.').rsplit(' ').next().unwrap();
                assert_eq!(git(&world, &["show", &format!("{commit}:made.txt")]), "more\n");
            }
            assert_eq!(notices(&lines).len(), usize::from(choice["value"] == "Restore the files"));
            assert_eq!(git(&world, &["rev-parse", "HEAD"]), head);
            assert_eq!(git(&world, &["diff", "--cached", "--name-only"]), status, "the index is the user's");
            assert_eq!(pi.end().await, (0, String::new()));
            let left: Vec<_> = std::fs::read_dir(world.cwd().join(".git")).unwrap().collect();
            assert!(
                left.iter().all(|entry| !entry.as_ref().unwrap().file_name().to_str().unwrap().contains("checkpoint"))
            );
        }
    }
}

/// Another process, which has only the session file.
#[tokio::test]
async fn a_later_run_finds_the_checkpoints() {
    for program in checkpoints() {
        let provider = Provider::start(two_prompts()).await;
        let world = repository(&provider);
        let mut pi = program.rpc(&world, &[]);
        run(&mut pi, "first").await;
        run(&mut pi, "second").await;
        assert_eq!(pi.end().await, (0, String::new()));
        git(&world, &["gc", "-q", "--prune=now"]);
        let mut pi = program.rpc(&world, &["--continue"]);
        fork(&mut pi).await;
        let request = pi.event("extension_ui_request").await;
        reply(&mut pi, &request, json!({"value": "Restore the files"})).await;
        assert_eq!(forked(&mut pi).await.0, false);
        assert!(world.cwd().join("new.txt").exists() && !world.cwd().join("made.txt").exists(), "{}", program.name);
        assert_eq!(pi.end().await, (0, String::new()));
    }
}

#[tokio::test]
async fn where_nothing_changed_nothing_is_asked() {
    for program in checkpoints() {
        let provider = Provider::start([answer("Hello."), answer("Hello again.")]).await;
        let world = repository(&provider);
        let mut pi = program.rpc(&world, &[]);
        run(&mut pi, "first").await;
        run(&mut pi, "second").await;
        fork(&mut pi).await;
        let (cancelled, lines) = forked(&mut pi).await;
        assert_eq!((cancelled, notices(&lines)), (json!(false), vec![]), "{}", program.name);
        assert_eq!(pi.end().await, (0, String::new()));
        let entries: Vec<Value> =
            world.session_files().iter().flat_map(|file| pi_test_kit::read_entries(file)).collect();
        assert!(
            entries.iter().filter(|entry| entry["customType"] == "git-checkpoint").count() <= 2,
            "one, and its copy"
        );
    }
}

#[tokio::test]
async fn without_a_repository_there_is_a_notice_and_nothing_else() {
    for program in checkpoints() {
        let provider = Provider::start([answer("Hello."), answer("Hello again.")]).await;
        let world = World::with(&provider);
        let mut pi = program.rpc(&world, &[]);
        let mut lines = run(&mut pi, "first").await;
        lines.extend(run(&mut pi, "second").await);
        let notice = "No checkpoints here: the directory is not in a git repository, or git is not installed.";
        assert_eq!(notices(&lines), [notice], "{}", program.name);
        fork(&mut pi).await;
        assert_eq!(forked(&mut pi).await.0, false);
        assert_eq!(pi.end().await, (0, String::new()));
        // And where there is no user, nobody is told.
        let provider = Provider::start([answer("Hello.")]).await;
        let world = World::with(&provider);
        assert_eq!(program.with(&world, &["-p", "hi"]).run().await.success(), "Hello.\n");
    }
}

/// A file is where the references would be.
#[tokio::test]
async fn a_checkpoint_that_fails_holds_up_nothing() {
    for program in checkpoints() {
        let provider = Provider::start([answer("Hello.")]).await;
        let world = repository(&provider);
        world.write(".git/refs/pi", "");
        let mut pi = program.rpc(&world, &[]);
        let lines = run(&mut pi, "first").await;
        let told = notices(&lines);
        assert!(told.len() == 1 && told[0].starts_with("No checkpoint: git update-ref failed: "), "{told:?}");
        assert_eq!(lines.last().unwrap()["messages"][1]["content"][0]["text"], "Hello.", "{}", program.name);
        assert_eq!(pi.end().await, (0, String::new()));
    }
}
