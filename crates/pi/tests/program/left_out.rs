//! What the user takes for granted and is not there: one warning each, and the run goes on.

use std::fs;

use serde_json::json;

use pi_test_kit::{Provider, World, answer};

#[tokio::test]
async fn paths_that_are_not_there() {
    let provider = Provider::start([answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    world.write("there.md", "Be brief.");
    let args = ["--skill", "no/skill", "--prompt-template", "none.md", "--system-prompt", "prompts/x.md"];
    let more = ["--append-system-prompt", "there.md", "--append-system-prompt", "gone.md", "-p", "hi"];
    let run = world.run(&[&args[..], &more].concat()).await;
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "ok\n"));
    insta::assert_snapshot!(run.stderr, @r"
    Warning: --skill no/skill: there is no such file or directory
    Warning: --prompt-template none.md: there is no such file or directory
    Warning: --system-prompt prompts/x.md: there is no such file, so this text itself is the prompt
    Warning: --append-system-prompt gone.md: there is no such file, so this text itself is the prompt
    ");
    let quiet = ["--system-prompt", "You are kind. See README.md.", "--skill", "there.md", "-p", "hi"];
    assert_eq!(world.run(&quiet).await.success(), "ok\n");
}

#[tokio::test]
async fn attachments_that_the_model_cannot_take() {
    let provider = Provider::start([answer("ok"), answer("ok")]).await;
    let world = World::with(&provider);
    fs::write(world.cwd().join("program"), b"\x7fELF\0\x01\xff").unwrap();
    let binary = world.run(&["-p", "@program", "hi"]).await;
    assert_eq!(binary.stderr.lines().count(), 1, "{}", binary.stderr);
    assert!(binary.stderr.starts_with("Warning: ROOT/project/program is no text"), "{}", binary.stderr);
    let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, pixel).unwrap();
    fs::write(world.cwd().join("a.png"), bytes).unwrap();
    let image = world.run(&["-p", "@a.png", "hi"]).await;
    assert_eq!(image.stderr.lines().count(), 1, "{}", image.stderr);
    assert!(image.stderr.starts_with("Warning: mock/m1 takes no images"), "{}", image.stderr);
}

#[tokio::test]
async fn a_bad_proxy_of_the_settings_is_named_and_leaves_this_machine_alone() {
    let provider = Provider::start([answer("here")]).await;
    let world = World::with(&provider);
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "httpProxy": "socks5://me:pa55@proxy:1",
        "retry": {"enabled": false}});
    world.write_config("settings.json", &settings);
    assert_eq!(world.run(&["-p", "hi"]).await.success(), "here\n");
    let world = World::at("http://models.example");
    world.write_config("settings.json", &settings);
    let run = world.run(&["-p", "hi"]).await;
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("The setting httpProxy names an unsupported proxy protocol, socks5"), "{}", run.stderr);
    assert!(!run.stderr.contains("pa55"), "{}", run.stderr);
}

#[tokio::test]
async fn a_model_that_people_log_in_to_advises_the_login() {
    let world = World::empty();
    for provider in ["github-copilot", "openai-codex"] {
        let models = world.run(&["models", "--all", "--json", &format!("{provider}/gpt")]).await.success();
        let model: serde_json::Value = serde_json::from_str(models.lines().next().unwrap()).unwrap();
        let name = format!("{provider}/{}", model["id"].as_str().unwrap());
        let run = world.run(&["-p", "--model", &name, "hi"]).await;
        assert!(run.stderr.contains(&format!("needs a login: pi auth login {provider}.")), "{}", run.stderr);
    }
}

#[tokio::test]
async fn installing_for_a_project_says_whether_it_counts() {
    let world = World::empty();
    world.write("tools/skills/one/SKILL.md", "---\nname: one\ndescription: One.\n---\nText");
    let run = world.run(&["install", "-l", "./tools"]).await;
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("so the package does not count yet: pi trust"), "{}", run.stderr);
    let refused = world.run(&["remove", "-l", "./tools"]).await;
    let way_out =
        "Project is not trusted. Use --approve to modify local package config.\nTo trust it from now on: pi trust\n";
    assert_eq!((refused.code, refused.stderr.as_str()), (Some(1), way_out));
    world.run(&["trust"]).await.success();
    assert_eq!(world.run(&["install", "-l", "./tools"]).await.stderr, "");
    let mut pi = {
        fs::remove_file(world.agent_dir().join("trust.json")).unwrap();
        world.shell("exec script -qefc '\"$PI\" install -l ./tools' /dev/null").start()
    };
    pi.until_text("[y/N]").await;
    pi.send("y\r").await;
    let shown = pi.rest_of_text().await;
    assert!(shown.contains("It brings 1 skill"), "{shown}");
    assert!(fs::read_to_string(world.agent_dir().join("trust.json")).unwrap().contains("true"));
}
