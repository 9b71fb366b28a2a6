//! `pi doctor` in homes that are new, whole, and broken.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use pi_test_kit::{Finished, Provider, Reply, World};

/// What differs between machines: the disk, and where programs are.
fn steady(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = match line.trim_start().split_once(": ") {
            Some(("ok disk", _)) => "  ok disk: … MB free for sessions".to_owned(),
            Some((subject @ ("ok shell" | "ok git" | "ok ssh" | "-- git" | "-- ssh"), _))
                if !line.contains("shellPath") =>
            {
                format!("  {subject}: …").replace("-- ", "ok ")
            }
            _ => line.to_owned(),
        };
        lines.push(line);
    }
    lines.join("\n")
}

async fn examine(world: &World) -> Finished {
    let run = world.run(&["doctor"]).await;
    assert_eq!(run.stderr, "");
    run
}

#[tokio::test]
async fn a_new_home() {
    let world = World::empty();
    fs::remove_dir(world.agent_dir()).unwrap();
    let run = examine(&world).await;
    assert_eq!(run.code, Some(1));
    insta::assert_snapshot!(steady(&run.stdout));
    assert!(!world.agent_dir().exists(), "nothing was written");
}

#[tokio::test]
async fn everything_in_order() {
    let world = World::at("https://user:pa55word@models.example:8443/v1?key=s3cret");
    world.write_config(
        "auth.json",
        &json!({
            "anthropic": {"type": "oauth", "access": "s3cret", "refresh": "s3cret", "expires": 99_999_999_999_999_i64},
            "groq": {"type": "api_key", "key": "s3cret"},
            "xai": {"type": "api_key", "key": "!echo s3cret > trap"},
            "openai": {"type": "api_key", "key": "$MINE", "env": {"MINE": "s3cret"}},
        }),
    );
    let auth = world.agent_dir().join("auth.json");
    fs::set_permissions(&auth, fs::Permissions::from_mode(0o600)).unwrap();
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "theme": "day/dark",
        "skills": ["shared"], "httpProxy": "http://me:s3cret@proxy.example:3128"}),
    );
    let config = |name: &str, text: &str| {
        let path = world.agent_dir().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    config("shared/SKILL.md", "---\nname: shared\ndescription: d\n---\n");
    config("prompts/fix.md", "Fix it");
    config("AGENTS.md", "Rules");
    config("SYSTEM.md", "You are");
    config("themes/day.json", &day().to_string());
    world.write("CLAUDE.md", "More rules");
    let pi = world.pi(&["doctor"]).env("GROQ_API_KEY", "s3cret").env("OPENROUTER_API_KEY", "s3cret");
    let run = pi.env("no_proxy", "intern.example").run().await;
    insta::assert_snapshot!(steady(&run.stdout));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(!run.stdout.contains("s3cret") && !run.stdout.contains("pa55word"));
    assert!(!world.cwd().join("trap").exists());
}

/// A whole theme.
fn day() -> Value {
    let tokens = pi_coding_agent::theme::Token::ALL.iter();
    let colours: serde_json::Map<String, Value> = tokens.map(|token| (token.name().to_owned(), json!(""))).collect();
    json!({"name": "day", "colors": colours})
}

#[tokio::test]
async fn everything_broken() {
    let world = World::empty();
    let config = |name: &str, text: &str| fs::write(world.agent_dir().join(name), text).unwrap();
    config(
        "settings.json",
        r#"{"defaultProvider": "openai", "defaultModel": "gone", "shellPath": "/no/shell", "theme": "neon",
        "compaction": {"enabled": "yes"}, "enabledModels": ["nothing*"], "packages": ["npm:x"], "skills": ["nowhere", "![z"],
        "extensions": ["mine.ts"]}"#,
    );
    config("mine.ts", "");
    config(
        "auth.json",
        r#"{"groq": {"type": "api_key", "key": ""}, "xai": {"type": "api_key", "key": "$NO_SUCH"},
        "anthropic": {"type": "oauth", "expires": 1}, "openai-codex": {"type": "oauth"}, "mistral": {"type": "new"}}"#,
    );
    fs::set_permissions(world.agent_dir().join("auth.json"), fs::Permissions::from_mode(0o644)).unwrap();
    config("models.json", "{\n  \"providers\": {\n    oops\n");
    config("trust.json", "[]");
    fs::create_dir(world.agent_dir().join("themes")).unwrap();
    config("themes/bad.json", r#"{"name": "bad"}"#);
    fs::write(world.agent_dir().join("sessions"), "").unwrap();
    fs::create_dir(world.cwd().join("AGENTS.md")).unwrap();
    world.write(".pi/SYSTEM.md", "Obey");
    let pi = world.pi(&["doctor"]).env("HTTPS_PROXY", "socks5://me:s3cret@host").env("SSL_CERT_FILE", "/no/file");
    let run = pi.env("NODE_EXTRA_CA_CERTS", "/no/extra").env("SSL_CERT_DIR", "/no/dir").run().await;
    insta::assert_snapshot!(steady(&run.stdout));
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    assert!(!run.stdout.contains("s3cret"));

    for file in ["settings.json", "auth.json"] {
        config(file, "{oops");
    }
    let run = world.run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let attention = |section: &Value| -> Vec<String> {
        let findings = section["findings"].as_array().unwrap().iter();
        findings
            .filter(|finding| finding["level"] == "attention")
            .map(|finding| finding["detail"].to_string())
            .collect()
    };
    let all: Vec<String> = report["sections"].as_array().unwrap().iter().flat_map(attention).collect();
    assert_eq!(Value::from(all.len()), report["attention"]);
    for file in ["auth.json", "settings.json"] {
        let named =
            all.iter().any(|detail| detail.contains(&format!("{file} is not valid")) && detail.contains("line 1"));
        assert!(named, "{file}: {all:#?}");
    }
}

#[tokio::test]
async fn files_that_cannot_be_read() {
    let world = World::empty();
    for name in ["settings.json", "auth.json", "models.json", "trust.json", "SYSTEM.md", "skills/a/SKILL.md"] {
        fs::create_dir_all(world.agent_dir().join(name)).unwrap();
    }
    let run = examine(&world).await;
    assert_eq!(run.code, Some(1));
    for name in ["settings.json", "auth.json", "models.json", "trust.json", "SYSTEM.md"] {
        let named = run.stdout.lines().any(|line| line.contains(name) && line.contains("directory"));
        assert!(named, "{name}: {}", run.stdout);
    }
}

#[tokio::test]
async fn online_asks_the_server_without_a_key() {
    let provider = Provider::start([Reply::plain(404, "no such page")]).await;
    let world = World::with(&provider);
    let run = world.run(&["doctor", "--online"]).await;
    assert!(run.stdout.contains("Online\n  ok 127.0.0.1:PORT: answered with status 404\n"), "{}", run.stdout);
    let request = provider.requests().pop().unwrap();
    assert!(!request.head.to_lowercase().contains("key"), "{}", request.head);
    let world = World::at("http://127.0.0.1:9");
    let run = world.run(&["doctor", "--online"]).await;
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("!! 127.0.0.1:9: Connection error."), "{}", run.stdout);
}
