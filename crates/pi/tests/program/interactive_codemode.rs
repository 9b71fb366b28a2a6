//! Scripts of the model in a real pseudo-terminal: what is shown of them, and questions about their calls.
#![cfg(feature = "typescript")]

use pi_test_kit::{Provider, Reply, World, answer, tool_call};
use serde_json::json;

use crate::screen::Screen;

fn script(script: &str) -> [Reply; 2] {
    [tool_call("t1", "codemode", &json!({"script": script})), answer("all done")]
}

#[tokio::test]
async fn a_script_is_shown_with_its_calls_also_when_the_session_goes_on() {
    let work = "const text = await tools.read({ path: 'notes.txt' });\nawait tools.edit({ path: 'notes.txt', edits: [{ oldText: 'one', newText: 'two' }] });\ntry { await tools.read({ path: 'missing.txt' }) } catch { }\nreturn `was ${text}`";
    let provider = Provider::start(script(work)).await;
    let world = World::with(&provider);
    world.write("notes.txt", "one\n");
    let shown =
        ["const text = await", "- read notes.txt", "- edit notes.txt", "- read missing.txt (failed)", "was one"];
    let mut screen = Screen::start(&world, "--tools +codemode");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("all done").await;
    for text in shown {
        screen.see(text).await;
    }
    // What it edited is among the changes of the session.
    screen.type_in("/changes\r").await;
    screen.see("+1 two").await;
    screen.type_in("\x1b").await;
    screen.until(|terminal| !terminal.screen().contains("Changes:")).await;
    screen.type_in("\x04").await;
    screen.ended().await;
    // Without the tool, too: the session has all of it.
    let mut screen = Screen::start(&world, "-c");
    for text in shown {
        screen.see(text).await;
    }
    screen.type_in("\x04").await;
    screen.ended().await;
}

#[tokio::test]
async fn its_calls_are_asked_about_and_a_no_is_an_error_of_the_script() {
    let work = "await tools.bash({ command: 'touch allowed' });\ntry { await tools.bash({ command: 'touch refused' }) } catch (error) { return error.message }";
    let provider = Provider::start(script(work)).await;
    let world = World::with(&provider);
    let mut screen = Screen::start(&world, "--tools +codemode --ask commands");
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("Always allow `touch allowed`").await;
    screen.type_in("\r").await;
    screen.see("Always allow `touch refused`").await;
    screen.type_in("\x1b").await;
    screen.see("all done").await;
    screen.type_in("\x04").await;
    screen.ended().await;
    assert!(world.cwd().join("allowed").exists() && !world.cwd().join("refused").exists());
    let told = provider.requests()[1].texts("user").join("\n") + &provider.requests()[1].body.to_string();
    assert!(told.contains("The user"), "{told}");
}
