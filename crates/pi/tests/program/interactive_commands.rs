//! Commands of the interactive mode whose effect lasts beyond the screen.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use pi_test_kit::{Provider, World, answer, is_running, wait_until};
use serde_json::{Value, json};

use crate::screen::Screen;

#[tokio::test]
async fn an_imported_session_goes_on_in_a_copy() {
    let provider = Provider::start([answer("first answer"), answer("second answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("first question\r").await;
    screen.see("first answer").await;
    screen.type_in("/export kept.jsonl\r").await;
    screen.see("Session exported").await;
    let original = fs::read(world.cwd().join("kept.jsonl")).unwrap();
    screen.type_in("/import kept.jsonl\r").await;
    screen.see("Leave this session").await;
    screen.type_in("\r").await;
    screen.see("The session goes on").await;
    screen.type_in("second question\r").await;
    screen.see("second answer").await;
    screen.type_in("\x04").await;
    screen.ended().await;
    assert_eq!(fs::read(world.cwd().join("kept.jsonl")).unwrap(), original);
    let files = world.session_files();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!((names.len(), names.iter().any(|name| name == "kept.jsonl")), (2, true), "{names:?}");
}

#[tokio::test]
async fn escape_ends_an_upload() {
    let provider = Provider::start([answer("an answer")]).await;
    let world = World::with(&provider);
    let (bin, pid) = (world.root().join("bin"), world.root().join("gh-pid"));
    fs::create_dir_all(&bin).unwrap();
    let script = format!("#!/bin/sh\n[ \"$1\" = auth ] && exit 0\necho $$ > {}\nexec sleep 600\n", pid.display());
    fs::write(bin.join("gh"), script).unwrap();
    fs::set_permissions(bin.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut screen = Screen::start_with(&world, "", &[("PATH", &path)]);
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("an answer").await;
    screen.type_in("/share\r").await;
    wait_until("gh uploads", || fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'))).await;
    screen.type_in("\x1b").await;
    screen.see("Sharing was cancelled").await;
    wait_until("gh is gone", || !is_running(&pid)).await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_quiet_start_still_says_what_is_wrong() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "quietStartup": true});
    world.write_config("settings.json", &settings);
    let skill = world.agent_dir().join("skills/broken");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: broken\n---\nText").unwrap();
    fs::create_dir_all(world.agent_dir().join("themes")).unwrap();
    fs::write(world.agent_dir().join("themes/half.json"), r#"{"name": "half", "colors": {}}"#).unwrap();
    let mut screen = Screen::start(&world, "");
    screen.until(|terminal| terminal.screen().contains("SKILL.md") && terminal.screen().contains("half.json")).await;
    assert!(!screen.terminal.screen().contains("ctrl+o"), "{}", screen.terminal);
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_theme_is_named_or_tried_and_unknown_ones_keep_the_one_in_force() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let stored = || -> Value {
        serde_json::from_str(&fs::read_to_string(world.agent_dir().join("settings.json")).unwrap()).unwrap()
    };
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("/theme light\r").await;
    screen.see("Theme: light").await;
    assert_eq!(stored()["theme"], "light");
    screen.type_in("/theme lihgt\r").await;
    screen.see("There is no theme \"lihgt\"").await;
    assert_eq!(stored()["theme"], "light");
    screen.type_in("/theme\r").await;
    screen.see("→ light").await;
    screen.type_in("\x1b[A").await;
    screen.see("→ dark").await;
    // What was only tried is not stored.
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("→ dark")).await;
    assert_eq!(stored()["theme"], "light");
    screen.type_in("/theme automatic\r").await;
    screen.see("Theme: light/dark").await;
    assert_eq!(stored()["theme"], "light/dark");
    screen.type_in("\x04").await;
    screen.ended().await;
}

/// As at a start: what is wrong with the files is said where it can still be read, and only once where it was mended.
#[tokio::test]
async fn a_reload_says_what_is_wrong_with_the_files_it_read() {
    let provider = Provider::start([answer("an answer")]).await;
    let world = World::with(&provider);
    let write = |name: &str, text: &str| fs::write(world.agent_dir().join(name), text).unwrap();
    let settings = fs::read_to_string(world.agent_dir().join("settings.json")).unwrap();
    let models = fs::read_to_string(world.agent_dir().join("models.json")).unwrap();
    fs::create_dir_all(world.agent_dir().join("extensions")).unwrap();
    let mut screen = Screen::in_window(&world, "", (120, 60), |pi| pi);
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("an answer").await;
    write("settings.json", "{oops");
    write("keybindings.json", r#"{"no.action": "ctrl+x"}"#);
    write("models.json", "{oops");
    write("extensions/torn.ts", "export default function (pi) {");
    write("extensions/whole.ts", "export default function (pi) {}");
    screen.type_in("/reload\r").await;
    screen.see("were read again").await;
    let text = screen.terminal.screen().replace('\n', " ");
    let expected = [
        "\"no.action\" is no action",
        "settings.json is not valid",
        "Failed to parse models.json",
        "torn.ts cannot be",
    ];
    for expected in expected {
        assert!(text.contains(expected), "{expected}\n{}", screen.terminal);
    }
    // The program's name stands above the conversation as at the start, and below it what was loaded.
    let text = screen.terminal.screen();
    let rows: Vec<&str> = text.lines().collect();
    let at = |text: &str| rows.iter().position(|row| row.contains(text)).unwrap_or(usize::MAX);
    let list = at("[Extensions]");
    assert!(at("escape interrupt") < at("question") && at("an answer") < list && list < rows.len(), "{text}");
    assert_eq!((rows[list - 1].trim(), rows[list + 1].trim()), ("", "whole.ts"), "{text}");
    write("settings.json", &settings);
    write("keybindings.json", "{}");
    write("models.json", &models);
    fs::remove_file(world.agent_dir().join("extensions/torn.ts")).unwrap();
    screen.type_in("/reload\r").await;
    screen
        .until(|terminal| terminal.screen().contains("read again") && !terminal.screen().contains("is no action"))
        .await;
    assert!(!screen.terminal.screen().contains("Warning"), "{}", screen.terminal);
    screen.type_in("/new\r").await;
    screen.see("New session").await;
    assert!(screen.terminal.screen().contains("escape interrupt"), "{}", screen.terminal);
    screen.type_in("\x04").await;
    screen.ended().await;
}
