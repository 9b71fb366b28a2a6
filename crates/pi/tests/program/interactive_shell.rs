//! Commands of the user (`!`) that extensions run, in a real pseudo-terminal.

use std::fs;

use pi_test_kit::{Provider, World, answer};

use crate::screen::Screen;

#[tokio::test]
async fn an_extension_runs_a_command_of_the_user_or_answers_it() {
    let provider = Provider::start([answer("all done")]).await;
    let world = World::with(&provider);
    let dir = world.agent_dir().join("extensions");
    fs::create_dir_all(&dir).unwrap();
    let text = r#"export default function (pi) {
        pi.on("user_bash", ({ command, excludeFromContext, cwd }) => {
            if (command === "answer") {
                const output = `answered ${excludeFromContext} ${cwd.length > 1}`;
                return { result: { output, exitCode: 0, cancelled: false, truncated: false } };
            }
            if (command === "elsewhere") {
                const exec = async (line, dir, { onData }) => (onData(Buffer.from("ran " + line)), { exitCode: 3 });
                return { operations: { exec } };
            }
            if (command === "wait") return new Promise(() => {});
        });
    }"#;
    fs::write(dir.join("shell.ts"), text).unwrap();
    let mut screen = Screen::start(&world, "");
    screen.see("ctrl+o").await;
    screen.type_in("!answer\r").await;
    screen.see("answered false true").await;
    screen.type_in("!elsewhere\r").await;
    // The next command is taken when this one is over, and not when its output is there.
    screen.see("(exit 3)").await;
    screen.see("ran elsewhere").await;
    screen.type_in("!echo as-usual; exit 4\r").await;
    screen.see("(exit 4)").await;
    screen.type_in("!wait\r").await;
    screen.see("$ wait").await;
    screen.type_in("\x1b").await;
    screen.see("cancelled").await;
    screen.type_in("question\r").await;
    screen.see("all done").await;
    // What was answered is part of the conversation; a question that was cancelled is not.
    let said = provider.requests()[0].texts("user").join("\n");
    for part in ["answered false true", "ran elsewhere", "as-usual"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("wait"), "{said}");
    screen.type_in("\x04").await;
    screen.ended().await;
}
