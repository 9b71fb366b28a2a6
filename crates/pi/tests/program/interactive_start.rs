//! What the interactive mode says when it begins, beside the conversation.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use pi_test_kit::{Provider, Reply, World, answer, wait_until};
use rustix::process::Signal;
use serde_json::json;

use crate::screen::Screen;

#[tokio::test]
async fn a_newer_version_is_told_of_after_the_first_frame() {
    let provider = Provider::start([]).await;
    let releases = Provider::start([Reply::plain(200, r#"{"tag_name": "v999.1.0", "body": "text"}"#)]).await;
    let world = World::with(&provider);
    let url = format!("{}/latest", releases.url());
    let variables = [("PI_SKIP_VERSION_CHECK", ""), ("PI_RELEASES_URL", url.as_str())];
    let mut screen = Screen::start_with(&world, "", &variables);
    screen.see("ctrl+o").await;
    screen.see("pi 999.1.0 is there").await;
    let requests = releases.requests();
    assert_eq!(requests.len(), 1);
    let head = &requests[0].head;
    assert!(head.starts_with("GET /latest ") && head.contains("user-agent: pi/"), "{head}");
    screen.kill(Signal::TERM);
    screen.ended().await;
}

#[tokio::test]
async fn nobody_is_asked_for_versions_where_the_start_is_to_be_quiet() {
    let provider = Provider::start([]).await;
    let releases = Provider::start([]).await;
    let world = World::with(&provider);
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "quietStartup": true});
    world.write_config("settings.json", &settings);
    let url = releases.url();
    let variables = [("PI_SKIP_VERSION_CHECK", ""), ("PI_RELEASES_URL", url.as_str())];
    let mut screen = Screen::start_with(&world, "", &variables);
    screen.see("mock").await;
    // Longer than the pause before the question.
    tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
    assert!(releases.requests().is_empty());
    screen.kill(Signal::TERM);
    screen.ended().await;
}

#[tokio::test]
async fn the_models_of_the_cycle_keys_are_named_where_they_are_not_all() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let settings = |quiet: bool| json!({"defaultProvider": "mock", "defaultModel": "m1", "quietStartup": quiet});
    for (arguments, quiet, expected) in
        [("--models mock/m1:high", false, Some("m1:high")), ("--models mock/m1", true, None), ("", false, None)]
    {
        world.write_config("settings.json", &settings(quiet));
        let mut screen = Screen::start(&world, arguments);
        screen.see("mock").await;
        screen.type_in("typed").await;
        screen.see("typed").await;
        let text = screen.terminal.screen();
        let line = text.lines().find(|line| line.contains("Model scope"));
        assert_eq!(line.is_some(), expected.is_some(), "{text}");
        let names = |expected: &str| line.is_some_and(|line| line.contains(expected) && line.contains("ctrl+p"));
        assert!(expected.is_none_or(names), "{text}");
        screen.kill(Signal::TERM);
        screen.ended().await;
    }
}

/// A `tmux` that answers `answer` when it is asked for its options, and notes that it was.
fn tmux(world: &World, answer: &str) -> String {
    let bin = world.root().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let asked = world.root().join("asked");
    let script = format!("#!/bin/sh\necho \"$*\" >> {}\necho {answer}\n", asked.display());
    fs::write(bin.join("tmux"), script).unwrap();
    fs::set_permissions(bin.join("tmux"), fs::Permissions::from_mode(0o755)).unwrap();
    path_with(&bin)
}

fn path_with(bin: &Path) -> String {
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

#[tokio::test]
async fn tmux_that_keeps_modified_keys_is_told_of() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    for (answer, is_told) in [("off", true), ("on", false), ("always", false)] {
        let path = tmux(&world, answer);
        let mut screen = Screen::start_with(&world, "", &[("TMUX", "/tmp/tmux-0/default,1,0"), ("PATH", &path)]);
        if is_told {
            screen.see("set -s extended-keys on").await;
        } else {
            let asked = || fs::read_to_string(world.root().join("asked")).unwrap_or_default();
            wait_until("tmux is asked", || asked().contains("show-options -sv extended-keys\n")).await;
            screen.see("ctrl+o").await;
            screen.type_in("typed").await;
            screen.see("typed").await;
            assert!(!screen.terminal.screen().contains("extended-keys"), "{answer}\n{}", screen.terminal);
        }
        screen.kill(Signal::TERM);
        screen.ended().await;
        fs::remove_file(world.root().join("asked")).unwrap();
    }
}

#[tokio::test]
async fn what_a_subscription_may_cost_is_said_once() {
    let provider = Provider::start([]).await;
    for (warns, expected) in [(true, true), (false, false)] {
        let world = World::with(&provider);
        let login = json!({"type": "oauth", "refresh": "r", "access": "a", "expires": 99_999_999_999_999_i64});
        world.write_config("auth.json", &json!({"anthropic": login}));
        let settings = json!({"defaultProvider": "anthropic", "defaultModel": "claude-sonnet-4-5",
            "warnings": {"anthropicExtraUsage": warns}});
        world.write_config("settings.json", &settings);
        let mut screen = Screen::start(&world, "");
        screen.see("claude-sonnet-4-5").await;
        screen.see("ctrl+o").await;
        let told = |screen: &Screen| screen.terminal.screen().matches("Claude subscription").count();
        assert_eq!(told(&screen), usize::from(expected), "{}", screen.terminal);
        // Another model, and back.
        screen.type_in("/model mock/m1\r").await;
        screen.see("Model: m1").await;
        screen.type_in("/model anthropic/claude-sonnet-4-5\r").await;
        screen.until(|terminal| terminal.screen().contains("Model: Claude Sonnet 4.5")).await;
        assert_eq!(told(&screen), usize::from(expected), "{}", screen.terminal);
        screen.kill(Signal::TERM);
        screen.ended().await;
    }
}

#[tokio::test]
async fn a_session_that_another_process_has_is_waited_for_in_sight_of_the_user() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    world.run(&["-p", "hi"]).await.success();
    let file = world.session_files().pop().unwrap();
    let mut owner = world.pi(&["--mode", "rpc", "--session", file.to_str().unwrap()]).start();
    owner.send("{\"type\":\"get_state\"}\n").await;
    owner.event("response").await;
    let mut screen = Screen::start(&world, "-c");
    screen.see(&format!("The session is in use by process {}. Waiting a moment", owner.id())).await;
    let (rows, _) = screen.ended().await;
    let shown = rows.concat();
    assert!(shown.contains("is in use by process") && shown.contains("start a new one."), "{rows:#?}");
    owner.end().await;
}

const ASKS: &str = r#"export default (pi) => pi.on("project_trust", async (event, ctx) => {
    const answer = await ctx.ui.select("Is it yours?\nThis directory", ["mine", "of others"]);
    const why = await ctx.ui.input("Why?", "a word");
    const sure = await ctx.ui.confirm("Sure?", "It has settings");
    ctx.ui.notify(`said ${answer} ${why} ${sure}`);
    return { trusted: answer === "of others" && sure ? "no" : "yes", remember: true };
})"#;

#[tokio::test]
async fn an_extension_asks_the_user_whether_a_project_is_trusted() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    fs::create_dir_all(world.agent_dir().join("extensions")).unwrap();
    fs::write(world.agent_dir().join("extensions/asks.ts"), ASKS).unwrap();
    fs::create_dir_all(world.cwd().join(".pi")).unwrap();
    fs::write(world.cwd().join(".pi/settings.json"), "{}").unwrap();
    let mut screen = Screen::start(&world, "");
    screen.see("Is it yours?").await;
    screen.see("This directory").await;
    screen.type_in("\x1b[B\r").await;
    screen.see("Why?").await;
    screen.type_in("because\r").await;
    screen.see("Sure?").await;
    screen.type_in("\r").await;
    screen.see("said of others because true").await;
    screen.see("ctrl+o").await;
    screen.kill(Signal::TERM);
    screen.ended().await;
    let stored = fs::read_to_string(world.agent_dir().join("trust.json")).unwrap();
    assert!(stored.contains("false"), "{stored}");
    // Without a terminal nobody is asked, and nothing waits.
    fs::remove_file(world.agent_dir().join("trust.json")).unwrap();
    let run = world.run(&["-p", "hi"]).await;
    assert!(run.stderr.contains("said undefined undefined false"), "{}", run.stderr);
}
