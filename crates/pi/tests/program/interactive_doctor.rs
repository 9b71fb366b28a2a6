//! `/doctor`: what the terminal can do, in a real pseudo-terminal.

use pi_test_kit::{Provider, World};

use crate::screen::Screen;

#[tokio::test]
async fn keys_are_shown_as_they_arrive() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start_with(&world, "", &[("VISUAL", "my-editor"), ("SSH_TTY", "/dev/pts/9")]);
    screen.see("ctrl+o").await;
    screen.type_in("/doctor\r").await;
    screen.see("TERM=xterm-256color, 80×24").await;
    for text in ["Colours", "24 bits", "Editor      my-editor", "on another machine", "Press keys to see what arrives"]
    {
        screen.see(text).await;
    }
    screen.type_in("\x1b[13;2u").await;
    screen.see("shift+enter").await;
    screen.see("ESC [13;2u").await;
    screen.type_in("\x0c").await;
    screen.see("ctrl+l: app.model.select").await;
    screen.type_in("\x1b[200~some text\x1b[201~").await;
    screen.see("a paste of 9 characters").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("TERM=")).await;
    screen.type_in("\x04").await;
    screen.ended().await;
}
