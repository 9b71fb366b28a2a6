//! Pictures of a conversation: a task, thinking, messages that wait, completion.

use pi_test_kit::{Answer, Gate, Provider};
use serde_json::{Value, json};

use super::shop::{Shop, compare};
use crate::screen::Screen;

/// Rows for all of it: nothing leaves the window, whether or not there is a frame with both the answer and the spinner.
const ALL_ROWS: u16 = 60;

/// A session in which a failing test was mended.
pub(super) async fn mended(size: (u16, u16)) -> (Shop, Screen, Provider) {
    let (shop, mut screen, provider) = mended_in((size.0, ALL_ROWS.max(size.1)), &json!({})).await;
    if size.1 < ALL_ROWS {
        screen.resize(size.0, size.1);
    }
    (shop, screen, provider)
}

/// The same in a window that has had its size from the beginning, with these settings besides the usual ones.
pub(super) async fn mended_in(size: (u16, u16), more: &Value) -> (Shop, Screen, Provider) {
    let bash = json!({"command": "sh run-tests"});
    let edit = json!({"path": "prices.py", "edits": [{"oldText": "    return sum(prices) / len(prices)",
        "newText": "    return sum(prices) / len(prices) if prices else 0"}]});
    let provider = Provider::start([
        Answer::of_tokens(2_400, 61).text("I run the tests first.").call("t1", "bash", &bash).reply(),
        Answer::of_tokens(2_800, 118).call("t3", "edit", &edit).reply(),
        Answer::of_tokens(3_000, 40).call("t4", "bash", &bash).reply(),
        Answer::of_tokens(3_100, 52)
            .text("`average([])` divided by zero. It returns **0** now, and all three tests pass.")
            .reply(),
    ])
    .await;
    let shop = Shop::with(&provider);
    shop.set(more);
    let mut screen = shop.open("", size);
    screen.see("maple-2").await;
    screen.type_in("A test fails. Find out why and fix it.\r").await;
    screen.see("all three tests pass").await;
    screen.until(|terminal| !terminal.screen().contains("Working")).await;
    (shop, screen, provider)
}

#[tokio::test]
async fn a_session() {
    let (_shop, mut screen, _provider) = mended((80, 60)).await;
    compare(&mut screen, "session", "pi — ~/shop").await;
}

#[tokio::test]
async fn thinking() {
    let provider = Provider::start([Answer::of_tokens(1_900, 140)
        .thinking("The question is about rounding. Prices are floats here, so sums can be off by a cent.\n\nDecimal or \
                   whole cents would both do; cents need no import.")
        .text("Store prices as **whole cents** (`int`): sums are exact then.\n\n```python\ndef total(cents):\n    return \
               sum(cents)  # 1999 is 19.99\n```\n\n1. Convert where prices come in.\n2. Divide by 100 where they are shown.")
        .reply()])
    .await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("", (80, 30));
    screen.see("maple-2").await;
    screen.type_in("How do I avoid rounding errors in prices?\r").await;
    screen.see("where they are shown").await;
    compare(&mut screen, "thinking", "pi — ~/shop").await;
}

/// A model that begins to answer and goes on when the gate opens.
async fn provider_that_waits(gate: &Gate) -> Provider {
    let begun = Answer::of_tokens(2_100, 30).text("I look at how orders use the prices.").begun().wait(gate);
    Provider::start([begun]).await
}

/// A run under way, and two messages that wait.
async fn while_messages_wait(shop: &Shop) -> Screen {
    let mut screen = shop.open("", (80, 24));
    screen.see("maple-2").await;
    screen.type_in("Add a function for the tax.\r").await;
    screen.see("how orders use the prices").await;
    screen.type_in("the rate is 19 %\r").await;
    screen.see("Steering: the rate").await;
    screen.type_in("then write a changelog entry\x1b[13;3u").await;
    screen.see("Follow-up: then write").await;
    screen
}

#[tokio::test]
async fn messages_that_wait() {
    let gate = Gate::new();
    let provider = provider_that_waits(&gate).await;
    let shop = Shop::with(&provider);
    let mut screen = while_messages_wait(&shop).await;
    screen.type_in("and t").await;
    screen.see("and t").await;
    compare(&mut screen, "queue", "pi — ~/shop").await;
    gate.open();
}

#[tokio::test]
async fn the_list_of_messages_that_wait() {
    let gate = Gate::new();
    let provider = provider_that_waits(&gate).await;
    let shop = Shop::with(&provider);
    let mut screen = while_messages_wait(&shop).await;
    screen.type_in("\x1b[113;3u").await;
    screen.see("→ Steering:").await;
    compare(&mut screen, "queue-view", "pi — ~/shop").await;
    gate.open();
}

#[tokio::test]
async fn completion_of_files() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("", (80, 24));
    screen.see("maple-2").await;
    screen.type_in("explain @pr").await;
    screen.see("prices.py").await;
    compare(&mut screen, "files", "pi — ~/shop").await;
}

#[tokio::test]
async fn completion_of_commands() {
    let provider = Provider::start([]).await;
    let shop = Shop::with(&provider);
    let mut screen = shop.open("", (80, 24));
    screen.see("maple-2").await;
    screen.type_in("/").await;
    screen.see("Change settings").await;
    compare(&mut screen, "commands", "pi — ~/shop").await;
}
