//! Notifications in a real pseudo-terminal: only while its window is not in focus, in the way that the terminal understands.

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open};
use rustix::process::Signal;
use serde_json::json;

use crate::screen::Screen;

const AWAY: &str = "\x1b[O";
const BACK: &str = "\x1b[I";

#[tokio::test]
async fn the_end_of_a_turn_is_told_while_nobody_looks() {
    let gate = Gate::new();
    let slow = || Reply::stream(&(open() + &delta("first words"))).wait(&gate).then(&end()).end();
    let provider = Provider::start([answer("seen at once"), slow(), answer("again")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start_with(&world, "", &[("TERM_PROGRAM", "WezTerm")]);
    screen.see("ctrl+o").await;
    assert!(screen.terminal.modes().contains(&"focus"), "{:?}", screen.terminal.modes());
    screen.type_in("one\r").await;
    screen.see("seen at once").await;
    screen.type_in("two\r").await;
    screen.see("first words").await;
    screen.type_in(AWAY).await;
    gate.open();
    screen.until_written("\x1b]9;π - ").await;
    screen.until_written(": first words\x07").await;
    assert_eq!(screen.written.matches("\x1b]9;π").count(), 1, "the first answer was looked at");
    screen.type_in(BACK).await;
    screen.type_in("three\r").await;
    screen.see("again").await;
    screen.kill(Signal::TERM);
    let (_, terminal) = screen.ended().await;
    assert!(terminal.modes().is_empty(), "{:?}", terminal.modes());
}

#[tokio::test]
async fn the_way_can_be_chosen() {
    for (way, expected) in [("bell", "\x07"), ("osc777", "\x1b]777;notify;π - "), ("off", "")] {
        let gate = Gate::new();
        let slow = Reply::stream(&(open() + &delta("first words"))).wait(&gate).then(&end()).end();
        let provider = Provider::start([slow]).await;
        let world = World::with(&provider);
        world.write_config(
            "settings.json",
            &json!({"defaultProvider": "mock", "defaultModel": "m1", "terminal": {"notify": way}}),
        );
        let mut screen = Screen::start(&world, "");
        screen.see("ctrl+o").await;
        screen.type_in("one\r").await;
        screen.see("first words").await;
        screen.type_in(AWAY).await;
        screen.until(|terminal| terminal.screen().contains("Working")).await;
        let bells = screen.terminal.bells();
        gate.open();
        screen.until(|terminal| !terminal.screen().contains("Working")).await;
        match way {
            "bell" => screen.until(|terminal| terminal.bells() == bells + 1).await,
            "off" => assert!(screen.terminal.bells() == bells && !screen.written.contains("notify;")),
            _ => screen.until_written(expected).await,
        }
        screen.kill(Signal::TERM);
        screen.ended().await;
    }
}
