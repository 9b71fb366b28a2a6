//! Panics in a real pseudo-terminal. One of an extension is told and goes no further; after one of the program itself the
//! terminal comes back, and what is said of it can be read.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::events::HandlerError;
use pi_coding_agent::extension::{Command, OverlayOptions, View, WindowSize, extension_fn};
use pi_test_kit::{Provider, World, answer, wait_until};
use serde_json::json;
use tokio::sync::Notify;

use crate::screen::{SIZE, Screen};

/// Set where a test has started this binary to be the program, with these arguments.
const ARGUMENTS: &str = "PI_TEST_PROGRAM_ARGUMENTS";

/// A view that panics when something is typed.
struct Fragile;

impl View for Fragile {
    fn rows(&self, _: u16, _: WindowSize) -> BoxFuture<'static, Result<Option<Vec<String>>, HandlerError>> {
        std::future::ready(Ok(Some(vec!["a fragile view".to_owned()]))).boxed()
    }

    fn input(&self, _: &str) {
        panic!("the view could not stand it");
    }
}

/// A view that goes when something is typed, and panics when the loop lets go of it: nobody catches that.
struct Brittle(Arc<Notify>);

impl View for Brittle {
    fn rows(&self, _: u16, _: WindowSize) -> BoxFuture<'static, Result<Option<Vec<String>>, HandlerError>> {
        std::future::ready(Ok(Some(vec!["a brittle view".to_owned()]))).boxed()
    }

    fn input(&self, _: &str) {
        self.0.notify_one();
    }
}

impl Drop for Brittle {
    fn drop(&mut self) {
        panic!("the view broke down");
    }
}

/// The program with those views, and with a command that panics.
#[test]
fn program() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    let fragile = extension_fn("fragile", |pi| async move {
        pi.register_command(Command::new("tremble", |place, ctx| async move {
            let overlay = (place == "above").then(OverlayOptions::default);
            // What looks at the key first breaks down, too.
            let screen = ctx.ui().screen().unwrap();
            let hook =
                screen.hook_input("fragile", Arc::new(|_| -> BoxFuture<_> { panic!("the hook could not, either") }));
            ctx.ui().show("fragile", Arc::new(Fragile), overlay).await;
            screen.unhook_input(hook);
            ctx.ui().notify("the wait is over", None).await;
            Ok(())
        }));
        pi.register_command(Command::new("break", |_, ctx| async move {
            let typed = Arc::new(Notify::new());
            let ui = ctx.ui();
            tokio::select! {
                () = ui.show("fragile", Arc::new(Brittle(Arc::clone(&typed))), None) => {}
                () = typed.notified() => {}
            }
            Ok(())
        }));
        pi.register_command(Command::new("stumble", |_, _| async { panic!("the command stumbled") }));
        Ok(())
    });
    std::process::exit(pi::cli::run_with(arguments.split_whitespace().map(Into::into), vec![fragile]).into());
}

/// Breaks a screen that says of its terminal that it is the same as before; what stands there then.
async fn broken(mut screen: Screen) -> String {
    screen.type_in("/break\r").await;
    screen.see("a brittle view").await;
    screen.type_in("x").await;
    screen.see("same terminal").await;
    let (rows, terminal) = screen.ended().await;
    assert!(terminal.modes().is_empty() && terminal.shows_cursor(), "{:?}\n{rows:#?}", terminal.modes());
    rows.join("\n")
}

#[tokio::test]
async fn the_terminal_comes_back_and_the_reason_is_told() {
    for mode in ["inline", "fullscreen"] {
        let provider = Provider::start([answer("an answer")]).await;
        let world = World::with(&provider);
        let settings = json!({"defaultProvider": "mock", "defaultModel": "m1", "tuiMode": mode, "tuiMouse": true});
        world.write_config("settings.json", &settings);
        let binary = std::env::current_exe().unwrap();
        let variables = [("PROGRAM", binary.to_str().unwrap()), (ARGUMENTS, "")];
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
        for command in ["/tremble\r", "/tremble above\r"] {
            screen.type_in(command).await;
            screen.see("a fragile view").await;
            screen.type_in("x").await;
            screen.see("fragile was taken off the screen: it panicked").await;
            screen.see("the wait is over").await;
        }
        let shown = broken(screen).await;
        let told = [
            "the command stumbled",
            "panicked at",
            "the hook could not",
            "could not stand it",
            "the view broke down",
            "code 101",
        ];
        for text in told {
            assert!(shown.contains(text), "{mode}: no {text:?} in\n{shown}");
        }
        // What was shown on the main screen stays there.
        assert_eq!(shown.contains("an answer"), mode == "inline", "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_breaks_down_lets_its_client_go_and_the_session_goes_on() {
    let provider = Provider::start([answer("an answer"), answer("another answer")]).await;
    let world = World::with(&provider);
    let binary = std::env::current_exe().unwrap();
    let server = world
        .shell("exec \"$PROGRAM\" --exact interactive_panic::program --nocapture")
        .env("PROGRAM", binary.to_str().unwrap())
        .env(ARGUMENTS, "--mode rpc --listen")
        .start();
    let socket = world.agent_dir().join(format!("run/{}.sock", server.id()));
    wait_until("the program listens", || socket.exists()).await;
    let line = "stty -a > before; \"$PI\" attach; echo \"code $?\"; stty -a | diff - before && echo same terminal";
    let mut screen = Screen::run(&world, line, &[], SIZE.1);
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see("an answer").await;
    let shown = broken(screen).await;
    assert!(shown.contains("the screen broke down (the view broke down)") && shown.contains("code 1"), "{shown}");
    let mut screen = Screen::start(&world, "attach");
    screen.see("an answer").await;
    screen.type_in("go on\r").await;
    screen.see("another answer").await;
    world.pi(&["attach", "--end"]).run().await.success();
    screen.ended().await;
    server.finish().await;
}
