//! Signing in inside the interactive mode, from the first message without a model to its answer: the real program with the
//! addresses that are built into it, against stand-ins of the providers.

mod stand_in;

use std::fs;

use pi_test_kit::{Provider, World, answer};
use pi_tui::testing::Terminal;
use serde_json::{Value, json};

use crate::screen::Screen;
use stand_in::StandIn;

const CLAUDE_TOKEN: &str = "platform.claude.com/v1/oauth/token";
const KIMI_DEVICE: &str = "auth.kimi.com/api/oauth/device_authorization";
const KIMI_TOKEN: &str = "auth.kimi.com/api/oauth/token";

/// A home without any key; what the models answer comes from this provider.
fn world(provider: &Provider) -> World {
    let world = World::empty();
    let at = |url: String| json!({"baseUrl": url});
    let providers = json!({"anthropic": at(provider.url()), "kimi-coding": at(provider.url())});
    world.write_config("models.json", &json!({"providers": providers}));
    world.write_config("settings.json", &json!({"retry": {"enabled": false}}));
    world
}

fn stored(world: &World) -> Value {
    let text = fs::read_to_string(world.agent_dir().join("auth.json")).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).unwrap()
}

async fn start(world: &World, stand_in: &StandIn) -> Screen {
    let mut screen = Screen::in_window(world, "", (100, 40), |pi| stand_in.before(pi));
    screen.see("no-model").await;
    screen
}

/// Sends what is in the editor, and chooses this account in what is offered for lack of a model.
async fn choose(screen: &mut Screen, account: &str, title: &str) {
    screen.type_in("\r").await;
    screen.see("No model yet").await;
    screen.type_in("\r").await;
    screen.see("With which account?").await;
    screen.type_in(account).await;
    screen.see(&format!("> {account}")).await;
    screen.type_in("\r").await;
    screen.see(&format!("Sign in to {title}")).await;
}

/// The parameters of the page that is shown.
async fn page(screen: &mut Screen) -> impl Fn(&str) -> String + use<> {
    screen.see("Or paste the code").await;
    let address = address(&screen.terminal);
    move |name: &str| {
        let mut pairs = address.split(['?', '&']).filter_map(|pair| pair.split_once('='));
        let found = pairs.find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("{name} is not in {address}")).1.to_owned()
    }
}

/// The address on the screen, which goes from edge to edge.
fn address(terminal: &Terminal) -> String {
    let rows = terminal.rows();
    let page = rows.iter().skip_while(|row| !row.starts_with("https://claude.ai/oauth/authorize?"));
    page.take_while(|row| !row.is_empty()).map(String::as_str).collect()
}

fn token(access: &str) -> (u16, Value) {
    (200, json!({"access_token": access, "refresh_token": "refresh-1", "expires_in": 3600, "token_type": "Bearer"}))
}

fn code() -> (u16, Value) {
    let page = "https://www.kimi.example/device?user_code=ABCD-1234";
    (
        200,
        json!({"device_code": "device-1", "user_code": "ABCD-1234", "verification_uri": page, "interval": 1,
            "expires_in": 600}),
    )
}

/// The message that was refused first has its answer, with the new token.
async fn goes_on(mut screen: Screen, provider: &Provider, access: &str) {
    screen.see("the answer").await;
    let requests = provider.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].texts("user"), ["hello there"]);
    let head = requests[0].head.to_lowercase();
    assert!(head.contains(&format!("authorization: bearer {access}")), "{head}");
    screen.until(|terminal| terminal.screen().matches("hello there").count() == 1).await;
    screen.type_in("\x04").await;
    let (rows, terminal) = screen.ended().await;
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}", terminal.modes());
    assert!(!rows.iter().any(|row| row.contains(access) || row.contains("refresh-1")), "{}", rows.join("\n"));
}

#[tokio::test]
async fn with_an_account_in_the_browser_whose_last_address_is_pasted() {
    let provider = Provider::start([answer("the answer")]).await;
    let (world, stand_in) = (world(&provider), StandIn::start().await);
    stand_in.answer(CLAUDE_TOKEN, [token("sk-ant-oat-1")]);
    let mut screen = start(&world, &stand_in).await;
    screen.type_in("hello there").await;
    choose(&mut screen, "anthropic", "Anthropic").await;
    let page = page(&mut screen).await;
    let state = page("state");
    screen.type_in(&format!("http://localhost:1/callback?code=code-1&state={state}\r")).await;
    screen.see("signed in").await;
    let exchange = stand_in.requests(CLAUDE_TOKEN).pop().unwrap();
    assert!(exchange.fields["code"] == "code-1" && exchange.proves(&page("code_challenge")), "{exchange:?}");
    assert_eq!(stored(&world)["anthropic"]["access"], "sk-ant-oat-1");
    assert_eq!(stored(&world)["anthropic"]["type"], "oauth");
    goes_on(screen, &provider, "sk-ant-oat-1").await;
}

#[tokio::test]
async fn with_a_code_that_is_entered_on_another_device() {
    let provider = Provider::start([answer("the answer")]).await;
    let (world, stand_in) = (world(&provider), StandIn::start().await);
    stand_in.answer(KIMI_DEVICE, [code()]);
    stand_in.answer(KIMI_TOKEN, [(400, json!({"error": "authorization_pending"})), token("kimi-1")]);
    let mut screen = start(&world, &stand_in).await;
    screen.type_in("hello there").await;
    choose(&mut screen, "kimi-coding", "Kimi").await;
    screen
        .until(|terminal| ["ABCD-1234", "https://www.kimi.example"].iter().all(|text| terminal.screen().contains(text)))
        .await;
    screen.see("signed in").await;
    let polls = stand_in.requests(KIMI_TOKEN);
    assert!(polls.len() == 2 && polls.iter().all(|poll| poll.fields["device_code"] == "device-1"), "{polls:?}");
    assert_eq!(stored(&world)["kimi-coding"]["access"], "kimi-1");
    goes_on(screen, &provider, "kimi-1").await;
}

/// Each refusal is said, stores nothing and leaves the message where it was written, until there is a model.
#[tokio::test]
async fn a_message_outlives_sign_ins_that_are_refused() {
    let provider = Provider::start([answer("the answer")]).await;
    let (world, stand_in) = (world(&provider), StandIn::start().await);
    stand_in.answer(KIMI_DEVICE, [code()]);
    stand_in.answer(KIMI_TOKEN, [(400, json!({"error": "access_denied"})), token("kimi-1")]);
    let is_in_editor = |terminal: &Terminal| terminal.rows().iter().any(|row| row.trim() == "hello there");
    let mut screen = start(&world, &stand_in).await;
    screen.type_in("hello there").await;

    choose(&mut screen, "anthropic", "Anthropic").await;
    let state = page(&mut screen).await("state");
    screen.type_in(&format!("http://localhost:1/callback?error=access_denied&state={state}\r")).await;
    screen.until(|terminal| terminal.screen().contains("access_denied") && is_in_editor(terminal)).await;
    assert!(stand_in.requests(CLAUDE_TOKEN).is_empty() && stored(&world) == json!({}));

    choose(&mut screen, "kimi-coding", "Kimi").await;
    screen.until(|terminal| !terminal.screen().contains("Sign in to") && is_in_editor(terminal)).await;
    assert!(stand_in.requests(KIMI_TOKEN).len() == 1 && stored(&world) == json!({}));
    assert!(provider.requests().is_empty());

    choose(&mut screen, "kimi-coding", "Kimi").await;
    screen.see("signed in").await;
    goes_on(screen, &provider, "kimi-1").await;
}
