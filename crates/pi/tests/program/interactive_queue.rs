//! The view of the messages that wait, in a real pseudo-terminal.

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open};

use crate::screen::Screen;

#[tokio::test]
async fn messages_are_changed_while_delivery_holds() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&(delta(" and over") + &end())).end();
    let provider =
        Provider::start([hanging, answer("second answer"), answer("third answer"), answer("last answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("go\r").await;
    screen.see("begun").await;
    for text in ["one", "two", "three", "four"] {
        screen.type_in(&format!("{text}\r")).await;
        screen.see(&format!("Steering: {text}")).await;
    }
    screen.type_in("\x1b[113;3u").await;
    screen.see("→ Steering:  one").await;
    // The turn ends while the list is open: nothing is delivered.
    gate.open();
    screen.see("and over").await;
    screen.type_in("\x04").await;
    screen.see("→ Steering:  two").await;
    screen.type_in("\r").await;
    screen.see("Edit the queued message").await;
    screen.type_in("\x15changed\r").await;
    screen.see("→ Steering:  changed").await;
    screen.type_in("\x1b[B").await;
    screen.see("→ Steering:  three").await;
    screen.type_in("\t").await;
    screen.see("Follow-up: three").await;
    screen.see("→ Steering:  four").await;
    screen.type_in("\x1b[1;3A").await;
    screen
        .until(|terminal| {
            let rows = terminal.rows();
            let row = |text: &str| rows.iter().position(|row| row.trim_start_matches('→').trim().ends_with(text));
            row("four").zip(row("changed")).is_some_and(|(four, changed)| four < changed)
        })
        .await;
    assert_eq!(provider.requests().len(), 1);
    screen.type_in("\x1b").await;
    screen.see("last answer").await;
    let users = provider.requests()[3].texts("user");
    assert_eq!(users, ["go", "four", "changed", "three"]);
    screen.type_in("\x03").await;
    screen.kill(rustix::process::Signal::TERM);
    screen.ended().await;
}

#[tokio::test]
async fn the_last_one_can_be_sent_first() {
    let gate = Gate::new();
    let hanging = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&end()).end();
    let provider = Provider::start([hanging, answer("second answer"), answer("third answer")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("go\r").await;
    screen.see("begun").await;
    screen.type_in("now\r").await;
    screen.see("Steering: now").await;
    screen.type_in("urgent\x1b[13;3u").await;
    screen.see("Follow-up: urgent").await;
    screen.type_in("\x1b[113;3u").await;
    screen.see("→ Steering:  now").await;
    screen.type_in("\x1b[B").await;
    screen.see("→ Follow-up: urgent").await;
    screen.type_in("\x13").await;
    screen.see("Steering: urgent").await;
    gate.open();
    screen.see("third answer").await;
    assert_eq!(provider.requests()[2].texts("user"), ["go", "urgent", "now"]);
    screen.type_in("\x04").await;
    screen.ended().await;
}
