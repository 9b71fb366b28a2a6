//! Print mode on a terminal: `script` gives it one. Into a pipe or a file goes the answer and nothing else.

use std::fs;

use serde_json::json;

use pi_test_kit::{Provider, Reply, World, answer, fail, tool_call};

const MARKDOWN: &str = "# Title\nSome **bold** text with `code`.\n- one";

/// What a terminal shows of a command line in which `$PI` is the program.
async fn shown(world: &World, line: &str, variables: &[(&str, &str)]) -> String {
    let mut pi = world.shell(&format!("exec script -qefc '{line}' /dev/null"));
    for (name, value) in variables {
        pi = pi.env(name, value);
    }
    pi.run().await.stdout.replace("\r\n", "\n")
}

#[tokio::test]
async fn answers_are_rendered_and_a_line_closes_the_run() {
    let provider = Provider::start([answer(MARKDOWN), answer(MARKDOWN)]).await;
    let world = World::with(&provider);
    let text = shown(&world, "\"$PI\" -p hi", &[("TERM", "xterm")]).await;
    for part in ["\x1b[1mTitle\x1b[0m", "\x1b[1mbold\x1b[0m", "\x1b[36mcode\x1b[0m", "• one", "7 tokens in, 5 out"] {
        assert!(text.contains(part), "{part:?}: {text:?}");
    }
    assert!(text.contains("to go on: pi -c -p"), "{text:?}");
    let plain = shown(&world, "\"$PI\" -p --no-session hi", &[("TERM", "xterm"), ("NO_COLOR", "1")]).await;
    assert!(plain.contains(MARKDOWN) && !plain.contains('\x1b') && !plain.contains("to go on"), "{plain:?}");
}

#[tokio::test]
async fn output_of_calls_is_shown_while_they_run_and_failures_as_such() {
    let call = |id: &str, command: &str| tool_call(id, "bash", &json!({"command": command}));
    let replies = || [call("t1", "echo seen; sleep 1; echo later"), call("t2", "echo before; exit 3"), answer("done")];
    let provider = Provider::start(replies()).await;
    let world = World::with(&provider);
    let text = shown(&world, "\"$PI\" -p hi", &[("TERM", "xterm")]).await;
    for part in ["\x1b[36m[bash]\x1b[0m echo seen", "\x1b[90m  seen\x1b[0m", "\x1b[31m[bash] failed: ", "done"] {
        assert!(text.contains(part), "{part:?}: {text:?}");
    }
    let provider = Provider::start([fail(400, "invalid_request_error", "no such thing")]).await;
    let world = World::with(&provider);
    let text = shown(&world, "\"$PI\" -p hi; echo code $?", &[("TERM", "xterm")]).await;
    assert!(text.contains("\x1b[31m400 ") && text.contains("code 1"), "{text:?}");
}

#[tokio::test]
async fn an_answer_cannot_control_the_terminal() {
    let provider = Provider::start([answer("a\u{1b}]0;title\u{7}b\u{1b}[2J")]).await;
    let world = World::with(&provider);
    let text = shown(&world, "\"$PI\" -p hi", &[("TERM", "xterm")]).await;
    assert!(!text.contains("\x1b]0") && !text.contains("\x1b[2J") && text.contains("title"), "{text:?}");
}

#[tokio::test]
async fn pipes_and_files_get_the_answer_byte_for_byte() {
    let call = || tool_call("t1", "bash", &json!({"command": "echo ran"}));
    let provider = Provider::start([call(), answer(MARKDOWN), call(), answer(MARKDOWN), answer(MARKDOWN)]).await;
    let world = World::with(&provider);
    assert_eq!(world.run(&["-p", "hi"]).await.success(), format!("{MARKDOWN}\n"));
    let text = shown(&world, "\"$PI\" -p hi > out.txt", &[("TERM", "xterm")]).await;
    assert_eq!(fs::read_to_string(world.cwd().join("out.txt")).unwrap(), format!("{MARKDOWN}\n"));
    assert!(text.contains("[bash]") && text.contains("tokens in"), "progress on standard error: {text:?}");
    let piped = shown(&world, "\"$PI\" -p hi | cat > out.txt", &[("TERM", "xterm"), ("FORCE_COLOR", "1")]).await;
    assert_eq!(piped, "", "whoever reads the pipe shows it");
    assert_eq!(fs::read_to_string(world.cwd().join("out.txt")).unwrap(), format!("{MARKDOWN}\n"));
}

#[tokio::test]
async fn colours_can_be_forced() {
    let provider = Provider::start([Reply::plain(400, "broken"), Reply::plain(400, "broken")]).await;
    let world = World::with(&provider);
    let forced = world.pi(&["-p", "hi"]).env("FORCE_COLOR", "1").run().await;
    assert!(forced.stderr.contains("\x1b[31m400"), "{:?}", forced.stderr);
    assert!(!world.run(&["-p", "hi"]).await.stderr.contains('\x1b'));
    let listed = world.pi(&["models"]).env("FORCE_COLOR", "1").run().await;
    assert!(listed.stdout.contains("\x1b[1m"), "{:?}", listed.stdout);
}
