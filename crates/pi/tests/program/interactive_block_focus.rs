//! One block of the window shows more or less, in a real pseudo-terminal.

use pi_test_kit::{Provider, World, answer, tool_calls};
use serde_json::json;

use crate::screen::Screen;

#[tokio::test]
async fn one_block_is_unfolded_and_the_other_is_not() {
    let calls = [
        ("1", "bash", json!({"command": "seq -f 'first %g' 30"})),
        ("2", "bash", json!({"command": "seq -f 'second %g' 30"})),
    ];
    let provider = Provider::start([tool_calls(&calls), answer("over")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::in_window(&world, "", (80, 90), |pi| pi);
    screen.see("ctrl+o").await;
    screen.type_in("\x1b[111;3u").await;
    screen.see("Nothing in the window can be folded").await;
    screen.type_in("go\r").await;
    screen.see("over").await;
    screen.see("second 30").await;
    assert!(!screen.terminal.screen().contains("first 3\n") && !screen.terminal.screen().contains("second 3\n"));
    screen.type_in("\x1b[111;3u").await;
    screen.see("Block 2 of 2").await;
    screen.type_in("\x1b[A").await;
    screen.see("Block 1 of 2").await;
    screen.type_in("\r").await;
    screen.see("first 3\n").await;
    assert!(!screen.terminal.screen().contains("second 3\n"), "{}", screen.terminal);
    screen.type_in("\r").await;
    screen.until(|terminal| !terminal.screen().contains("first 3\n")).await;
    screen.type_in("\x1b[B\r").await;
    screen.see("second 3\n").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("Block 2 of 2")).await;
    // It stays as it was wanted, also when the editor is back.
    assert!(screen.terminal.screen().contains("second 3\n") && !screen.terminal.screen().contains('▶'));
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn the_count_follows_the_blocks_that_come() {
    let call = |id, command: &str| tool_calls(&[(id, "bash", json!({ "command": command }))]);
    let replies = [
        call("1", "seq -f 'first %g' 30"),
        call("2", "until test -e go; do sleep 0.05; done"),
        call("3", "seq -f 'second %g' 30"),
        answer("over"),
    ];
    let provider = Provider::start(replies).await;
    let world = World::with(&provider);
    let mut screen = Screen::in_window(&world, "", (80, 90), |pi| pi);
    screen.see("ctrl+o").await;
    screen.type_in("begin\r").await;
    screen.see("until test").await;
    screen.type_in("\x1b[111;3u").await;
    screen.see("Block 2 of 2").await;
    world.write("go", "");
    screen.see("over").await;
    screen.see("Block 2 of 3").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("Block 2 of 3")).await;
    screen.type_in("\x04").await;
    screen.ended().await;
}
