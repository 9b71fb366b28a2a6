//! Children of extensions on the terminal, and what extensions write to their console while a screen is up.

use std::fs;

use pi_test_kit::{Provider, World, answer};
use rustix::process::Signal;

use crate::screen::Screen;

const EXTENSION: &str = r#"import { spawnSync } from "node:child_process";

export default function (pi) {
  const run = (ctx, script) => {
    const { status, signal } = spawnSync("sh", ["-c", script], { stdio: "inherit" });
    ctx.ui.notify(`ended with ${status ?? signal}`);
  };
  pi.registerCommand("ask", { handler: async (_, ctx) =>
    run(ctx, "printf 'Your name? '; read name; echo \"Hello $name\"; read more; exit 3") });
  pi.registerCommand("wait", { handler: async (_, ctx) => run(ctx, "echo asleep; exec sleep 1000") });
  pi.registerCommand("say", { handler: async (_, ctx) => {
    ctx.ui.setStatus("said", "🤖 said");
    process.stdout.write("\x1b[2J\x1b[H");
    console.log("from the console");
  } });
}
"#;

async fn started(world: &World) -> Screen {
    let dir = world.agent_dir().join("extensions");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("child.ts"), EXTENSION).unwrap();
    let mut screen = Screen::start(world, "");
    screen.see("ctrl+o").await;
    screen
}

#[tokio::test]
async fn a_child_that_a_script_waits_for_has_the_terminal() {
    let provider = Provider::start([answer("first answer")]).await;
    let world = World::with(&provider);
    let mut screen = started(&world).await;
    screen.type_in("question\r").await;
    screen.see("first answer").await;
    screen.type_in("/ask\r").await;
    screen.see("Your name?").await;
    let terminal = &screen.terminal;
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}\n{terminal}", terminal.modes());
    assert!(terminal.screen().contains("first answer"), "{terminal}");
    // It reads lines, which the terminal shows while they are typed.
    screen.type_in("Ada\r").await;
    screen.see("Your name? Ada").await;
    screen.see("Hello Ada").await;
    screen.type_in("\r").await;
    screen.see("ended with 3").await;
    assert!(!screen.terminal.modes().is_empty(), "{}", screen.terminal);
    screen.type_in("in the editor again").await;
    screen.see("in the editor again").await;
    screen.kill(Signal::TERM);
    let (rows, terminal) = screen.ended().await;
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
    for once in ["first answer", "Hello Ada", "ended with 3"] {
        assert_eq!(rows.iter().filter(|row| row.contains(once)).count(), 1, "{once}: {rows:#?}");
    }
}

#[tokio::test]
async fn an_interrupt_ends_the_child_and_nothing_else() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = started(&world).await;
    screen.type_in("/wait\r").await;
    screen.see("asleep").await;
    screen.type_in("\x03").await;
    screen.see("ended with SIGINT").await;
    screen.type_in("still here").await;
    screen.see("still here").await;
    screen.kill(Signal::TERM);
    screen.ended().await;
}

#[tokio::test]
async fn what_is_written_to_the_console_is_part_of_the_screen() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = started(&world).await;
    screen.type_in("/say\r").await;
    screen.see("from the console").await;
    screen.see("🤖 said").await;
    // What would clear the screen is left out.
    screen.see("ctrl+o").await;
    assert!(!screen.written.contains("\x1b[2J") && !screen.terminal.screen().contains("[2J"), "{}", screen.terminal);
    screen.type_in("\x04").await;
    let (rows, _) = screen.ended().await;
    assert_eq!(rows.iter().filter(|row| row.contains("from the console")).count(), 1, "{rows:#?}");
}
