//! The keys of vi in a real pseudo-terminal.

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open};
use serde_json::json;

use crate::screen::Screen;

#[tokio::test]
async fn a_message_is_written_with_the_keys_of_vi_and_escape_still_aborts() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&end()).end();
    let provider = Provider::start([answer("first answer"), hanging]).await;
    let world = World::with(&provider);
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "editor": {"mode": "vim"}});
    world.write_config("settings.json", &settings);
    let mut screen = Screen::start(&world, "");
    screen.see("─ INSERT ─").await;
    screen.type_in("one two three").await;
    screen.type_in("\x1b").await;
    screen.see("─ NORMAL ─").await;
    screen.type_in("2").await;
    screen.see("─ NORMAL 2 ─").await;
    screen.type_in("bcwsecond").await;
    screen.see("─ INSERT ─").await;
    screen.type_in("\x1b").await;
    screen.see("─ NORMAL ─").await;
    screen.see("one second three").await;
    screen.type_in("v0").await;
    screen.see("─ VISUAL ─").await;
    screen.type_in("\x1bdduU\r").await;
    screen.see("first answer").await;
    assert_eq!(provider.requests()[0].texts("user"), ["one second three"]);
    // Sending inserts again; the second Escape is the program's.
    screen.see("─ INSERT ─").await;
    screen.type_in("again\r").await;
    screen.see("begun").await;
    screen.type_in("\x1b").await;
    screen.see("─ NORMAL ─").await;
    screen.see("Working").await;
    screen.type_in("\x1b").await;
    screen.see("aborted").await;
    screen.type_in("\x04").await;
    screen.ended().await;
}
