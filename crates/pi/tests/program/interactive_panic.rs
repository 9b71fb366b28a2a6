//! A panic of the program itself, in a real pseudo-terminal: the terminal comes back, and what is said of it can be read.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::events::HandlerError;
use pi_coding_agent::extension::{Command, View, WindowSize, extension_fn};
use pi_test_kit::{Provider, World, answer};
use serde_json::json;

use crate::screen::{SIZE, Screen};

/// Set where a test has started this binary to be the program.
const IS_PROGRAM: &str = "PI_TEST_IS_PROGRAM";

/// A view that breaks down when something is typed. The loop itself calls it.
struct Fragile;

impl View for Fragile {
    fn rows(&self, _: u16, _: WindowSize) -> BoxFuture<'static, Result<Option<Vec<String>>, HandlerError>> {
        std::future::ready(Ok(Some(vec!["a fragile view".to_owned()]))).boxed()
    }

    fn input(&self, _: &str) {
        panic!("the view broke down");
    }
}

/// The program with that view, and with a command that panics where it is caught.
#[test]
fn program() {
    if std::env::var_os(IS_PROGRAM).is_none() {
        return;
    }
    let fragile = extension_fn("fragile", |pi| async move {
        pi.register_command(Command::new("break", |_, ctx| async move {
            ctx.ui().show("fragile", Arc::new(Fragile), None).await;
            Ok(())
        }));
        pi.register_command(Command::new("stumble", |_, _| async { panic!("the command stumbled") }));
        Ok(())
    });
    std::process::exit(pi::cli::run_with([], vec![fragile]).into());
}

#[tokio::test]
async fn the_terminal_comes_back_and_the_reason_is_told() {
    for mode in ["inline", "fullscreen"] {
        let provider = Provider::start([answer("an answer")]).await;
        let world = World::with(&provider);
        let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "tuiMode": mode, "tuiMouse": true});
        world.write_config("settings.json", &settings);
        let binary = std::env::current_exe().unwrap();
        let variables = [("PROGRAM", binary.to_str().unwrap()), (IS_PROGRAM, "1")];
        let line = "stty -a > before; \"$PROGRAM\" --exact interactive_panic::program --nocapture; \
                    echo \"code $?\"; stty -a | diff - before && echo same terminal";
        let mut screen = Screen::run(&world, line, &variables, SIZE.1);
        screen.see("ctrl+o").await;
        screen.type_in("question\r").await;
        screen.see("an answer").await;
        // One that is caught leaves the screen alone.
        screen.type_in("/stumble\r").await;
        screen.see("It panicked").await;
        assert!(!screen.written.contains("panicked at"), "{mode}: {}", screen.terminal);
        screen.type_in("/break\r").await;
        screen.see("a fragile view").await;
        screen.type_in("x").await;
        screen.see("same terminal").await;
        let (rows, terminal) = screen.ended().await;
        let shown = rows.join("\n");
        assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{mode}: {:?}", terminal.modes());
        let told = ["the command stumbled", "panicked at", "the view broke down", "code 101"];
        for text in told {
            assert!(shown.contains(text), "{mode}: no {text:?} in\n{shown}");
        }
        // What was shown on the main screen stays there.
        assert_eq!(shown.contains("an answer"), mode == "inline", "{shown}");
    }
}
