//! Bad input: every complaint names the thing and the way out, on standard error, with the right exit code.

use std::fs;

use crate::session_command::samples::{sound, user};
use crate::session_command::world::World;

#[test]
fn usage() {
    let world = World::new();
    insta::assert_snapshot!(world.transcript(&[
        &[],
        &["frobnicate"],
        &["shwo", "x"],
        &["show"],
        &["show", "x", "--branch"],
        &["show", "x", "--entry", "a", "--branch", "b"],
        &["ls", "--colour"],
        &["search"],
        &["search", "re:("],
    ]));
}

#[test]
fn files() {
    let world = World::new();
    world.file("empty.jsonl", b"");
    world.file("notes.txt", b"hello\nworld\n");
    world.file("headless.jsonl", (user("a", None, "one") + "\n").as_bytes());
    world.session("s.jsonl", &sound());
    fs::create_dir(world.cwd().join("dir.jsonl")).unwrap();
    let id = "01a1ffbe";
    insta::assert_snapshot!(world.transcript(&[
        &["show", "missing.jsonl"],
        &["show", "no-such-id"],
        &["show", ""],
        &["show", "dir.jsonl"],
        &["doctor", "dir.jsonl"],
        &["show", "empty.jsonl"],
        &["doctor", "empty.jsonl"],
        &["doctor", "empty.jsonl", "--repair"],
        &["tree", "./notes.txt"],
        &["doctor", "notes.txt"],
        &["doctor", "notes.txt", "--json", "--repair"],
        &["show", "headless.jsonl"],
        &["show", id, "--entry", "0000"],
        &["show", id, "--branch", "ffffffff"],
        &["export", id, "dir.jsonl"],
        &["import", "missing.jsonl"],
        &["import", "notes.txt"],
        &["import", id],
    ]));
}

#[test]
fn there_may_be_nothing() {
    let world = World::new();
    fs::remove_dir(world.sessions()).unwrap();
    insta::assert_snapshot!(world.transcript(&[&["ls"], &["ls", "--all"], &["ls", "--json"], &["search", "x"]]));
    assert!(!world.sessions().exists(), "looking makes no directory");
}

#[cfg(unix)]
#[test]
fn a_full_device_is_an_error() {
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        eprintln!("skipped: this system has no /dev/full");
        return;
    };
    let world = World::new();
    world.session("s.jsonl", &sound());
    let mut command = world.command(&["tree", "01a1ffbe"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("Error: cannot write to standard output: "), "{stderr}");
}
