//! `/copy`: what is said fits what became of the text.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use pi_test_kit::{Provider, World, answer};

use crate::screen::Screen;

const ANSWER: &str = "the answer to all";

/// A screen with an answer on it, and what was said to the copy command.
async fn copied(world: &World, command: &str, variables: &[(&str, &str)], said: &str) -> Screen {
    let mut screen = Screen::start_with(world, "", variables);
    screen.see("ctrl+o").await;
    screen.type_in("question\r").await;
    screen.see(ANSWER).await;
    screen.type_in(command).await;
    screen.see(said).await;
    screen
}

async fn leave(mut screen: Screen) {
    screen.type_in("\x04").await;
    screen.ended().await;
}

/// Puts a program on the path that writes its input to a file; the path.
fn program(world: &World, name: &str) -> String {
    let bin = world.root().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let file = bin.join(name);
    // Options of tmux are asked for, too.
    let script = format!("#!/bin/sh\n[ \"$1\" = show-options ] || cat > {}\n", world.root().join("taken").display());
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap())
}

fn taken(world: &World) -> String {
    fs::read_to_string(world.root().join("taken")).unwrap()
}

#[tokio::test]
async fn a_program_of_the_system_is_believed() {
    let provider = Provider::start([answer(ANSWER)]).await;
    let world = World::with(&provider);
    let path = program(&world, "xclip");
    let variables = [("DISPLAY", ":0"), ("PATH", path.as_str())];
    let screen = copied(&world, "/copy\r", &variables, "The last answer is in the clipboard").await;
    assert_eq!(taken(&world), ANSWER);
    assert_eq!(screen.terminal.clipboard(), None);
    leave(screen).await;
}

#[tokio::test]
async fn a_terminal_is_asked_and_does_not_confirm() {
    let provider = Provider::start([answer(ANSWER)]).await;
    let world = World::with(&provider);
    let screen = copied(&world, "/copy\r", &[("SSH_TTY", "/dev/pts/9")], "was sent to the terminal").await;
    assert_eq!(screen.terminal.clipboard().as_deref(), Some(ANSWER));
    assert!(screen.terminal.screen().contains("/copy FILE"), "{}", screen.terminal);
    leave(screen).await;
}

#[tokio::test]
async fn tmux_keeps_the_text_in_its_buffer() {
    let provider = Provider::start([answer(ANSWER)]).await;
    let world = World::with(&provider);
    let path = program(&world, "tmux");
    let variables = [("TMUX", "/tmp/tmux-0/default,1,0"), ("SSH_TTY", "/dev/pts/9"), ("PATH", path.as_str())];
    let screen = copied(&world, "/copy\r", &variables, "in the buffer of tmux").await;
    assert_eq!(taken(&world), ANSWER);
    leave(screen).await;
}

#[tokio::test]
async fn tmux_that_cannot_be_asked_may_drop_it() {
    let provider = Provider::start([answer(ANSWER)]).await;
    let world = World::with(&provider);
    let variables = [("TERM", "tmux-256color"), ("SSH_TTY", "/dev/pts/9")];
    leave(copied(&world, "/copy\r", &variables, "set -g allow-passthrough on").await).await;
}

#[tokio::test]
async fn a_file_takes_it_and_none_is_overwritten() {
    let provider = Provider::start([answer(ANSWER)]).await;
    let world = World::with(&provider);
    let mut screen = copied(&world, "/copy answer.md\r", &[], "The last answer is in").await;
    let written = || fs::read_to_string(world.cwd().join("answer.md")).unwrap();
    assert_eq!(written(), format!("{ANSWER}\n"));
    fs::write(world.cwd().join("answer.md"), "other").unwrap();
    screen.type_in("/copy answer.md\r").await;
    screen.see("cannot be written").await;
    assert_eq!(written(), "other");
    leave(screen).await;
}
