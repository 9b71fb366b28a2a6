//! Keys of the interactive mode, and small windows in which what is chosen with them has to be seen.

use std::fs;

use pi_test_kit::{Provider, World};

use crate::screen::Screen;

#[tokio::test]
async fn the_file_of_keys_may_have_comments_and_a_trailing_comma() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let keys = "{\n  // Closer to the thumb.\n  \"app.tools.expand\": [\"alt+x\"],\n}\n";
    fs::write(world.agent_dir().join("keybindings.json"), keys).unwrap();
    let mut screen = Screen::start(&world, "");
    screen.see("alt+x more").await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn escape_ends_a_jump_and_typing_disarms_leaving() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("hello").await;
    screen.see("hello").await;
    screen.type_in("\x1d").await;
    // Alone: with what follows it would be another key.
    screen.type_in("\x1b[27u").await;
    screen.type_in("x").await;
    screen.see("hellox").await;
    screen.type_in("\x03a\x03again").await;
    screen.see("again").await;
    screen.type_in("\x03\x03").await;
    screen.ended().await;
}

#[tokio::test]
async fn what_is_chosen_is_seen_in_low_windows() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    for (columns, rows) in [(80, 6), (40, 6), (80, 10)] {
        let mut screen = Screen::in_window(&world, "", (columns, rows), |pi| pi);
        screen.see("mock").await;
        screen.type_in("/").await;
        screen.see("→").await;
        for name in ["model", "scoped-models", "export", "import", "share"] {
            screen.type_in("\x1b[B").await;
            screen.see(&format!("→ {name}")).await;
        }
        screen.type_in("\x15/login\r").await;
        screen.see("API key").await;
        screen.type_in("key").await;
        screen.type_in("\x1b[B\r").await;
        screen.see(">").await;
        for _ in 0..6 {
            screen.type_in("\x1b[B").await;
            screen.until(|terminal| terminal.rows().iter().any(|row| row.starts_with("→ "))).await;
        }
        screen.kill(rustix::process::Signal::TERM);
        screen.ended().await;
    }
}

#[tokio::test]
async fn a_question_is_seen_with_its_answers_in_low_windows() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    fs::create_dir_all(world.cwd().join(".pi")).unwrap();
    fs::write(world.cwd().join(".pi/settings.json"), "{}").unwrap();
    for height in [2, 3, 5, 8] {
        let mut screen = Screen::in_window(&world, "", (80, height), |pi| pi);
        for answer in ["Trust", "Trust parent", "Trust (this", "Do not trust", "Do not trust (this"] {
            screen
                .until(|terminal| {
                    let has = |text: &str| terminal.rows().iter().any(|row| row.starts_with(text));
                    has("Do you trust this project?") && has(&format!("→ {answer}"))
                })
                .await;
            screen.type_in("\x1b[B").await;
        }
        screen.kill(rustix::process::Signal::TERM);
        screen.ended().await;
    }
}
