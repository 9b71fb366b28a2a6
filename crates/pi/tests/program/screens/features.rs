//! Pictures of a block that is unfolded, plain mode, notifications, an image in a message, the keys of vi, a session on two
//! terminals, and what the terminal can do.

use pi_test_kit::{Answer, Gate, Provider, wait_until};
use serde_json::json;

use super::shop::{Shop, compare};
use crate::clipboard::path_with_image;
use crate::screen::Screen;

#[tokio::test]
async fn a_block_is_unfolded() {
    let build = json!({"command": "seq -f 'built part %g' 9"});
    let tests = json!({"command": "seq -f 'test %g passed' 9"});
    let provider = Provider::start([
        Answer::of_tokens(2_400, 61).call("t1", "bash", &build).call("t2", "bash", &tests).reply(),
        Answer::of_tokens(2_800, 30).text("All nine tests pass.").reply(),
    ])
    .await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("", (80, 44));
    screen.see("maple-2").await;
    screen.type_in("Build it and run the tests.\r").await;
    screen.see("All nine tests pass").await;
    screen.type_in("\x1b[111;3u").await;
    screen.see("Block 2 of 2").await;
    screen.type_in("\r").await;
    screen.see("test 1 passed").await;
    compare(&mut screen, "fold", "pi — ~/shop").await;
}

#[tokio::test]
async fn plain_mode() {
    let provider = Provider::start([
        Answer::of_tokens(2_400, 61)
            .text("I run the tests.")
            .call("t1", "bash", &json!({"command": "sh run-tests"}))
            .reply(),
        Answer::of_tokens(2_800, 30).text("`average([])` divides by zero.").reply(),
    ])
    .await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("--plain", (108, 24));
    screen.until_written("> ").await;
    screen.type_in("Why does a test fail?\r").await;
    screen.see("Done.").await;
    compare(&mut screen, "plain", "pi --plain — ~/shop").await;
}

#[tokio::test]
async fn notifications() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("", (80, 24));
    screen.see("maple-2").await;
    screen.type_in("/settings\r").await;
    screen.see("Type to search").await;
    screen.type_in("notif").await;
    screen.see("notif").await;
    compare(&mut screen, "notifications", "pi — ~/shop").await;
}

#[tokio::test]
async fn an_image_in_a_message() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let path = path_with_image(&shop.0);
    let mut screen = shop.open_with("", (80, 24), &[("PATH", &path), ("WAYLAND_DISPLAY", "wayland-0")]);
    screen.see("maple-2").await;
    screen.type_in("Why is the button in \x16").await;
    screen.see("[image #1 png 2×3]").await;
    screen.type_in(" red?").await;
    compare(&mut screen, "image", "pi — ~/shop").await;
}

#[tokio::test]
async fn keys_of_vi() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    shop.set(&json!({"editor": {"mode": "vim"}}));
    let mut screen = shop.open("", (80, 24));
    screen.see("INSERT").await;
    screen.type_in("Explain how discounts are rounded, and where.").await;
    screen.type_in("\x1b").await;
    screen.see("NORMAL").await;
    screen.type_in("b2d").await;
    screen.see("NORMAL 2d").await;
    compare(&mut screen, "vim", "pi — ~/shop").await;
}

#[tokio::test]
async fn a_session_on_two_terminals() {
    let gate = Gate::new();
    let begun = Answer::of_tokens(2_100, 30).text("I look at how orders use the prices.").begun().wait(&gate);
    let provider = Provider::start([begun]).await;
    let shop = Shop::with(&provider);
    let server = shop.start(&["--mode", "rpc", "--listen"]);
    let socket = shop.agent_dir().join(format!("run/{}.sock", server.id()));
    wait_until("the program listens", || socket.exists()).await;
    let mut one = attached(&shop).await;
    one.type_in("Add a function for the tax.\r").await;
    one.see("how orders use the prices").await;
    let mut other = attached(&shop).await;
    other.see("how orders use the prices").await;
    one.type_in("the rate is 19 %\r").await;
    other.see("the rate is 19 %").await;
    other.type_in("and round to whole cents\r").await;
    other.see("Steering: and round").await;
    compare(&mut other, "attach", "pi attach — ~/shop").await;
    gate.open();
}

async fn attached(shop: &Shop) -> Screen {
    let mut screen = shop.open("attach", (80, 24));
    screen.see("maple-2").await;
    screen
}

#[tokio::test]
async fn what_the_terminal_can() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let path = path_with_image(&shop.0);
    let variables = [("PATH", path.as_str()), ("WAYLAND_DISPLAY", "wayland-0"), ("VISUAL", "vim")];
    let mut screen = shop.open_with("", (80, 30), &variables);
    screen.see("maple-2").await;
    screen.type_in("/doctor\r").await;
    screen.see("Press keys").await;
    screen.type_in("\x1b[13;2u").await;
    screen.see("shift+enter").await;
    compare(&mut screen, "doctor", "pi — ~/shop").await;
}
