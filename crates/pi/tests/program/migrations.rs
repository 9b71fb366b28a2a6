//! What older versions left: taken over once, at the first start, and not over what is there.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use pi_test_kit::{Provider, World, answer};

fn old(world: &World) {
    let file = |name: &str, text: &str| {
        let path = world.agent_dir().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    file("oauth.json", r#"{"anthropic": {"refresh": "r", "access": "a", "expires": 1}}"#);
    file(
        "settings.json",
        r#"{"defaultProvider": "mock", "defaultModel": "m1", "apiKeys": {"groq": "k", "anthropic": "x"}}"#,
    );
    file("2026-01-01_s1.jsonl", &format!("{}\n", json!({"type": "session", "id": "s1", "cwd": "/srv/app"})));
    file("notes.jsonl", "no session\n");
    file("tools/rg", "program");
    file("tools/mine.sh", "mine");
    file("commands/greet.md", "GREETING");
    world.write(".pi/commands/local.md", "LOCAL");
}

#[tokio::test]
async fn everything_goes_to_its_place_once() {
    let provider = Provider::start([answer("one"), answer("two")]).await;
    let world = World::with(&provider);
    old(&world);
    let first = world.run(&["-p", "/greet"]).await;
    insta::assert_snapshot!(first.stderr);
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), "one\n"));
    assert_eq!(provider.requests()[0].texts("user"), ["GREETING"]);
    assert_eq!(world.run(&["-p", "again"]).await.success(), "two\n");

    let dir = world.agent_dir();
    let auth: Value = serde_json::from_str(&fs::read_to_string(dir.join("auth.json")).unwrap()).unwrap();
    let expected = json!({"groq": {"type": "api_key", "key": "k"},
        "anthropic": {"type": "oauth", "refresh": "r", "access": "a", "expires": 1}});
    assert_eq!(auth, expected);
    assert_eq!(fs::metadata(dir.join("auth.json")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!fs::read_to_string(dir.join("settings.json")).unwrap().contains("apiKeys"));
    for (path, exists) in [
        ("oauth.json", false),
        ("oauth.json.migrated", true),
        ("sessions/--srv-app--/2026-01-01_s1.jsonl", true),
        ("2026-01-01_s1.jsonl", false),
        ("notes.jsonl", true),
        ("bin/rg", true),
        ("tools/mine.sh", true),
        ("prompts/greet.md", true),
        ("commands", false),
    ] {
        assert_eq!(dir.join(path).exists(), exists, "{path}");
    }
    assert!(world.cwd().join(".pi/commands/local.md").exists(), "the project is not trusted");
}

#[tokio::test]
async fn what_is_there_stays() {
    let provider = Provider::start([answer("one")]).await;
    let world = World::with(&provider);
    old(&world);
    fs::create_dir(world.agent_dir().join("prompts")).unwrap();
    fs::create_dir_all(world.agent_dir().join("bin")).unwrap();
    fs::write(world.agent_dir().join("bin/rg"), "mine").unwrap();
    world.write_config("auth.json", &json!({"xai": {"type": "api_key", "key": "k"}}));
    let run = world.run(&["--approve", "-p", "/local"]).await;
    assert_eq!(run.stdout, "one\n");
    assert_eq!(provider.requests()[0].texts("user"), ["LOCAL"]);
    assert_eq!(run.stderr.lines().count(), 2, "the session and the project's templates: {}", run.stderr);
    assert_eq!(fs::read_to_string(world.agent_dir().join("bin/rg")).unwrap(), "mine");
    assert!(world.agent_dir().join("oauth.json").exists() && world.agent_dir().join("commands").exists());
}
