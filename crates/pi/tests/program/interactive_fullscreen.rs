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

/// A session of so many questions with their answers.
pub(crate) fn session_file(world: &World, count: usize) -> String {
    let time = "2026-01-01T00:00:00.000Z";
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s1", "timestamp": time, "cwd": world.cwd()})];
    let mut entry = |id: String, parent: Option<String>, message: serde_json::Value| {
        lines.push(json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message}));
    };
    for number in 0..count {
        let before = number.checked_sub(1).map(|before| format!("a{before}"));
        let question = json!({"role": "user", "content": format!("question {number}."), "timestamp": 1});
        entry(format!("q{number}"), before, question);
        let answer = json!({
            "role": "assistant", "api": "anthropic-messages", "provider": "mock", "model": "m1", "stopReason": "stop",
            "timestamp": 1, "content": [{"type": "text", "text": format!("answer {number}.")}],
            "usage": {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
        });
        entry(format!("a{number}"), Some(format!("q{number}")), answer);
    }
    let file = world.root().join("long.jsonl");
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    file.display().to_string()
}

/// The questions on the screen, top down.
fn questions(terminal: &Terminal) -> Vec<usize> {
    let rows = terminal.rows().into_iter();
    rows.filter_map(|row| row.trim().strip_prefix("question ")?.strip_suffix('.')?.parse().ok()).collect()
}

#[tokio::test]
async fn a_long_session_is_there_up_to_its_beginning() {
    const COUNT: usize = 500;
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    fullscreen(&world, &json!({"quietStartup": true}));
    let file = session_file(&world, COUNT);
    let mut screen = Screen::start(&world, &format!("--session {file}"));
    screen.see(&format!("answer {}.", COUNT - 1)).await;
    let mut seen: Vec<usize> = questions(&screen.terminal).into_iter().rev().collect();
    while seen.last() != Some(&0) {
        let before = screen.terminal.rows()[..15].to_vec();
        screen.type_in(PAGE_UP).await;
        screen.until(|terminal| terminal.rows()[..15] != before).await;
        // What was at the top is there still, so that nothing is passed over.
        let rows = screen.terminal.rows();
        assert!(before[0].is_empty() || rows.contains(&before[0]), "{before:#?}\n{}", screen.terminal);
        assert!(!screen.terminal.screen().contains("are not shown here"), "{}", screen.terminal);
        let last = *seen.last().unwrap();
        seen.extend(questions(&screen.terminal).into_iter().rev().filter(|number| *number < last));
    }
    assert_eq!(seen, (0..COUNT).rev().collect::<Vec<_>>());
    screen.type_in(END).await;
    screen.see(&format!("answer {}.", COUNT - 1)).await;
    screen.type_in("/resume\r").await;
    screen.see("Resume").await;
    screen.kill(Signal::TERM);
    screen.ended().await;
    // At once, too.
    let mut screen = Screen::start(&world, &format!("--session {file}"));
    screen.see(&format!("answer {}.", COUNT - 1)).await;
    screen.type_in(CTRL_HOME).await;
    screen.see("answer 0.").await;
    screen.see("more than 1,000 rows below").await;
    assert_eq!(questions(&screen.terminal).first(), Some(&0));
    // What lies between comes as well.
    let mut seen = questions(&screen.terminal);
    while seen.last() != Some(&(COUNT - 1)) {
        let before = screen.terminal.rows()[..15].to_vec();
        screen.type_in(PAGE_DOWN).await;
        screen.until(|terminal| terminal.rows()[..15] != before).await;
        assert!(!screen.terminal.screen().contains("are not shown here"), "{}", screen.terminal);
        let last = *seen.last().unwrap();
        seen.extend(questions(&screen.terminal).into_iter().filter(|number| *number > last));
    }
    assert_eq!(seen, (0..COUNT).collect::<Vec<_>>());
    // So it does from below, where the beginning is there.
    screen.type_in(CTRL_HOME).await;
    screen.see("answer 0.").await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}

#[tokio::test]
async fn screens() {
    let provider = Provider::start([answer(&long("some"))]).await;
    for (name, size) in [("80x24", SIZE), ("8x3", (8, 3))] {
        let world = World::with(&provider);
        fullscreen(&world, &json!({"quietStartup": true}));
        let file = session_file(&world, 20);
        let mut screen = Screen::in_window(&world, &format!("--session {file}"), size, |pi| pi);
        screen.see(if size == SIZE { "answer 19." } else { "────" }).await;
        screen.type_in("typed").await;
        screen.see("typed").await;
        if size == SIZE {
            // The footer counts beside the loop.
            screen.see("↑20 ↓20").await;
        }
        let end = screen.terminal.screen();
        screen.type_in(PAGE_UP).await;
        screen.until(|terminal| size != SIZE || terminal.screen() != end).await;
        let place = world.cwd().display().to_string();
        let shown = format!("{end}\n\n--- a page up\n{}", screen.terminal);
        insta::with_settings!({filters => vec![(place.as_str(), "[project]")]}, {
            insta::assert_snapshot!(format!("fullscreen_{name}"), shown);
        });
        screen.kill(Signal::TERM);
        screen.ended().await;
    }
}

/// The terminal of a client is another process's.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_shows_the_session_in_full_screen() {
    let provider = Provider::start([answer(&long("shared"))]).await;
    let world = World::with(&provider);
    fullscreen(&world, &json!({"tuiMouse": true}));
    let server = world.pi(&["--mode", "rpc", "--listen"]).start();
    let socket = world.agent_dir().join(format!("run/{}.sock", server.id()));
    pi_test_kit::wait_until("the program listens", || socket.exists()).await;
    let mut screen = Screen::start(&world, "attach");
    screen.see("ctrl+o").await;
    assert!(is_alternate(&screen.terminal), "{}", screen.terminal);
    screen.type_in("question\r").await;
    screen.see("shared line 40").await;
    screen.type_in(&mouse(64, (3, 3), 'M')).await;
    screen.see("rows below").await;
    screen.type_in("/quit\r").await;
    let (rows, terminal) = screen.ended().await;
    assert!(rows.join("").contains("The session goes on"), "{rows:?}");
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
    drop(server);
}

#[tokio::test]
async fn a_block_that_is_folded_is_shown_first() {
    let call = pi_test_kit::tool_call("t1", "bash", &json!({"command": "seq 1 40"}));
    let provider = Provider::start([call, answer(&long("some"))]).await;
    let world = World::with(&provider);
    fullscreen(&world, &json!({}));
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("some line 40").await;
    screen.until(|terminal| !terminal.screen().contains("Working")).await;
    // Alt+O goes to the call, which is far above.
    screen.type_in("\x1b[111;3u").await;
    screen.see("$ seq 1 40").await;
    assert!(!screen.terminal.rows().iter().any(|row| row.trim() == "7"), "{}", screen.terminal);
    screen.type_in("\r").await;
    screen.until(|terminal| terminal.rows().iter().any(|row| row.trim() == "7")).await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("more or less")).await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}

/// Dialogs take the prompt's place, overlays lie over the conversation, wherever it was scrolled to.
#[tokio::test]
async fn extensions_ask_below_the_conversation_and_draw_over_it() {
    let provider = Provider::start([answer(&long("some"))]).await;
    let world = World::with(&provider);
    fullscreen(&world, &json!({"tuiMouse": true}));
    let extension = r#"export default function (pi) {
      pi.registerCommand("ask", { handler: async (_, ctx) => {
        const chosen = await ctx.ui.select("Which one?", ["the first", "the second"]);
        const name = await ctx.ui.input("What name?");
        ctx.ui.notify(`chosen: ${chosen}, ${name}`);
      } });
      pi.registerCommand("over", { handler: async (_, ctx) => {
        const show = (tui, theme, keys, done) => ({
          render: (width) => ["┌" + "─".repeat(width - 2) + "┐", "an overlay of " + width],
          handleInput: (key) => done("key " + key),
          invalidate() {},
        });
        const options = { anchor: "top-right", width: 30 };
        ctx.ui.notify(await ctx.ui.custom(show, { overlay: true, overlayOptions: options }));
      } });
    }"#;
    let dir = world.agent_dir().join("extensions");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("asking.ts"), extension).unwrap();
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("some line 40").await;
    screen.until(|terminal| !terminal.screen().contains("Working")).await;

    screen.type_in("/ask\r").await;
    screen.see("Which one?").await;
    assert!(is_alternate(&screen.terminal) && screen.terminal.screen().contains("some line 40"), "{}", screen.terminal);
    // The wheel reads on above the question, which stays.
    screen.type_in(&mouse(64, (3, 3), 'M').repeat(3)).await;
    screen.see("rows below").await;
    screen.see("Which one?").await;
    screen.type_in("\x1b[B\r").await;
    screen.see("What name?").await;
    screen.type_in("mine\r").await;
    screen.until(|terminal| !terminal.screen().contains("What name?")).await;
    screen.type_in(END).await;
    screen.see("chosen: the second, mine").await;
    screen.until(is_prompt_below).await;

    screen.type_in("/over\r").await;
    screen.see("an overlay of 30").await;
    let (row, column) = find(&screen.terminal, "an overlay");
    assert_eq!((row, column), (1, usize::from(SIZE.0) - 30), "{}", screen.terminal);
    screen.until(is_prompt_below).await;
    // In another window it is drawn anew, at its place.
    screen.resize(60, 20);
    screen.until(|terminal| terminal.rows()[1].find("an overlay").is_some_and(|at| at >= 30)).await;
    screen.resize(SIZE.0, SIZE.1);
    screen.until(|terminal| terminal.rows()[1].find("an overlay").is_some_and(|at| at >= 50)).await;
    screen.type_in("k").await;
    screen.see("key k").await;
    screen.until(|terminal| !terminal.screen().contains("overlay")).await;
    // With one open the terminal comes back all the same.
    screen.type_in("/over\r").await;
    screen.see("an overlay of 30").await;
    screen.kill(Signal::TERM);
    let (rows, terminal) = screen.ended().await;
    assert!(!rows.join("\n").contains("overlay"), "{rows:#?}");
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
}
