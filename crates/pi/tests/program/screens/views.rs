//! Pictures of what looks at a session: the transcript, its edits, what fills the window, the tree; and of a question before a call.

use pi_test_kit::{Answer, Provider};
use serde_json::json;

use super::shop::{Shop, compare};
use super::work::{mended, mended_in};

#[tokio::test]
async fn the_transcript() {
    let (_shop, mut screen, _provider) = mended((80, 24)).await;
    screen.type_in("/transcript\r").await;
    screen.see("Transcript  block").await;
    screen.type_in("/average\r").await;
    screen.see("\"average\"").await;
    compare(&mut screen, "transcript", "pi — ~/shop").await;
}

#[tokio::test]
async fn full_screen() {
    let (_shop, mut screen, _provider) = mended_in((80, 24), &json!({"tuiMode": "fullscreen"})).await;
    screen.type_in("\x1b[5~").await;
    screen.see("below").await;
    compare(&mut screen, "full-screen", "pi — ~/shop").await;
}

#[tokio::test]
async fn changes() {
    let (_shop, mut screen, _provider) = mended((80, 24)).await;
    screen.type_in("/changes\r").await;
    screen.see("Changes: 1 place in 1 file").await;
    compare(&mut screen, "changes", "pi — ~/shop").await;
}

#[tokio::test]
async fn context() {
    let (_shop, mut screen, _provider) = mended((80, 34)).await;
    screen.type_in("/context\r").await;
    screen.see("Sizes of parts are estimates").await;
    compare(&mut screen, "context", "pi — ~/shop").await;
}

#[tokio::test]
async fn the_tree() {
    let (_shop, mut screen, _provider) = mended((80, 34)).await;
    screen.type_in("/tree\r").await;
    screen.see("Session Tree").await;
    compare(&mut screen, "tree", "pi — ~/shop").await;
}

#[tokio::test]
async fn a_question_before_a_command() {
    let call = json!({"command": "git push origin main"});
    let provider = Provider::start([Answer::of_tokens(2_400, 61).call("t1", "bash", &call).reply()]).await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("--ask commands", (80, 24));
    screen.see("maple-2").await;
    screen.type_in("Push it.\r").await;
    screen.see("Always allow").await;
    compare(&mut screen, "permission", "pi --ask commands — ~/shop").await;
}
