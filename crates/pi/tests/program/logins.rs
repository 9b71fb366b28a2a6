//! Logins of `auth.json` in the program: used, taken over from other processes, and reported when they have run out.

use std::time::Duration;

use pi_ai::{Clock, SystemClock};
#[cfg(unix)]
use rustix::process::Signal;
use serde_json::{Value, json};

use pi_test_kit::{PATIENCE, Provider, World, answer, fail};

const MODEL: &str = "anthropic/claude-sonnet-4-5";

/// A world whose Claude models are at this provider, with a login that expires then.
fn world(provider: &Provider, access: &str, expires: i64) -> World {
    let world = World::empty();
    let models = json!({"providers": {"anthropic": {"baseUrl": provider.url()}}});
    world.write_config("models.json", &models);
    world.write_config("settings.json", &json!({"retry": {"enabled": false}}));
    world.write_config("auth.json", &login(access, expires));
    world
}

fn login(access: &str, expires: i64) -> Value {
    json!({"anthropic": {"type": "oauth", "refresh": "refresh-secret", "access": access, "expires": expires}})
}

fn in_seconds(seconds: i64) -> i64 {
    SystemClock.now_ms() + seconds * 1000
}

#[tokio::test]
async fn a_login_lets_in_and_makes_models_available() {
    let provider = Provider::start([answer("hello")]).await;
    let world = world(&provider, "sk-ant-oat-first", in_seconds(3600));
    assert_eq!(world.run(&["-p", "--model", MODEL, "hi"]).await.success(), "hello\n");
    let request = provider.requests().pop().unwrap();
    assert!(request.head.to_lowercase().contains("authorization: bearer sk-ant-oat-first"), "{}", request.head);
    assert!(!request.head.to_lowercase().contains("x-api-key"), "{}", request.head);
    let input = r#"{"id":1,"type":"get_available_models"}"#;
    let listed = world.pi(&["--mode", "rpc"]).stdin(input).run().await.success();
    let listed: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    let models = listed["data"]["models"].as_array().unwrap();
    assert!(models.iter().any(|model| model["id"] == "claude-sonnet-4-5"), "{listed}");
}

#[tokio::test]
async fn what_another_process_has_renewed_is_taken_over_between_two_calls() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let expires = SystemClock.now_ms() + 2500;
    let world = world(&provider, "sk-ant-oat-first", expires);
    let mut pi = world.pi(&["--mode", "rpc", "--model", MODEL]).start();
    let prompt = |text: &str| format!("{}\n", json!({"id": text, "type": "prompt", "message": text}));
    pi.send(&prompt("one")).await;
    pi.until(|line| line["type"] == "agent_end").await;
    while SystemClock.now_ms() < expires {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    world.write_config("auth.json", &login("sk-ant-oat-second", in_seconds(3600)));
    pi.send(&prompt("two")).await;
    pi.until(|line| line["type"] == "agent_end").await;
    pi.close_stdin();
    let tokens: Vec<_> = provider
        .requests()
        .iter()
        .map(|request| request.head.contains("sk-ant-oat-second") && !request.head.contains("sk-ant-oat-first"))
        .collect();
    assert_eq!(tokens, [false, true]);
}

#[tokio::test]
async fn a_login_that_cannot_be_renewed_is_reported_in_every_mode() {
    let provider = Provider::start([]).await;
    let world = world(&provider, "sk-ant-oat-first", 1);
    let before = std::fs::read(world.agent_dir().join("auth.json")).unwrap();
    // Nobody is there to reach the provider through.
    let pi = |args: &[&str]| world.pi(&[args, &["--model", MODEL]].concat()).env("HTTPS_PROXY", "http://127.0.0.1:9");
    let text = "Authentication failed for \"anthropic\". Credentials may have expired or network is unavailable. Run \
                '/login anthropic' to re-authenticate.";
    let printed = pi(&["-p", "hi"]).run().await;
    assert!(printed.code == Some(1) && printed.stderr.contains(text), "{printed:?}");
    assert!(printed.stderr.contains("proxy: see HTTPS_PROXY"), "the cause is told: {}", printed.stderr);
    let json = pi(&["--mode", "json", "hi"]).run().await;
    let json: Vec<Value> = json.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut live = pi(&["--mode", "rpc"]).start();
    live.send("{\"id\":1,\"type\":\"prompt\",\"message\":\"hi\"}\n").await;
    let rpc = live.until(|line| line["type"] == "agent_end").await;
    for lines in [&json, &rpc] {
        let mut ends = lines.iter().filter(|line| line["type"] == "message_end");
        let error = ends.next_back().unwrap()["message"]["errorMessage"].as_str().unwrap();
        assert!(error.starts_with(text), "{error}");
    }
    let everything = format!("{printed:?} {json:?} {rpc:?}");
    assert!(!everything.contains("secret") && !everything.contains("sk-ant"), "{everything}");
    assert!(provider.requests().is_empty());
    assert_eq!(std::fs::read(world.agent_dir().join("auth.json")).unwrap(), before);
}

/// The lock of the one that was killed is still there, and taken over at once.
#[cfg(unix)]
#[tokio::test]
async fn a_program_that_is_killed_while_it_renews_a_login_holds_up_nobody() {
    let provider = Provider::start([]).await;
    let world = world(&provider, "sk-ant-oat-first", 1);
    let before = std::fs::read(world.agent_dir().join("auth.json")).unwrap();
    // Takes the connection and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = format!("http://{}", silent.local_addr().unwrap());
    let mut first = world.pi(&["-p", "--model", MODEL, "hi"]).env("HTTPS_PROXY", &proxy).start();
    first.close_stdin();
    let (_renewal, _) = tokio::time::timeout(PATIENCE, silent.accept()).await.expect("it is not renewed").unwrap();
    first.signal(Signal::KILL);
    first.finish_unread().await;
    assert!(world.agent_dir().join("auth.json.lock").exists(), "it held the lock");
    let second = world.pi(&["-p", "--model", MODEL, "hi"]).env("HTTPS_PROXY", "http://127.0.0.1:9").run().await;
    assert!(second.stderr.starts_with("Authentication failed for \"anthropic\"."), "{}", second.stderr);
    assert!(!second.stderr.contains("Waiting for"), "{}", second.stderr);
    assert_eq!(std::fs::read(world.agent_dir().join("auth.json")).unwrap(), before);
}

#[tokio::test]
async fn a_stored_key_that_does_not_resolve_is_told_and_gives_way_to_the_environment() {
    let provider = Provider::start([answer("hello")]).await;
    let world = world(&provider, "unused", 0);
    world.write_config("auth.json", &json!({"anthropic": {"type": "api_key", "key": "$NOT_SET_ANYWHERE"}}));
    let done = world.pi(&["-p", "--model", MODEL, "hi"]).env("ANTHROPIC_API_KEY", "sk-env").run().await;
    let told = "Failed to resolve API key for provider \"anthropic\" from environment variable: NOT_SET_ANYWHERE; \
                ANTHROPIC_API_KEY from the environment is used instead. Correct or remove the entry in auth.json.";
    assert!(done.stderr.contains(told), "{}", done.stderr);
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "hello\n"));
    assert!(provider.requests()[0].head.to_lowercase().contains("x-api-key: sk-env"));
}

#[tokio::test]
async fn a_stored_key_that_does_not_resolve_gives_way_to_models_json() {
    let provider = Provider::start([answer("hello")]).await;
    let world = World::with(&provider);
    world.write_config("auth.json", &json!({"mock": {"type": "api_key", "key": "$NOT_SET_ANYWHERE"}}));
    let done = world.run(&["-p", "hi"]).await;
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "hello\n"));
    let told = "NOT_SET_ANYWHERE; the key in models.json is used instead. Correct or remove the entry in auth.json.";
    assert_eq!(done.stderr.matches(told).count(), 1, "{}", done.stderr);
}

#[tokio::test]
async fn an_unreadable_file_of_keys_is_told_where_a_key_is_missing() {
    let world = World::empty();
    let file = world.agent_dir().join("auth.json");
    std::fs::create_dir_all(world.agent_dir()).unwrap();
    std::fs::write(&file, "{ broken").unwrap();
    let done = world.run(&["-p", "--model", MODEL, "hi"]).await;
    assert_eq!(done.code, Some(1));
    assert!(done.stderr.contains("key must be a string"), "{}", done.stderr);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ broken", "left alone");
}

#[tokio::test]
async fn logins_of_further_providers_let_in_as_their_servers_want_it() {
    let far = 9_007_199_254_740_991_i64;
    for (name, model, path, token) in [
        ("openrouter", "moonshotai/kimi-k3", "/chat/completions", "sk-or-v1-login"),
        ("xai", "grok-4.5", "/responses", "xai-login"),
        ("kimi-coding", "k3", "/chat/completions", "kimi-login"),
        // Over Anthropic's format, where an API key has another header.
        ("kimi-coding", "kimi-for-coding", "/v1/messages", "kimi-login"),
    ] {
        let provider = Provider::start([fail(400, "invalid_request_error", "seen"), answer("key")]).await;
        let world = World::empty();
        world.write_config("models.json", &json!({"providers": {name: {"baseUrl": provider.url()}}}));
        world.write_config("settings.json", &json!({"retry": {"enabled": false}}));
        let login = json!({"type": "oauth", "refresh": "refresh-secret", "access": token, "expires": far});
        world.write_config("auth.json", &json!({name: login}));
        let args = ["-p", "--model", &format!("{name}/{model}"), "hi"];
        assert_eq!(world.run(&args).await.code, Some(1));
        let head = provider.requests()[0].head.to_lowercase();
        assert!(head.starts_with(&format!("post {path} ")), "{head}");
        assert!(head.contains(&format!("authorization: bearer {token}")) && !head.contains("x-api-key"), "{head}");

        let checked = world.run(&["auth", "check", name]).await.success();
        assert!(checked.contains("a login in auth.json") && !checked.contains("until"), "{checked}");
        assert_eq!(world.run(&["auth", "print-bearer-token", name]).await.success(), format!("{token}\n"));
        assert_eq!(world.run(&["auth", "logout", name]).await.code, Some(0));
        let without = world.run(&args).await;
        assert!(without.stderr.contains(&format!("pi auth login {name}")), "{}", without.stderr);
    }
}

#[tokio::test]
async fn a_key_of_kimi_keeps_its_own_header() {
    let provider = Provider::start([answer("hello")]).await;
    let world = World::empty();
    world.write_config("models.json", &json!({"providers": {"kimi-coding": {"baseUrl": provider.url()}}}));
    let pi = world.pi(&["-p", "--model", "kimi-coding/kimi-for-coding", "hi"]).env("KIMI_API_KEY", "sk-kimi-1");
    assert_eq!(pi.run().await.success(), "hello\n");
    let head = provider.requests()[0].head.to_lowercase();
    assert!(head.contains("x-api-key: sk-kimi-1") && !head.contains("authorization:"), "{head}");
}
