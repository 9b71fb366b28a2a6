//! Plain mode on a real pseudo-terminal: lines in, lines out, and nothing that moves the cursor.

use pi_test_kit::{Gate, Provider, Reply, World, answer, delta, end, open, tool_call};
use serde_json::json;

use crate::screen::Screen;

/// What was written has no control sequences but the bell and line ends.
fn assert_is_plain(screen: &Screen) {
    let is_foreign = |char: char| char.is_control() && !matches!(char, '\n' | '\r' | '\x07' | '\t');
    let found = screen.written.find(is_foreign);
    assert_eq!(found, None, "{:?}", &screen.written);
}

#[tokio::test]
async fn a_conversation_in_lines() {
    let calls = tool_call("call-1", "bash", &json!({"command": "echo out; echo \"\u{1b}[31mred\""}));
    let provider = Provider::start([calls, answer("It says **red** \u{1b}[2J.")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "--plain");
    screen.see("plain mode. Model mock/m1.").await;
    screen.until_written("> ").await;
    screen.type_in("what does it say?\r").await;
    for text in ["[bash] echo out", "  out", "It says **red**", "Done."] {
        screen.see(text).await;
    }
    assert!(screen.written.contains("Done.\x07"), "{:?}", screen.written);
    screen.type_in("!echo hello; exit 3\r").await;
    screen.see("Exit code 3.").await;
    screen.type_in("!kill -TERM $$\r").await;
    screen.see("Ended by signal 15 (SIGTERM).").await;
    screen.type_in("/thinking low\r").await;
    screen.see("Thinking level low.").await;
    screen.type_in("/model\r").await;
    screen.see("1. mock/m1, in use").await;
    screen.type_in("7\r").await;
    screen.see("\"7\" is none of the numbers 1 to 3.").await;
    screen.type_in("2\r").await;
    screen.see("Model mock/m2.").await;
    screen.type_in("/name of the session\r").await;
    screen.see("Its name is of the session now.").await;
    assert_is_plain(&screen);
    screen.type_in("\x04").await;
    let (rows, _) = screen.ended().await;
    assert!(rows.iter().any(|row| row.starts_with("To resume this session: pi --session ")), "{rows:#?}");
    let mut screen = Screen::start(&world, "--plain -c");
    screen.see("messages goes on.").await;
    screen.see("It says **red**").await;
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn a_run_is_steered_and_stopped() {
    let gate = Gate::new();
    let first = Reply::stream(&(open() + &delta("begun"))).wait(&gate).then(&(delta(" and over") + &end())).end();
    let second = Reply::stream(&(open() + &delta("a long answer"))).hang();
    let provider = Provider::start([first, answer("steered"), second]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "--plain first");
    screen.see("You: first").await;
    screen.see("begun").await;
    screen.type_in("and this\r").await;
    screen.see("Queued: it is delivered before the next step.").await;
    gate.open();
    screen.see("steered").await;
    screen.see("Done.").await;
    assert_eq!(provider.requests()[1].texts("user"), ["first", "and this"]);
    screen.type_in("more\r").await;
    screen.see("a long answer").await;
    screen.type_in("\x03").await;
    screen.see("Stopping.").await;
    screen.see("Stopped.").await;
    screen.until(|terminal| terminal.screen().matches("Done.").count() == 2).await;
    assert_is_plain(&screen);
    screen.type_in("/quit\r").await;
    screen.ended().await;
}

#[tokio::test]
async fn questions_are_numbered() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    let asks = world.write(
        "asks.js",
        "export default (pi) => pi.registerCommand('ask', { handler: async (_, ctx) => {
            const color = await ctx.ui.select('Which colour?', ['red', 'blue']);
            const sure = await ctx.ui.confirm('Sure?', 'About ' + color);
            const name = await ctx.ui.input('Name', 'Ada');
            ctx.ui.notify([color, sure, name].join(' '), 'warning');
        } });",
    );
    let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "terminal": {"plain": true}});
    world.write_config("settings.json", &settings);
    let mut screen = Screen::start(&world, &format!("-e {}", asks.display()));
    screen.see("plain mode").await;
    screen.type_in("/ask\r").await;
    screen.see("Question: Which colour?").await;
    screen.see("2. blue").await;
    screen.type_in("2\r").await;
    screen.see("About blue").await;
    screen.type_in("maybe\r").await;
    screen.see("\"maybe\" is neither y nor n.").await;
    screen.type_in("y\r").await;
    screen.see("Name (such as Ada)").await;
    screen.type_in("Grace\r").await;
    screen.see("Warning: blue true Grace").await;
    screen.type_in("hello\r").await;
    screen.see("fine").await;
    screen.see("Done.").await;
    assert_is_plain(&screen);
    screen.type_in("\x03").await;
    screen.see("Ctrl+C once more").await;
    screen.type_in("\x03").await;
    screen.ended().await;
}

#[tokio::test]
async fn sessions_are_chosen_by_number() {
    let provider = Provider::start([answer("first reply"), answer("second reply")]).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "--plain");
    screen.until_written("> ").await;
    screen.type_in("question one\r").await;
    screen.see("Done.").await;
    screen.type_in("/new\r").await;
    screen.see("A new session.").await;
    screen.type_in("/resume\r").await;
    screen.see("1. question one, 2 messages").await;
    screen.type_in("1\r").await;
    screen.see("A session of 2 messages goes on.").await;
    screen.see("The last answer was:").await;
    screen.type_in("question two\r").await;
    screen.see("second reply").await;
    assert_eq!(provider.requests()[1].texts("user"), ["question one", "question two"]);
    screen.type_in("\x04").await;
    screen.ended().await;
}
