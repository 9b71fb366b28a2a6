//! The interactive mode on a real pseudo-terminal, read through an emulator: what a person sees, and what is left of it when
//! the program ends or is killed.

use std::fs;
use std::path::PathBuf;

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open, tool_call, wait_until};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::screen::Screen;

fn count(rows: &[String], text: &str) -> usize {
    rows.iter().filter(|row| row.contains(text)).count()
}

#[tokio::test]
async fn a_conversation_stays_readable_and_the_terminal_is_as_before() {
    let long: Vec<String> = (0..60).map(|number| format!("row {number:02} of the answer\n\n")).collect();
    let provider = Provider::start([answer(&long.concat()), answer("second answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("first question\r").await;
    screen.see("row 59 of the answer").await;
    screen.type_in("second question\r").await;
    screen.see("second answer").await;
    screen.type_in("\x04").await;
    let (rows, terminal) = screen.ended().await;
    for text in ["first question", "row 00 of", "row 31 of", "row 59 of", "second question", "second answer"] {
        assert_eq!(count(&rows, text), 1, "{text}\n{}", rows.join("\n"));
    }
    assert_eq!(count(&rows, "To resume this session: pi --session "), 1);
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
    assert_eq!(provider.requests()[1].texts("user"), ["first question", "second question"]);
}

#[tokio::test]
async fn what_was_typed_survives_the_death_of_the_program() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("half a sentence").await;
    screen.see("half a sentence").await;
    let is_kept = || {
        let drafts =
            walk(&world.agent_dir()).into_iter().filter(|path| path.extension().is_some_and(|end| end == "draft"));
        drafts.into_iter().any(|path| fs::read_to_string(path).is_ok_and(|text| text.contains("half a sentence")))
    };
    wait_until("the draft is written", is_kept).await;
    screen.kill(Signal::KILL);
    drop(screen.ended().await);
    let mut screen = Screen::start(&world, "");
    screen.see("half a sentence").await;
    // It is in the editor: it can be taken away, and is gone then.
    screen.type_in("\x03").await;
    screen.until(|terminal| terminal.rows().iter().all(|row| row.trim() != "half a sentence")).await;
    wait_until("the draft is gone", || !is_kept()).await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn what_was_typed_goes_along_to_another_session() {
    let provider = Provider::start([answer("first answer")]).await;
    let world = World::with(&provider);
    world.write_config("keybindings.json", &json!({"app.session.new": "ctrl+x"}));
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("first answer").await;
    screen.type_in("half a sentence").await;
    let drafts = || -> Vec<String> {
        let files = walk(&world.agent_dir()).into_iter();
        let drafts = files.filter(|path| path.extension().is_some_and(|end| end == "draft"));
        drafts.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    let is_unsaved = |name: &String| name.starts_with("unsaved-");
    wait_until("it is kept beside the session", || drafts().len() == 1 && !drafts().iter().any(is_unsaved)).await;
    screen.type_in("\x18").await;
    screen.see("New session").await;
    screen.see("half a sentence").await;
    wait_until("it is kept for the new one", || drafts().len() == 1 && drafts().iter().all(is_unsaved)).await;
    screen.type_in("\x03").await;
    wait_until("it is gone", || drafts().is_empty()).await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn escape_aborts_and_gives_queued_messages_back() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&end()).end();
    let provider = Provider::start([hanging, answer("done")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("go\r").await;
    screen.see("begun").await;
    screen.type_in("queued message\r").await;
    screen.see("Steering: queued message").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| terminal.screen().contains("aborted") && !terminal.screen().contains("Steering:")).await;
    screen.type_in("\r").await;
    screen.see("done").await;
    assert_eq!(provider.requests()[1].texts("user"), ["go", "queued message"]);
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_signal_ends_it_with_the_terminal_restored() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.kill(Signal::TERM);
    let (_, terminal) = screen.ended().await;
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
}

/// Themes are tried one after the other: only the file of the one in force is watched.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn themes_that_were_tried_are_not_watched_any_more() {
    let tokens = pi_coding_agent::theme::Token::ALL.iter();
    let colours: serde_json::Map<String, Value> = tokens.map(|token| (token.name().to_owned(), json!(""))).collect();
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let themes = world.agent_dir().join("themes");
    fs::create_dir(&themes).unwrap();
    for name in ["tried-a", "tried-b"] {
        fs::write(themes.join(format!("{name}.json")), json!({"name": name, "colors": colours}).to_string()).unwrap();
    }
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    let before = screen.watches();
    screen.type_in("/settings\r").await;
    screen.see("Type to search").await;
    screen.type_in("theme\r").await;
    screen.see("→ Automatic").await;
    for _ in 0..4 {
        screen.type_in("\x1b[A").await;
        screen.see("→ tried-b").await;
        screen.type_in("\x1b[A").await;
        screen.see("→ tried-a").await;
        screen.type_in("\x1b[B\x1b[B").await;
        screen.see("→ Automatic").await;
    }
    screen.type_in("\x1b[A").await;
    screen.see("→ tried-b").await;
    wait_until("one theme is watched", || screen.watches() == before + 1).await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}

/// The shell's prompt takes the editor's place; nothing of the editor stays above it.
#[tokio::test]
async fn suspending_leaves_no_editor_behind() {
    let provider = Provider::start([answer("an answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::run(&world, "exec bash --norc --noprofile -i", &[("PS1", "shell> ")], 24);
    screen.see("shell>").await;
    screen.type_in("\"$PI\"\r").await;
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("an answer").await;
    for _ in 0..3 {
        screen.type_in("half typed").await;
        screen.see("half typed").await;
        screen.type_in("\x1a").await;
        screen.until(|terminal| terminal.rows().iter().any(|row| row.trim() == "shell>")).await;
        screen.type_in("fg\r").await;
        screen.see("half typed").await;
        // Ctrl+C twice within half a second would end the program.
        screen.type_in("\x15").await;
        screen.until(|terminal| !terminal.screen().contains("half typed")).await;
    }
    screen.type_in("\x04").await;
    screen.see("To resume this session").await;
    screen.type_in("exit\r").await;
    let (rows, _) = screen.ended().await;
    let shown = rows.join("\n");
    let is_rule = |row: &&String| row.chars().count() > 70 && row.chars().all(|char| char == '─');
    assert_eq!(rows.iter().filter(is_rule).count(), 2, "{shown}");
    assert_eq!((count(&rows, "half typed"), count(&rows, "an answer"), count(&rows, "Stopped")), (0, 1, 3), "{shown}");
}

#[tokio::test]
async fn images_follow_their_setting_at_once() {
    let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, pixel).unwrap();
    let provider = Provider::start([tool_call("t1", "read", &json!({"path": "a.png"})), answer("looked at")]).await;
    let world = World::with(&provider);
    fs::write(world.cwd().join("a.png"), bytes).unwrap();
    // High enough that nothing of the conversation leaves it.
    let mut screen = Screen::run(&world, "exec \"$PI\"", &[("KITTY_WINDOW_ID", "1"), ("TERM", "xterm-kitty")], 100);
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("looked at").await;
    screen.until_written("\x1b_Ga=T").await;
    screen.type_in("/settings\r").await;
    screen.see("Type to search").await;
    screen.written.clear();
    // A blank would change the first match.
    screen.type_in("showimages\r").await;
    screen.until_written("\x1b_Ga=d").await;
    screen.type_in("\r").await;
    screen.until_written("\x1b_Ga=T").await;
    screen.type_in("\x1b").await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}

fn walk(dir: &std::path::Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            found.extend(walk(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}
