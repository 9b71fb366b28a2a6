//! Bad input: what is wrong and the way out in one sentence on standard error, the right exit code, nothing lost.

use std::fs;
use std::os::unix::fs::symlink;

use insta::assert_snapshot;

use pi_test_kit::{Finished, Provider, World, answer, fail, read_entries};

/// Exit code and complaint of a run that has nothing to print.
#[expect(clippy::needless_pass_by_value, reason = "callers have no other use for it")]
fn complaint(finished: Finished) -> String {
    assert_eq!(finished.stdout, "", "{}", finished.stderr);
    assert!(!finished.stderr.contains("panicked"), "{}", finished.stderr);
    format!("[{}] {}", finished.code.unwrap(), finished.stderr.trim_end())
}

/// The complaints about these command lines in one world.
async fn complaints(world: &World, lines: &[&[&str]]) -> String {
    let mut texts = Vec::new();
    for args in lines {
        texts.push(format!("$ pi {}\n{}", args.join(" "), complaint(world.run(args).await)));
    }
    texts.join("\n")
}

#[tokio::test]
async fn command_lines() {
    let world = World::at("http://127.0.0.1:9");
    let lines: &[&[&str]] = &[
        &["--provider", "nobody", "--model", "m1", "hi"],
        &["--model", "nothing", "hi"],
        &["--provider", "nobody", "hi"],
        &["--provider", "mock", "--model", "m1", "--api-key", " ", "hi"],
        &["--mode", "dance", "hi"],
        &["--colour", "red", "hi"],
        &["--colour", "--shape=round", "hi"],
        &["-z", "hi"],
        &["hi", "--model"],
        &["hi", "--name"],
        &["--name", "", "hi"],
        &["--name", " \t", "hi"],
        &["--mode", "rpc", "@file"],
        &["--record", "a", "--replay", "b", "hi"],
    ];
    assert_snapshot!(complaints(&world, lines).await, @r#"
    $ pi --provider nobody --model m1 hi
    [1] Error: Unknown provider "nobody". Use --list-models to see available providers/models.
    $ pi --model nothing hi
    [1] Error: Model "nothing" not found. Use --list-models to see available models.
    $ pi --provider nobody hi
    [1] Error: Unknown provider "nobody". Use --list-models to see available providers/models.
    $ pi --provider mock --model m1 --api-key   hi
    [1] Error: --api-key requires a non-empty value; leave it out to use the configured key
    $ pi --mode dance hi
    [1] Error: Unknown mode "dance". Valid values: text, json, rpc, acp
    $ pi --colour red hi
    [1] Error: Unknown option: --colour
    $ pi --colour --shape=round hi
    [1] Error: Unknown options: --colour, --shape
    $ pi -z hi
    [1] Error: Unknown option: -z
    $ pi hi --model
    [1] Error: Unknown option: --model
    --model needs a value behind it
    $ pi hi --name
    [1] Error: --name requires a value
    $ pi --name  hi
    [1] Error: --name requires a non-empty value
    $ pi --name  	 hi
    [1] Error: --name requires a non-empty value
    $ pi --mode rpc @file
    [1] Error: @file arguments are not supported in RPC mode
    $ pi --record a --replay b hi
    [1] Error: --record and --replay cannot be combined
    "#);
    assert_eq!(world.session_files().len(), 0);
}

#[tokio::test]
async fn attached_files() {
    let world = World::at("http://127.0.0.1:9");
    fs::create_dir(world.cwd().join("folder")).unwrap();
    symlink("loop", world.cwd().join("loop")).unwrap();
    let lines: &[&[&str]] = &[&["@missing.txt", "hi"], &["@folder", "hi"], &["@loop", "hi"], &["@", "hi"]];
    assert_snapshot!(complaints(&world, lines).await, @"
    $ pi @missing.txt hi
    [1] Error: File not found: ROOT/project/missing.txt
    $ pi @folder hi
    [1] Error: Could not read file ROOT/project/folder: it is a directory; name the files in it
    $ pi @loop hi
    [1] Error: Could not read file ROOT/project/loop: Too many levels of symbolic links (os error 40)
    $ pi @ hi
    [1] Error: Could not read file ROOT/project: it is a directory; name the files in it
    ");
}

#[tokio::test]
async fn no_key() {
    let world = World::empty();
    let lines: &[&[&str]] = &[
        &["hi"],
        &["--model", "claude-sonnet-4-5", "hi"],
        &["--model", "claude-sonnet-4-5", "--api-key", "", "hi"],
        &["--api-key", "some", "hi"],
        &["--mode", "json", "--model", "claude-sonnet-4-5", "--no-session", "hi"],
    ];
    let mut texts = Vec::new();
    for args in lines {
        let mut finished = world.run(args).await;
        if args[0] == "--mode" {
            assert_eq!(finished.stdout.lines().count(), 1, "the header of the session: {}", finished.stdout);
            finished.stdout.clear();
        }
        texts.push(format!("$ pi {}\n{}", args.join(" "), complaint(finished)));
    }
    let empty = world.pi(&["--model", "claude-sonnet-4-5", "hi"]).env("ANTHROPIC_API_KEY", "").run().await;
    texts.push(format!("$ ANTHROPIC_API_KEY= pi --model claude-sonnet-4-5 hi\n{}", complaint(empty)));
    assert_snapshot!(texts.join("\n"), @"
    $ pi hi
    [1] No API key found for the selected model.

    No model has a key yet: log in (pi auth login), set a provider's environment variable (pi --help lists some), or add the provider to auth.json or models.json; then choose with --model.
    $ pi --model claude-sonnet-4-5 hi
    [1] No API key found for anthropic.

    Model anthropic/claude-sonnet-4-5 needs one: pi auth login anthropic, set ANTHROPIC_API_KEY, pass --api-key, or add the provider to auth.json or models.json.
    $ pi --model claude-sonnet-4-5 --api-key  hi
    [1] Error: --api-key requires a non-empty value; leave it out to use the configured key
    $ pi --api-key some hi
    [1] Error: --api-key requires a model to be specified via --model, --provider/--model, or --models
    $ pi --mode json --model claude-sonnet-4-5 --no-session hi
    [1] No API key found for anthropic.

    Model anthropic/claude-sonnet-4-5 needs one: pi auth login anthropic, set ANTHROPIC_API_KEY, pass --api-key, or add the provider to auth.json or models.json.
    $ ANTHROPIC_API_KEY= pi --model claude-sonnet-4-5 hi
    [1] No API key found for anthropic.

    Model anthropic/claude-sonnet-4-5 needs one: pi auth login anthropic, set ANTHROPIC_API_KEY, pass --api-key, or add the provider to auth.json or models.json.
    ");
    assert_eq!(world.session_files().len(), 0);
}

#[tokio::test]
async fn unknown_tools_are_only_a_warning() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    let finished = world.run(&["-p", "hi", "--tools", "read,sing,dance"]).await;
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "fine\n"));
    assert_snapshot!(finished.stderr, @r#"
    Warning: Unknown tools are ignored: "sing", "dance". pi --help names the tools
    "#);
    assert_eq!(provider.requests()[0].tools(), ["read"]);
}

#[tokio::test]
async fn a_provider_without_a_model_is_only_a_warning() {
    let provider = Provider::start([answer("fine")]).await;
    let finished = World::with(&provider).run(&["-p", "--provider", "chat", "hi"]).await;
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "fine\n"));
    assert_snapshot!(finished.stderr, @"Warning: --provider chat is ignored without --model");
}

#[tokio::test]
async fn broken_models_json() {
    let world = World::empty();
    let own = |rest: &str| {
        format!(
            r#"{{"providers":{{"p":{{"baseUrl":"http://localhost","apiKey":"k","api":"openai-completions",{rest}}}}}}}"#
        )
    };
    let mut texts = Vec::new();
    for content in [
        "{\n  \"providers\": {\n    \"p\": nope\n  }\n}".to_owned(),
        own(r#""models":[{"id":"m","contextWindow":"big"}]"#),
        own(r#""models":[{"id":"m","contextWindow":-1}]"#),
    ] {
        fs::write(world.agent_dir().join("models.json"), &content).unwrap();
        texts.push(format!("{content}\n{}", complaint(world.run(&["--model", "p/m", "hi"]).await)));
    }
    assert_snapshot!(texts.join("\n\n"), @r#"
    {
      "providers": {
        "p": nope
      }
    }
    [1] Warning: Failed to parse models.json: expected ident at line 3 column 11

    File: ROOT/agent/models.json
    Error: Model "p/m" not found. Use --list-models to see available models.

    {"providers":{"p":{"baseUrl":"http://localhost","apiKey":"k","api":"openai-completions","models":[{"id":"m","contextWindow":"big"}]}}}
    [1] Warning: Invalid models.json schema:
      - providers.p.models.0.contextWindow: must be a number

    File: ROOT/agent/models.json
    Error: Model "p/m" not found. Use --list-models to see available models.

    {"providers":{"p":{"baseUrl":"http://localhost","apiKey":"k","api":"openai-completions","models":[{"id":"m","contextWindow":-1}]}}}
    [1] Warning: Failed to load models.json: Provider p, model m: invalid contextWindow

    File: ROOT/agent/models.json
    Error: Model "p/m" not found. Use --list-models to see available models.
    "#);
}

#[tokio::test]
async fn broken_settings_are_reported_and_left_alone() {
    let provider = Provider::start([answer("fine"), answer("fine")]).await;
    let world = World::with(&provider);
    let file = world.agent_dir().join("settings.json");
    let mut texts = Vec::new();
    for content in ["{\n  \"theme\": \"dark\",\n  oops\n}", r#"{"retry":{"enabled":"no"},"theme":5}"#] {
        fs::write(&file, content).unwrap();
        let finished = world.run(&["-p", "hi", "--provider", "mock", "--model", "m1"]).await;
        assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "fine\n"));
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
        texts.push(format!("{content}\n{}", finished.stderr));
    }
    assert_snapshot!(texts.join("\n"), @r#"
    {
      "theme": "dark",
      oops
    }
    Warning: (global settings) ROOT/agent/settings.json is not valid: key must be a string at line 3 column 3

    {"retry":{"enabled":"no"},"theme":5}
    Warning: (global settings) "theme" must be a text; it is ignored
    Warning: (global settings) "retry.enabled" must be true or false; it is ignored
    "#);
}

#[tokio::test]
async fn session_directories() {
    let world = World::at("http://127.0.0.1:9");
    let file = world.write("file", "mine");
    assert_snapshot!(
        complaints(
            &world,
            &[
                &["--session-dir", "file", "hi"],
                &["--session-dir", "file/sub", "hi"],
                &["-c", "--session-dir", "file", "hi"]
            ]
        )
        .await, @"
    $ pi --session-dir file hi
    [1] Error: Cannot write to the session directory ROOT/project/file: File exists (os error 17). Choose another one with --session-dir, or keep nothing with --no-session.
    $ pi --session-dir file/sub hi
    [1] Error: Cannot write to the session directory ROOT/project/file/sub: Not a directory (os error 20). Choose another one with --session-dir, or keep nothing with --no-session.
    $ pi -c --session-dir file hi
    [1] Error: Cannot write to the session directory ROOT/project/file: File exists (os error 17). Choose another one with --session-dir, or keep nothing with --no-session.
    ");
    assert_eq!(fs::read_to_string(file).unwrap(), "mine");
}

#[tokio::test]
async fn session_files() {
    let world = World::at("http://127.0.0.1:9");
    let contents = ["# Notes\nmine\n", "{\"type\":\"message\"}\n", "[1, 2]\n"];
    let mut texts = Vec::new();
    for content in contents {
        let file = world.write("notes.jsonl", content);
        texts.push(complaint(world.run(&["--session", "notes.jsonl", "hi"]).await));
        assert_eq!(fs::read_to_string(file).unwrap(), content);
    }
    fs::create_dir(world.cwd().join("folder.jsonl")).unwrap();
    texts.push(complaint(world.run(&["--session", "folder.jsonl", "hi"]).await));
    assert_snapshot!(texts.join("\n"), @"
    [1] Error: Not a session file: ROOT/project/notes.jsonl: it holds no JSON lines. It was left untouched; name another file, or move this one away first.
    [1] Error: Not a session file: ROOT/project/notes.jsonl: its first line is not a session header. It was left untouched; name another file, or move this one away first.
    [1] Error: Not a session file: ROOT/project/notes.jsonl: it holds no JSON lines. It was left untouched; name another file, or move this one away first.
    [1] Error: Cannot open session file ROOT/project/folder.jsonl: Is a directory (os error 21)
    ");
}

#[tokio::test]
async fn the_directory_of_a_session_is_gone() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    let project = world.root().join("old");
    fs::create_dir(&project).unwrap();
    world.pi(&["-p", "hi"]).dir(&project).run().await.success();
    fs::remove_dir(&project).unwrap();
    let file = world.session_files().pop().unwrap();
    let before = read_entries(&file);
    let moved = world.cwd().join("moved.jsonl");
    fs::rename(&file, &moved).unwrap();
    let refused = complaints(
        &world,
        &[&["--session", "moved.jsonl", "again"], &["--session", "moved.jsonl", "--missing-cwd", "there", "again"]],
    );
    assert_snapshot!(refused.await, @"
    $ pi --session moved.jsonl again
    [1] Error: Stored session working directory does not exist: ROOT/old
    Session file: ROOT/project/moved.jsonl
    Current working directory: ROOT/project
    Add --missing-cwd here to go on in the current directory, or --missing-cwd fork to go on with a copy that belongs there.
    $ pi --session moved.jsonl --missing-cwd there again
    [1] Error: Invalid --missing-cwd \"there\". Valid values: here, fork
    ");
    assert_eq!(read_entries(&moved), before);
}

#[tokio::test]
async fn a_session_in_use() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "hi"]).await.success();
    let file = world.session_files().pop().unwrap();
    let before = fs::read(&file).unwrap();
    let mut owner = world.pi(&["--mode", "rpc", "--session", file.to_str().unwrap()]).start();
    owner.send("{\"type\":\"get_state\"}\n").await;
    owner.event("response").await;
    let refused = complaint(world.run(&["--session", file.to_str().unwrap(), "again"]).await);
    let name = file.file_name().unwrap().to_str().unwrap();
    let refused = refused.replace(name, "FILE").replace(&owner.id().to_string(), "PID");
    assert_snapshot!(refused, @"[1] Error: Session file ROOT/agent/sessions/--ROOT-project--/FILE is in use by process PID. Close that session, fork it, or start a new one.");
    let (code, complaints) = owner.end().await;
    assert_eq!((code, complaints.as_str()), (0, ""));
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn a_current_directory_that_is_gone() {
    let world = World::at("http://127.0.0.1:9");
    let script = "mkdir ../gone && cd ../gone && rmdir ../gone && exec \"$PI\" -p hi";
    let finished = world.shell(script).run().await;
    assert_snapshot!(complaint(finished), @"[1] Error: cannot tell the current directory (No such file or directory (os error 2)): change to one that exists");
}

#[tokio::test]
async fn cassettes_that_cannot_be_used() {
    let world = World::empty();
    world.write("broken.jsonl", "{\"cassette\":1,\n");
    world.write("other.jsonl", "{\"hello\":\"world\"}\n");
    world.write("empty.jsonl", "\n");
    let request = r#"{"method":"POST","url":"http://x/v1/messages","headers":{},"body":{"model":"m77"}}"#;
    world.write("elsewhere.jsonl", &format!(r#"{{"cassette":1,"n":1,"request":{request},"end":"truncated"}}"#));
    let lines: &[&[&str]] = &[
        &["--replay", "missing.jsonl", "hi"],
        &["--replay", ".", "hi"],
        &["--replay", "broken.jsonl", "hi"],
        &["--replay", "other.jsonl", "hi"],
        &["--replay", "empty.jsonl", "hi"],
        &["--replay", "elsewhere.jsonl", "hi"],
        &["--record", "no/such/dir.jsonl", "hi"],
    ];
    assert_snapshot!(complaints(&world, lines).await, @r#"
    $ pi --replay missing.jsonl hi
    [1] Error: Cannot read the cassette ROOT/project/missing.jsonl: No such file or directory (os error 2)
    $ pi --replay . hi
    [1] Error: Cannot read the cassette ROOT/project/.: Is a directory (os error 21)
    $ pi --replay broken.jsonl hi
    [1] Error: Cassette ROOT/project/broken.jsonl, line 1: EOF while parsing a value at line 1 column 14. Remove the line or record the cassette again.
    $ pi --replay other.jsonl hi
    [1] Error: Cassette ROOT/project/other.jsonl, line 1: missing field `cassette` at line 1 column 17. Remove the line or record the cassette again.
    $ pi --replay empty.jsonl hi
    [1] Error: The cassette ROOT/project/empty.jsonl is empty; record it with --record
    $ pi --replay elsewhere.jsonl hi
    [1] Error: The cassette was recorded with the model "m77", which is not known here. Name one with --model, or add it to models.json
    $ pi --record no/such/dir.jsonl hi
    [1] Error: Cannot write the cassette ROOT/project/no/such/dir.jsonl: No such file or directory (os error 2)
    "#);
}

#[tokio::test]
async fn a_replay_that_diverges() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "--no-session", "--record", "tape.jsonl", "hi", "there"]).await.success();
    assert_eq!(world.run(&["-p", "--no-session", "--replay", "tape.jsonl", "hi", "there"]).await.success(), "two\n");
    let more = world.run(&["-p", "--no-session", "--replay", "tape.jsonl", "hi", "there", "again"]).await;
    let other = world.run(&["-p", "--no-session", "--replay", "tape.jsonl", "hi", "there", "--tools", "read"]).await;
    assert_snapshot!(format!("{}\n{}", complaint(more), complaint(other)), @r#"
    [1] Cassette ROOT/project/tape.jsonl, request 3: the cassette ends after 2 requests.
    [1] Cassette ROOT/project/tape.jsonl, request 1: the list of tools was "read, bash, edit, write" in the recording and is "read" now.
    "#);
    assert_eq!(provider.requests().len(), 2, "a replay needs no network");
}

#[tokio::test]
async fn providers_that_refuse() {
    let refused = fail(401, "authentication_error", "invalid x-api-key");
    let provider = Provider::start([refused, fail(404, "not_found_error", "model: m1")]).await;
    let world = World::with(&provider);
    let lines: &[&[&str]] = &[&["-p", "hi"], &["-p", "hi"]];
    assert_snapshot!(complaints(&world, lines).await, @r#"
    $ pi -p hi
    [1] 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}
    Check the API key of provider mock: --api-key, its environment variable, auth.json or models.json.
    $ pi -p hi
    [1] 404 {"type":"error","error":{"type":"not_found_error","message":"model: m1"}}
    Check the model and the base URL of provider mock; --list-models shows what is configured.
    "#);
    assert_eq!(world.session_files().len(), 2, "what was asked is not lost");
}

#[tokio::test]
async fn servers_that_do_not_answer() {
    let provider = Provider::start([]).await;
    let (world, port) = (World::with(&provider), provider.port());
    drop(provider);
    let gone = world.run(&["-p", "hi"]).await;
    assert_snapshot!(complaint(gone).replace(&port.to_string(), "PORT"), @"
    [1] Connection error. 127.0.0.1:PORT: tcp connect error: Connection refused (os error 111)
    Check the network, the proxy variables and the base URL of provider mock (models.json).
    ");
    assert_eq!(world.history(), ["user: hi", "assistant (error): "]);
}

#[tokio::test]
async fn base_urls_that_are_none() {
    let mut texts = Vec::new();
    for url in ["nonsense", "ftp://example.org", "http://"] {
        texts.push(format!("{url}\n{}", complaint(World::at(url).run(&["-p", "--no-session", "hi"]).await)));
    }
    assert_snapshot!(texts.join("\n"), @r#"
    nonsense
    [1] Invalid base URL "nonsense/v1/messages" of provider mock: it must start with http:// or https:// and name a host.
    ftp://example.org
    [1] Invalid base URL "ftp://example.org/v1/messages" of provider mock: it must start with http:// or https:// and name a host.
    http://
    [1] Invalid base URL "http:/v1/messages" of provider mock: it must start with http:// or https:// and name a host.
    "#);
}

/// A list of models comes all the same, with what is wrong beside it.
#[tokio::test]
async fn an_extension_that_is_missing_is_named_with_a_list_of_models() {
    let world = World::empty();
    let listed = world.run(&["--list-models", "-e", "/nope.ts"]).await;
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    assert!(listed.stderr.starts_with("Warning: ") && listed.stderr.contains("/nope.ts"), "{}", listed.stderr);
}
