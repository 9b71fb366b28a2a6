//! The conversation on the alternate screen, in a real pseudo-terminal.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open};
use pi_tui::testing::Terminal;
use rustix::process::Signal;
use serde_json::json;

use crate::screen::{SIZE, Screen};

const PAGE_UP: &str = "\x1b[5~";
const PAGE_DOWN: &str = "\x1b[6~";
const CTRL_HOME: &str = "\x1b[1;5H";
const END: &str = "\x1b[F";

/// A long answer, and one that comes in two parts.
fn long(name: &str) -> String {
    (1..=40).map(|line| format!("{name} line {line}\n\n")).collect()
}

fn fullscreen(world: &World, more: &serde_json::Value) {
    let mut settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "tuiMode": "fullscreen"});
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    world.write_config("settings.json", &settings);
}

fn is_alternate(terminal: &Terminal) -> bool {
    terminal.modes().contains(&"alternate screen")
}

/// What the last rows are, whatever is above them.
fn is_prompt_below(terminal: &Terminal) -> bool {
    let rows = terminal.rows();
    rows[rows.len() - 3].starts_with('─') && rows[rows.len() - 5].starts_with('─')
}

#[tokio::test]
async fn the_conversation_scrolls_above_the_prompt_and_leaves_no_trace() {
    let gate = Gate::new();
    let second =
        Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&(delta(&long("\n\nsecond")) + &end())).end();
    let provider = Provider::start([answer(&long("first")), second]).await;
    let world = World::with(&provider);
    fullscreen(&world, &json!({}));
    let mut screen = Screen::run(&world, "echo before; exec \"$PI\"", &[], SIZE.1);
    screen.see("ctrl+o").await;
    assert!(is_alternate(&screen.terminal) && is_prompt_below(&screen.terminal), "{}", screen.terminal);
    screen.type_in("question\r").await;
    screen.see("first line 40").await;
    assert!(is_prompt_below(&screen.terminal), "{}", screen.terminal);
    screen.type_in("more\r").await;
    screen.see("begun").await;
    screen.type_in(PAGE_UP).await;
    screen.see("rows below · end").await;
    screen.see("first line 34").await;
    let top = screen.terminal.rows()[0].clone();
    // What comes moves nothing of what is read, and is counted.
    gate.open();
    screen.until(|terminal| !terminal.screen().contains("Working")).await;
    assert_eq!(screen.terminal.rows()[0], top, "{}", screen.terminal);
    assert!(screen.terminal.screen().contains("rows below"), "{}", screen.terminal);
    screen.type_in(CTRL_HOME).await;
    screen.see("pi v").await;
    screen.type_in(PAGE_DOWN).await;
    screen.until(|terminal| !terminal.screen().contains("pi v")).await;
    screen.type_in(END).await;
    screen.see("second line 40").await;
    assert!(!screen.terminal.screen().contains("rows below"), "{}", screen.terminal);
    screen.type_in("\x04").await;
    let (rows, terminal) = screen.ended().await;
    let shown = rows.join("\n");
    assert!(shown.contains("before") && !shown.contains("line 40"), "{shown}");
    assert!(terminal.modes().is_empty(), "{:?}", terminal.modes());
}

const MOUSE: &str = "mouse";
/// Alt+T, as Kitty's protocol sends it.
const TRANSCRIPT: &str = "\x1b[116;3u";

/// A report of the mouse at a cell of the window.
fn mouse(code: u8, (row, column): (usize, usize), ending: char) -> String {
    format!("\x1b[<{code};{};{}{ending}", column + 1, row + 1)
}

/// Where a text is on the screen.
fn find(terminal: &Terminal, text: &str) -> (usize, usize) {
    let rows = terminal.rows();
    let row = rows.iter().position(|row| row.contains(text)).unwrap_or_else(|| panic!("no {text}:\n{terminal}"));
    (row, rows[row][..rows[row].find(text).unwrap()].chars().count())
}

#[tokio::test]
async fn the_terminal_comes_back_however_it_is_left() {
    let provider = Provider::start([answer("an answer")]).await;
    let world = World::with(&provider);
    let editor = world.root().join("editor");
    fs::write(&editor, "#!/bin/sh\necho from the editor > \"$1\"\n").unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    fullscreen(&world, &json!({"tuiMouse": true}));
    let variables = [("PS1", "shell> "), ("VISUAL", editor.to_str().unwrap())];
    let mut screen = Screen::run(&world, "exec bash --norc --noprofile -i", &variables, SIZE.1);
    screen.see("shell>").await;
    screen.type_in("\"$PI\"\r").await;
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("an answer").await;
    for view in ["", TRANSCRIPT] {
        screen.type_in(view).await;
        screen.until(|terminal| view.is_empty() || terminal.screen().contains("block 2 of 2")).await;
        screen.type_in("\x1a").await;
        screen.until(|terminal| terminal.rows().iter().any(|row| row.trim() == "shell>")).await;
        assert!(!is_alternate(&screen.terminal) && !screen.terminal.modes().contains(&MOUSE), "{}", screen.terminal);
        assert!(!screen.terminal.screen().contains("an answer"), "{}", screen.terminal);
        screen.type_in("fg\r").await;
        screen.see("an answer").await;
        assert!(is_alternate(&screen.terminal) && screen.terminal.modes().contains(&MOUSE), "{}", screen.terminal);
    }
    screen.type_in("q").await;
    screen.until(|terminal| !terminal.screen().contains("block 2 of 2")).await;
    screen.type_in("\x07").await;
    screen.see("from the editor").await;
    assert!(is_alternate(&screen.terminal) && screen.terminal.modes().contains(&MOUSE));
    screen.type_in("\x15\x04").await;
    screen.see("To resume this session").await;
    screen.type_in("exec \"$PI\" -c\r").await;
    screen.see("an answer").await;
    screen.kill(Signal::TERM);
    let (rows, terminal) = screen.ended().await;
    assert!(!rows.join("\n").contains("an answer"), "{rows:#?}");
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
}

#[tokio::test]
async fn windows_of_any_size_are_filled() {
    let provider = Provider::start([answer(&long("some"))]).await;
    let world = World::with(&provider);
    fullscreen(&world, &json!({}));
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("some line 40").await;
    screen.until(|terminal| !terminal.screen().contains("Working")).await;
    screen.type_in(PAGE_UP).await;
    screen.see("rows below").await;
    for (columns, rows) in [(120, 40), (30, 10), (8, 3), (2, 1), (80, 24)] {
        screen.resize(columns, rows);
        screen.type_in("x").await;
        let written = if columns > 8 { "x" } else { "" };
        screen.until(|terminal| terminal.screen().contains(written)).await;
        screen.type_in("\x7f").await;
    }
    screen.see("rows below").await;
    screen.until(is_prompt_below).await;
    screen.type_in(END).await;
    screen.see("some line 40").await;
    screen.type_in("\x04").await;
    assert!(screen.ended().await.1.modes().is_empty());
}

#[tokio::test]
async fn the_mouse_scrolls_selects_and_goes_to_the_prompt() {
    let words =
        "The quick brown fox jumps over the lazy dog, again and again, until the line is full and goes on below";
    let provider = Provider::start([answer(&format!("{}{words}\n\nthe last paragraph", long("first")))]).await;
    let world = World::with(&provider);
    fullscreen(&world, &json!({"tuiMouse": true, "tuiWheelStep": 5}));
    let variables = [("SSH_TTY", "/dev/pts/9")];
    let mut screen = Screen::start_with(&world, "", &variables);
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("the last paragraph").await;
    screen.until(|terminal| !terminal.screen().contains("Working")).await;
    assert!(screen.terminal.modes().contains(&MOUSE));
    // Reports that are cut or broken type nothing.
    screen.type_in("\x1b[<0;1").await;
    screen.type_in(";1m\x1b[<;M\x1b[<0;0;0M").await;
    screen.type_in(&mouse(64, (3, 3), 'M')).await;
    screen.see("6 rows below").await;
    screen.type_in(&mouse(65, (3, 3), 'M').repeat(2)).await;
    screen.until(|terminal| !terminal.screen().contains("rows below")).await;
    // From the middle of a word to that of another paragraph.
    let (from, to) = (find(&screen.terminal, "brown"), find(&screen.terminal, "paragraph"));
    screen.type_in(&(mouse(0, from, 'M') + &mouse(32, to, 'M') + &mouse(0, to, 'm'))).await;
    screen.see("The selection was sent to the terminal").await;
    let expected = format!("{}\n\nthe last p", &words[words.find("brown").unwrap()..]);
    assert_eq!(screen.terminal.clipboard().as_deref(), Some(expected.as_str()));
    // A click in the prompt goes there; one in the conversation copies nothing.
    screen.type_in("one three").await;
    screen.see("one three").await;
    let (row, column) = find(&screen.terminal, "one three");
    screen.type_in(&(mouse(0, (row, column + 4), 'M') + &mouse(0, (row, column + 4), 'm') + "two ")).await;
    screen.see("one two three").await;
    screen.type_in(TRANSCRIPT).await;
    screen.see("block 2 of 2").await;
    let before = screen.terminal.screen();
    screen.type_in(&mouse(64, (3, 3), 'M')).await;
    screen.until(|terminal| terminal.screen() != before).await;
    screen.type_in("q").await;
    screen.see("one two three").await;
    screen.kill(Signal::TERM);
    assert!(screen.ended().await.1.modes().is_empty());
}

#[tokio::test]
async fn the_settings_switch_it_while_it_runs() {
    let provider = Provider::start([answer(&long("first")), answer("second answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("first line 40").await;
    for _ in 0..2 {
        screen.type_in("/settings\r").await;
        screen.see("Type to search").await;
        screen.type_in("screen").await;
        screen.see("→ Screen").await;
        let was_alternate = is_alternate(&screen.terminal);
        screen.type_in("\r").await;
        screen.until(|terminal| is_alternate(terminal) != was_alternate).await;
        screen.see("→ Screen").await;
        screen.type_in("\x1b").await;
        screen.until(|terminal| !terminal.screen().contains("Type to search")).await;
        screen.see("first line 40").await;
    }
    screen.type_in("more\r").await;
    screen.see("second answer").await;
    screen.type_in("\x04").await;
    let (rows, terminal) = screen.ended().await;
    let shown = rows.join("\n");
    assert_eq!(shown.matches("second answer").count(), 1, "{shown}");
    assert!(terminal.modes().is_empty());
}
