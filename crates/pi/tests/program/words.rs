//! Words of the command line: commands, prompts, typing errors, options before and behind them.

use std::fs;

use serde_json::Value;

use pi_test_kit::{Provider, World, answer};

#[tokio::test]
async fn sentences_that_begin_with_the_word_of_a_command_are_prompts() {
    for sentence in
        ["help me with this test", "models should be lazy", "trust me", "version bump, please", "auth tests fail"]
    {
        let words: Vec<&str> = sentence.split(' ').collect();
        let provider = Provider::start((0..words.len()).map(|_| answer("done"))).await;
        let world = World::with(&provider);
        assert_eq!(world.run(&words).await.success(), "done\n", "{sentence}");
        assert_eq!(provider.requests()[0].texts("user"), [words[0]], "{sentence}");
    }
}

#[tokio::test]
async fn a_single_word_near_a_command_is_not_sent() {
    let provider = Provider::start([answer("sent")]).await;
    let world = World::with(&provider);
    let mut text = String::new();
    for word in ["doctr", "login", "logout", "upgrade", "sessions", "Models"] {
        for args in [&[word][..], &["--offline", "--model", "m2", word]] {
            let run = world.run(args).await;
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
            assert!(run.stderr.contains(&format!("pi -p -- {word}")), "{args:?}: {}", run.stderr);
            text.push_str(&run.stderr);
        }
    }
    insta::assert_snapshot!(text.lines().step_by(2).collect::<Vec<_>>().join("\n"));
    assert!(provider.requests().is_empty() && world.session_files().is_empty());
    assert_eq!(world.run(&["-p", "--", "doctr"]).await.success(), "sent\n", "the way out works");
    assert_eq!(provider.requests()[0].texts("user"), ["doctr"]);
}

#[tokio::test]
async fn words_that_are_near_nothing_are_prompts() {
    let provider = Provider::start([answer("one"), answer("main"), answer("two")]).await;
    let world = World::with(&provider);
    assert_eq!(world.run(&["hello"]).await.success(), "one\n");
    assert_eq!(world.run(&["main"]).await.success(), "main\n", "it is not `man`");
    assert_eq!(world.run(&["-p", "login"]).await.success(), "two\n", "-p says that it is one");
}

#[tokio::test]
async fn two_hyphens_end_the_options() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    world.write("secret.txt", "not to be sent");
    let run = world.run(&["-p", "--model=m2", "--", "@secret.txt --model", "--version"]).await;
    assert_eq!(run.success(), "two\n");
    let requests = provider.requests();
    assert_eq!(requests[0].texts("user"), ["@secret.txt --model"]);
    assert_eq!(
        (&requests[0].body["model"], requests[1].texts("user").pop().as_deref()),
        (&"m2".into(), Some("--version"))
    );
}

#[tokio::test]
async fn unknown_options_are_named_everywhere() {
    let world = World::at("http://127.0.0.1:9");
    let mut text = String::new();
    for args in [
        &["--modle", "m1", "hi"][..],
        &["--nosession", "--plan", "hi"],
        &["-modle", "hi"],
        &["--offline=yes", "hi"],
        &["--help", "--modle"],
        &["--list-models", "--ofline"],
        &["--list-models", "-z"],
        &["session", "ls", "--jsno"],
        &["doctor", "--onlin"],
        &["install", "--locl", "npm:x"],
        &["models", "--jsn"],
        &["auth", "check", "--jsno"],
        &["models", "m1", "--jsn"],
        &["trust", "--udno"],
        &["version", "--verbos"],
    ] {
        let run = world.run(args).await;
        let stdout = run.stdout.lines().next().unwrap_or_default();
        text.push_str(&format!("$ pi {}\n{stdout}\n{}[{}]\n\n", args.join(" "), run.stderr, run.code.unwrap()));
    }
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn options_may_stand_before_a_command() {
    let world = World::at("http://127.0.0.1:9");
    let listed = world.run(&["--offline", "models", "--json"]).await.success();
    let models: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let gist = |model: &Value| format!("{} {} {}", model["provider"], model["id"], model["default"]);
    assert_eq!(
        models.iter().map(gist).collect::<Vec<_>>(),
        ["\"mock\" \"m1\" true", "\"mock\" \"m2\" false", "\"chat\" \"c1\" false"]
    );
    assert_eq!(world.run(&["--offline", "-na", "list"]).await.success(), "No packages installed.\n");
    assert_eq!(world.run(&["--offline", "--verbose", "session", "ls", "--json"]).await.success(), "");
    let refused = world.run(&["--model", "m1", "list"]).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("Unknown option --model for \"list\""), "{}", refused.stderr);
}

#[tokio::test]
async fn models_are_listed_with_price_and_window() {
    let world = World::at("http://127.0.0.1:9");
    insta::assert_snapshot!(world.run(&["models"]).await.success());
    assert_eq!(world.run(&["models", "chat"]).await.success().lines().count(), 2);
    let none = world.run(&["models", "zzz"]).await;
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), ""));
    assert!(none.stderr.contains("No models matching \"zzz\"; pi models --all"), "{}", none.stderr);
    let all = world.run(&["models", "--all", "--json", "anthropic/claude-sonnet-4-5"]).await.success();
    let model: Value = serde_json::from_str(all.lines().next().unwrap()).unwrap();
    assert!(model["cost"]["input"].as_f64().unwrap() > 0.0 && model["hasKey"] == false, "{model}");
    let fresh = World::empty().run(&["models"]).await;
    assert!(fresh.code == Some(0) && fresh.stdout.contains("pi auth login"), "{fresh:?}");
}

#[tokio::test]
async fn help_and_version_are_commands_too() {
    let world = World::empty();
    let same = async |a: &[&str], b: &[&str]| assert_eq!(world.run(a).await.success(), world.run(b).await.success());
    same(&["help"], &["--help"]).await;
    same(&["version"], &["--version"]).await;
    let help = world.run(&["help", "session", "search"]).await.success();
    assert!(help.contains("--all") && help.contains("pi session search"), "{help}");
    let wrong = world.run(&["help", "instal"]).await;
    assert_eq!(
        (wrong.code, wrong.stderr.as_str()),
        (Some(2), "Error: pi has no command \"instal\"; did you mean install?\n")
    );
}

#[tokio::test]
async fn a_project_is_trusted_and_no_longer() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    world.write(".pi/SYSTEM.md", "You are of the project.");
    let trusted = world.run(&["trust"]).await.success();
    insta::assert_snapshot!(trusted, @r"
    Trusted: ROOT/project
    These count from now on: .pi/SYSTEM.md
    To take it back: pi trust --undo
    ");
    world.run(&["-p", "hi"]).await.success();
    assert!(provider.requests()[0].system().contains("of the project"));
    let undone = world.run(&["trust", "--undo"]).await.success();
    assert_eq!(undone, "Forgotten: the decision about ROOT/project\nIt is not trusted.\n");
    world.run(&["-p", "hi"]).await;
    assert!(!provider.requests()[1].system().contains("of the project"));
    let again = world.run(&["trust", "--undo"]).await.success();
    assert_eq!(again, "There was no decision about ROOT/project\nIt is not trusted.\n");
    let inner = world.cwd().join("inner");
    fs::create_dir(&inner).unwrap();
    world.run(&["trust"]).await.success();
    let above = world.pi(&["trust", "--undo"]).dir(&inner).run().await.success();
    assert!(above.contains("It is still trusted, as ROOT/project says in trust.json"), "{above}");
    fs::write(world.agent_dir().join("trust.json"), "[broken").unwrap();
    for args in [&["trust"][..], &["trust", "--undo"]] {
        let run = world.run(args).await;
        assert!(run.code == Some(1) && run.stderr.contains("trust.json is not valid"), "{run:?}");
    }
    assert_eq!(fs::read_to_string(world.agent_dir().join("trust.json")).unwrap(), "[broken", "left alone");
}
