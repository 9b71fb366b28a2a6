//! An editor of an extension in the place of the program's, in a real pseudo-terminal.

use std::fs;

use pi_test_kit::{Provider, World, answer};

use crate::screen::Screen;

const EDITOR: &str = r#"import { CustomEditor } from "@earendil-works/pi-coding-agent";
class Marked extends CustomEditor { render(width) { return ["MARKED", ...super.render(width)]; } }
export default function (pi) {
  pi.on("session_start", (event, ctx) => ctx.ui.setEditorComponent((tui, theme, keys) => new Marked(tui, theme, keys)));
}
"#;

/// Lists and full-screen views bind letters: while a text is edited they are text.
#[tokio::test]
async fn it_gets_every_letter_and_keys_of_the_program_go_on_acting() {
    let text = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 []/?";
    let provider = Provider::start([answer("all done")]).await;
    let world = World::with(&provider);
    let dir = world.agent_dir().join("extensions");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("editor.ts"), EDITOR).unwrap();
    let mut screen = Screen::start(&world, "");
    screen.see("MARKED").await;
    screen.type_in(text).await;
    screen.see(text).await;
    screen.type_in("\r").await;
    screen.see("all done").await;
    assert!(provider.requests()[0].body.to_string().contains(text));
    screen.type_in("\x0c").await;
    screen.see("Models of providers").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("Models of providers")).await;
    screen.type_in("\x04").await;
    screen.ended().await;
}
