//! Going elsewhere in the session from the screen: summaries of the branch that is left, and what is typed meanwhile.

use std::fs;

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open};
use serde_json::{Value, json};

use crate::screen::Screen;

/// A summary that arrives when the gate opens.
fn held_summary(gate: &Gate) -> Reply {
    Reply::stream(&open()).wait(gate).then(&(delta("a summary") + &end())).end()
}

/// A conversation of two questions.
async fn conversation(world: &World) -> Screen {
    let mut screen = Screen::start(world, "");
    screen.see("ctrl+o").await;
    for (question, answer) in [("one?\r", "first answer"), ("two?\r", "second answer")] {
        screen.type_in(question).await;
        screen.see(answer).await;
    }
    screen
}

/// Goes from the end to the first answer, with a summary, as far as that has begun.
async fn leave_with_summary(screen: &mut Screen) {
    screen.type_in("/tree\r").await;
    screen.see("assistant: second answer").await;
    screen.type_in("first answer").await;
    screen.see("1/").await;
    screen.type_in("\r").await;
    answer_with_summary(screen).await;
}

async fn answer_with_summary(screen: &mut Screen) {
    screen.see("Summarize the branch?").await;
    screen.type_in("\x1b[B\r").await;
    screen.see("Summarizing the branch").await;
}

#[tokio::test]
async fn escape_ends_a_summary_and_what_was_typed_meanwhile_is_delivered() {
    let (never, gate) = (Gate::new(), Gate::new());
    let replies = [answer("first answer"), answer("second answer"), held_summary(&never), held_summary(&gate)];
    let provider = Provider::start(replies.into_iter().chain([answer("third answer")])).await;
    let world = World::with(&provider);
    let mut screen = conversation(&world).await;
    leave_with_summary(&mut screen).await;
    screen.type_in("\x1b").await;
    screen.see("The summary was cancelled").await;
    // The tree is there again.
    screen.see("Session Tree").await;
    screen.type_in("\r").await;
    answer_with_summary(&mut screen).await;
    screen.type_in("three?\r").await;
    screen.see("Steering: three?").await;
    gate.open();
    screen.see("third answer").await;
    screen.type_in("\x04").await;
    screen.ended().await;
    assert_eq!(provider.requests().last().unwrap().texts("user").last().unwrap(), "three?");
}

#[tokio::test]
async fn the_end_is_where_the_session_is_also_after_a_setting() {
    let provider = Provider::start([answer("first answer"), answer("second answer")]).await;
    let world = World::with(&provider);
    let mut screen = conversation(&world).await;
    screen.type_in("/name a name\r").await;
    screen.see("a name").await;
    screen.type_in("/tree\r").await;
    screen.see("assistant: second answer").await;
    screen.type_in("\r").await;
    screen.see("The session is there already").await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_session_whose_file_is_gone_is_not_begun_anew() {
    let provider = Provider::start([answer("first answer"), answer("second answer")]).await;
    let world = World::with(&provider);
    let mut screen = conversation(&world).await;
    let stored = world.session_files();
    screen.type_in("\x04").await;
    screen.ended().await;
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("/resume\r").await;
    screen.see("one?").await;
    fs::remove_file(&stored[0]).unwrap();
    screen.type_in("\r").await;
    screen.see("is gone: the session").await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_mode_that_the_project_sets_is_not_made_the_users() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    fs::create_dir_all(world.cwd().join(".pi")).unwrap();
    fs::write(world.cwd().join(".pi/settings.json"), json!({"steeringMode": "all"}).to_string()).unwrap();
    let mut screen = Screen::start(&world, "--approve");
    screen.see("ctrl+o").await;
    screen.type_in("/settings\r").await;
    screen.see("Settings").await;
    screen.type_in("steering mode").await;
    screen.see("1/").await;
    screen.type_in("\r").await;
    screen.see("sets it to all").await;
    let stored = fs::read_to_string(world.agent_dir().join("settings.json")).unwrap();
    let stored: Value = serde_json::from_str(&stored).unwrap();
    assert_eq!(stored["steeringMode"], json!("one-at-a-time"));
    screen.kill(rustix::process::Signal::HUP);
    screen.ended().await;
}
