//! Options as scripts give them: repeated, empty, naming what cannot be read.

use std::fs;

use serde_json::{Value, json};

use pi_test_kit::{Provider, World, answer};

fn tool_names(body: &Value) -> Vec<&str> {
    body["tools"].as_array().into_iter().flatten().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn tools_are_sent_in_the_order_of_their_option() {
    for (args, names) in [
        (vec![], vec!["read", "bash", "edit", "write"]),
        (vec!["--tools", "write, read,,bash,read"], vec!["write", "read", "bash"]),
        (vec!["--tools", "bash,read", "-xt", "bash"], vec!["read"]),
        (vec!["--tools", "read", "--tools", "bash"], vec!["bash"]),
        (vec!["-xt", "bash", "-xt", "write"], vec!["read", "bash", "edit"]),
        (vec!["--no-tools"], vec![]),
    ] {
        let provider = Provider::start([answer("ok")]).await;
        let world = World::with(&provider);
        assert_eq!(world.run(&[args.as_slice(), &["-p", "hi"]].concat()).await.success(), "ok\n");
        let request = provider.requests().pop().unwrap();
        assert_eq!(tool_names(&request.body), names, "{args:?}");
    }
}

#[tokio::test]
async fn empty_values_and_repeated_options_are_no_errors() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    let args = ["--session", "", "--model", "m1", "--model", "m2", "--mode", "", "-n", "a", "-n", "b", "-p", "x"];
    let again = ["-p", "y"];
    assert_eq!(world.run(&[args.as_slice(), &again].concat()).await.success(), "two\n");
    let requests = provider.requests();
    assert_eq!(requests.iter().map(|request| &request.body["model"]).collect::<Vec<_>>(), ["m2", "m2"]);
    assert!(world.entries().iter().any(|entry| entry["name"] == "b"));
}

#[tokio::test]
async fn instructions_that_cannot_be_read_are_named() {
    let provider = Provider::start([answer("ok")]).await;
    let world = World::with(&provider);
    fs::create_dir(world.cwd().join("AGENTS.md")).unwrap();
    world.write("CLAUDE.md", "Other rules");
    let run = world.run(&["--append-system-prompt", ".", "-p", "hi"]).await;
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "ok\n"));
    insta::assert_snapshot!(world.mask(&run.stderr));
    let request = provider.requests().pop().unwrap();
    assert!(request.body["system"].to_string().contains("Other rules"));
}

#[tokio::test]
async fn the_proxy_of_the_users_settings_counts_where_no_variable_names_one() {
    let provider = Provider::start([answer("through the proxy"), answer("through the other")]).await;
    let world = World::at("http://models.example");
    let settings = |proxy: &str| json!({"defaultProvider": "mock", "defaultModel": "m1", "httpProxy": proxy});
    world.write_config("settings.json", &settings(&provider.url()));
    world.write(".pi/settings.json", &json!({"httpProxy": "http://127.0.0.1:9"}).to_string());
    assert_eq!(world.run(&["--approve", "-p", "hi"]).await.success(), "through the proxy\n");
    assert!(provider.requests()[0].head.starts_with("POST http://models.example/"), "{}", provider.requests()[0].head);
    world.write_config("settings.json", &settings("http://127.0.0.1:9"));
    let run = world.pi(&["--no-approve", "-p", "hi"]).env("http_proxy", &provider.url()).run().await;
    assert_eq!(run.success(), "through the other\n");
}

#[tokio::test]
async fn themes_that_were_asked_for_are_looked_at() {
    let provider = Provider::start([answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    let theme = world.write("mine.json", r#"{"name": "mine", "colors": {"accent": "blue"}}"#);
    let args = ["--theme", "mine.json", "--theme", "none.json", "--no-themes", "-p", "hi"];
    let run = world.run(&args).await;
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "ok\n"));
    let lines: Vec<_> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "Warning: ROOT/project/none.json: Theme path does not exist");
    assert!(
        lines[1].contains("\"colors.accent\": there is no var \"blue\"; \"colors\" lacks bashMode"),
        "{}",
        lines[1]
    );
    fs::create_dir_all(world.agent_dir().join("themes")).unwrap();
    fs::rename(theme, world.agent_dir().join("themes/mine.json")).unwrap();
    assert_eq!(world.run(&["-p", "hi"]).await.success(), "ok\n");
}
