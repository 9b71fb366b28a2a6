//! The conversation on the alternate screen, in a real pseudo-terminal.

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open};
use pi_tui::testing::Terminal;
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
