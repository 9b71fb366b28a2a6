//! What users say and run, as it stands in the conversation.

use std::fs;

use pi_test_kit::{Provider, World, answer, tool_call};
use serde_json::json;

use crate::screen::Screen;

/// The rows with something in them, from the one with `first` on, up to the one with `last`.
fn rows(screen: &Screen, first: &str, last: &str) -> Vec<String> {
    let text = screen.terminal.screen();
    let rows = text.lines().map(|row| row.trim_end().to_owned()).skip_while(|row| !row.contains(first));
    rows.take_while(|row| !row.contains(last)).collect()
}

const TYPED: &str = "# Why\n\nis a*b*c in my_file_x **bold**?\n* star\n+ plus";
const DRAWN: [&str; 5] = [" Why", "", " is a*b*c in my_file_x bold?", " * star", " + plus"];

/// The model is sent what was typed.
#[tokio::test]
async fn what_users_say_is_markdown_that_keeps_lines_and_marks() {
    let provider = Provider::start([answer("the answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in(&format!("\x1b[200~{TYPED}\x1b[201~")).await;
    screen.type_in("\r").await;
    screen.see("the answer").await;
    let said = rows(&screen, "Why", "the answer");
    assert_eq!(said[..5], DRAWN, "{}", screen.terminal);
    screen.type_in("\x04").await;
    screen.ended().await;
    assert_eq!(provider.requests()[0].texts("user").last().map(String::as_str), Some(TYPED));
    let mut screen = Screen::start(&world, "--continue");
    screen.see("the answer").await;
    assert_eq!(rows(&screen, "Why", "the answer")[..5], DRAWN, "{}", screen.terminal);
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_skill_unfolds_as_markdown() {
    let provider = Provider::start([answer("the answer")]).await;
    let world = World::with(&provider);
    let dir = world.agent_dir().join("skills/demo");
    fs::create_dir_all(&dir).unwrap();
    let skill = "---\nname: demo\ndescription: A demo.\n---\n# The body\n\nis **bold**\n";
    fs::write(dir.join("SKILL.md"), skill).unwrap();
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("/skill:demo\r").await;
    screen.see("the answer").await;
    screen.type_in("\x0f").await;
    screen.see("is bold").await;
    let text = screen.terminal.screen();
    assert!(text.contains("The body") && !text.contains("# The body"), "{text}");
    screen.type_in("\x04").await;
    screen.ended().await;
}

/// Calls are judged by their lines, so these show where the texts in them have line ends.
#[tokio::test]
async fn line_ends_in_commands_names_and_calls_are_seen() {
    let call = tool_call("t1", "read", &json!({"path": "no\nsuch"}));
    let provider = Provider::start([call, answer("the answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("!echo one\necho two\r").await;
    screen.until(|terminal| terminal.screen().contains(" two\n") && !terminal.screen().contains("Running")).await;
    let shown = rows(&screen, "$ echo", "────");
    assert_eq!(shown, [" $ echo one", " echo two", " one", " two"], "{}", screen.terminal);
    screen.type_in("/name some\nname\r").await;
    screen.see("• some name").await;
    screen.type_in("question\r").await;
    screen.see("the answer").await;
    assert!(screen.terminal.screen().contains("read no⏎such"), "{}", screen.terminal);
    screen.type_in("\x04").await;
    screen.ended().await;
}
