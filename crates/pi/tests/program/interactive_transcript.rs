//! The whole session on the alternate screen, in a real pseudo-terminal.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open, tool_call};
use rustix::process::Signal;
use serde_json::json;

use crate::screen::Screen;

/// Alt+T, as Kitty's protocol sends it.
const OPEN: &str = "\x1b[116;3u";

/// A session with three prompts, a command with long output, and a long answer.
async fn session(world: &World) -> Screen {
    let mut screen = Screen::start(world, "");
    screen.see("ctrl+o").await;
    for (prompt, last) in
        [("first question", "first answer"), ("second question", "last line"), ("third question", "third answer")]
    {
        screen.type_in(&format!("{prompt}\r")).await;
        screen.see(last).await;
    }
    screen
}

fn replies() -> Vec<Reply> {
    let long: String = (1..=60).map(|line| format!("line {line} of the answer\n\n")).collect();
    vec![
        tool_call("t1", "bash", &json!({"command": "seq 1 40"})),
        answer("first answer"),
        answer(&format!("{long}last line")),
        answer("third answer"),
    ]
}

#[tokio::test]
async fn the_session_is_scrolled_folded_searched_and_left_as_it_was() {
    let provider = Provider::start(replies()).await;
    let world = World::with(&provider);
    let mut screen = session(&world).await;
    screen.until(|terminal| !terminal.screen().contains("Working")).await;
    let before = screen.terminal.screen();
    screen.type_in(OPEN).await;
    // It begins at the end, with the last block selected.
    screen.see("block 7 of 7").await;
    screen.see("▼ Answer").await;
    assert!(screen.terminal.screen().contains("third answer"), "{}", screen.terminal);
    screen.type_in("g").await;
    screen.see("block 1 of 7").await;
    screen.see("first question").await;
    screen.type_in("]").await;
    screen.see("block 4 of 7").await;
    screen.see("second question").await;
    // A call shows more on request, and a folded block its first line.
    screen.type_in("g\t").await;
    screen.see("▼ Tool: bash").await;
    screen.type_in("\r").await;
    screen.until(|terminal| terminal.rows().iter().any(|row| row.trim() == "7")).await;
    screen.type_in("\x1b[D").await;
    screen.see("▶ Tool: bash  seq 1 40").await;
    screen.type_in("a").await;
    screen.see("▼ Tool: bash").await;
    screen.type_in("/Line 3\r").await;
    screen.see("not found").await;
    screen.type_in("/line 3\r").await;
    screen.see("\"line 3\": 1 of 1 blocks").await;
    screen.see("line 3 of the answer").await;
    screen.type_in("//LINE [3]$/\r").await;
    screen.see("not found").await;
    screen.type_in("//line [3]\\s/\r").await;
    screen.see("1 of 1 blocks").await;
    screen.type_in("//line (/\r").await;
    screen.see("/line (/ is no regular expression: unclosed group").await;
    screen.type_in("/ question\r").await;
    screen.see("3 of 3 blocks").await;
    screen.type_in("n").await;
    screen.see("1 of 3 blocks").await;
    screen.see("block 1 of 7").await;
    screen.type_in("q").await;
    screen.see("third answer").await;
    screen.until(|terminal| terminal.screen() == before).await;
    screen.type_in("\x04").await;
    let (rows, _) = screen.ended().await;
    let shown = rows.join("\n");
    assert_eq!(shown.matches("first question").count(), 1, "{shown}");
    assert_eq!(shown.matches("line 30 of the answer").count(), 1, "{shown}");
}

#[tokio::test]
async fn the_conversation_goes_on_beneath() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&(delta(" and over") + &end())).end();
    let provider = Provider::start([answer("first answer"), hanging]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("/transcript\r").await;
    screen.see("There is nothing in this session yet").await;
    screen.type_in("first question\r").await;
    screen.see("first answer").await;
    screen.type_in("second question\r").await;
    screen.see("begun").await;
    screen.type_in(OPEN).await;
    screen.see("block 3 of 3").await;
    gate.open();
    screen.see("block 4 of 4").await;
    screen.see("begun and over").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("block 4 of 4")).await;
    screen.see("begun and over").await;
    screen.type_in("\x04").await;
    let (rows, _) = screen.ended().await;
    assert_eq!(rows.iter().filter(|row| row.contains("begun and over")).count(), 1, "{rows:#?}");
}

#[tokio::test]
async fn a_block_is_looked_at_in_the_editor_and_the_terminal_is_put_back() {
    let provider = Provider::start([answer("*first* answer")]).await;
    let world = World::with(&provider);
    let editor = world.root().join("editor");
    let seen = world.root().join("seen");
    fs::write(&editor, format!("#!/bin/sh\ncp \"$1\" {}\n", seen.display())).unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let mut screen = Screen::start_with(&world, "", &[("VISUAL", editor.to_str().unwrap())]);
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("first answer").await;
    screen.type_in(OPEN).await;
    screen.see("block 2 of 2").await;
    screen.type_in("e").await;
    pi_test_kit::wait_until("the editor has run", || {
        fs::read_to_string(&seen).is_ok_and(|text| text == "*first* answer")
    })
    .await;
    screen.see("block 2 of 2").await;
    // A signal in the middle of it: the main screen, without modes of ours.
    screen.kill(Signal::TERM);
    let (rows, terminal) = screen.ended().await;
    assert!(rows.iter().any(|row| row.contains("first answer")), "{rows:#?}");
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
}

#[tokio::test]
async fn what_was_summarised_is_there_too() {
    let long = "first answer, which goes on and on ".repeat(100);
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("third"))).wait(&gate).then(&(delta(" answer") + &end())).end();
    let replies =
        [answer(&long), answer("second answer"), answer("the summary"), answer("the summary of a turn"), hanging];
    let provider = Provider::start(replies).await;
    let world = World::with(&provider);
    world.write_config(
        "settings.json",
        &json!({"defaultProvider": "mock", "defaultModel": "m1", "compaction": {"keepRecentTokens": 1}}),
    );
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("first question\r").await;
    screen.see("goes on and on").await;
    screen.type_in("second question\r").await;
    screen.see("second answer").await;
    screen.type_in("/compact\r").await;
    screen.see("[compaction]").await;
    screen.type_in("third question\r").await;
    screen.see("third").await;
    screen.type_in(OPEN).await;
    screen.see("block 6 of 6").await;
    screen.see("Summary of earlier messages").await;
    screen.type_in("g").await;
    screen.see("first question").await;
    screen.type_in("\th").await;
    screen.see("▶ Answer").await;
    screen.type_in("/third\r").await;
    screen.see("\"third\": 1 of 1 blocks").await;
    // What ends meanwhile is found too, and what was folded stays so.
    gate.open();
    screen.see("\"third\": 1 of 2 blocks").await;
    screen.type_in("g").await;
    screen.see("block 1 of 7").await;
    screen.see("▷ Answer  first answer").await;
    screen.type_in("q").await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}

#[tokio::test]
async fn the_smallest_window_shows_something() {
    let provider = Provider::start([answer("first answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::in_window(&world, "", (8, 3), |pi| pi);
    screen.until(|terminal| !terminal.screen().trim().is_empty()).await;
    screen.type_in("question\r").await;
    pi_test_kit::wait_until("the answer is stored", || provider.requests().len() == 1).await;
    screen.type_in(OPEN).await;
    screen.see("Transcr").await;
    for key in ["g", "]", "\t", "/x\r", "n", "\x1b[6~", "\x1b[5~", "a", "\r"] {
        screen.type_in(key).await;
    }
    screen.see("Transcr").await;
    screen.type_in("q").await;
    screen.until(|terminal| !terminal.screen().contains("Transcr")).await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}

/// Bytes of memory that a process has.
#[cfg(target_os = "linux")]
fn memory(pid: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[tokio::test]
async fn what_it_took_goes_back_to_the_system() {
    const COUNT: usize = 20_000;
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let file = crate::interactive_fullscreen::session_file(&world, COUNT);
    // Only the end is in the context: the rest is read for the view.
    let last = COUNT - 1;
    let compaction = json!({"type": "compaction", "id": "c1", "parentId": format!("a{last}"), "summary": "much was said",
        "timestamp": "2026-01-01T00:00:00.000Z", "firstKeptEntryId": format!("q{last}"), "tokensBefore": 1000});
    fs::write(&file, fs::read_to_string(&file).unwrap() + &compaction.to_string() + "\n").unwrap();
    let mut screen = Screen::start(&world, &format!("--session {file}"));
    screen.see(&format!("answer {last}.")).await;
    let before = memory(screen.pid());
    screen.type_in(OPEN).await;
    screen.see(&format!("of {}", 2 * COUNT + 1)).await;
    let grown = memory(screen.pid()) - before;
    assert!(grown > 16 << 20, "the view takes {grown} bytes");
    screen.type_in("q").await;
    screen.until(|terminal| !terminal.screen().contains("Transcript")).await;
    let pid = screen.pid();
    pi_test_kit::wait_until("the memory goes back", || memory(pid) < before + grown / 4).await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}
