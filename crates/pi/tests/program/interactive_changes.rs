//! `/changes`: the edits of a session, in a real pseudo-terminal.

use pi_test_kit::{Provider, World, answer, tool_call};
use serde_json::json;

use crate::screen::Screen;

/// A session in which two places of a file were edited.
async fn edited(world: &World, provider: &Provider) -> Screen {
    let lines: String = (1..=30).map(|number| format!("line {number}\n")).collect();
    world.write("notes.txt", &lines);
    let edits =
        json!([{"oldText": "line 3\n", "newText": "three\n"}, {"oldText": "line 25\n", "newText": "twenty-five\n"}]);
    provider.answer_with([
        tool_call("call-1", "edit", &json!({"path": "notes.txt", "edits": edits})),
        answer("edited"),
        answer("seen"),
    ]);
    let mut screen = Screen::start(world, "");
    screen.see("ctrl+o").await;
    screen.type_in("go\r").await;
    screen.see("edited").await;
    screen.type_in("/changes\r").await;
    screen.see("Changes: 2 places in 1 file").await;
    screen
}

#[tokio::test]
async fn an_edit_is_taken_back_and_the_model_is_told() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = edited(&world, &provider).await;
    screen.see("→ notes.txt:25  +1 −1").await;
    screen.type_in("\x1b[A").await;
    screen.see("→ notes.txt:3  +1 −1").await;
    screen.see("three").await;
    screen.type_in("\x18").await;
    screen.see("Take back the edit of notes.txt?").await;
    screen.type_in("\r").await;
    screen.see("Took back the edit of notes.txt; the model is told").await;
    let text = std::fs::read_to_string(world.cwd().join("notes.txt")).unwrap();
    assert!(text.starts_with("line 1\nline 2\nline 3\n") && text.contains("twenty-five\n"), "{text}");
    // A second time there is nothing to take back, and nothing is lost by trying.
    screen.type_in("/changes\r").await;
    screen.see("Changes: 3 places in 1 file").await;
    screen.see("takes an edit back").await;
    screen.type_in("\x1b[A\x1b[A").await;
    screen.see("→ notes.txt:3  +1 −1  taken back").await;
    screen.type_in("\x18").await;
    screen.see("Take back the edit").await;
    screen.type_in("\r").await;
    screen.see("notes.txt is not as this edit left it any more: nothing was changed").await;
    screen.type_in("and now\r").await;
    screen.see("seen").await;
    let users = provider.requests()[2].texts("user").join("\n");
    assert!(
        users.contains("The user took back an edit of notes.txt") && users.contains("-three\n+line 3\n"),
        "{users}"
    );
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_hunk_is_quoted_into_the_prompt() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = edited(&world, &provider).await;
    screen.type_in("\r").await;
    screen.see("+twenty-five").await;
    screen.type_in("why?\r").await;
    screen.see("seen").await;
    let users = provider.requests()[2].texts("user");
    let quoted = users.last().unwrap();
    assert!(quoted.starts_with("notes.txt:25\n```diff\n line 21\n"), "{quoted}");
    assert!(quoted.contains("-line 25\n+twenty-five\n") && quoted.ends_with("```\nwhy?"), "{quoted}");
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn without_edits_it_says_so() {
    let provider = Provider::start([]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("/changes\r").await;
    screen.see("Nothing was edited in this session").await;
    screen.type_in("\x04").await;
    screen.ended().await;
}
