//! `pi session rm`: into the trash, or away; never what is in use, never what somebody else made.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::session_command::samples::sound;
use crate::session_command::world::World;

const ID: &str = "01a1ffbe-e478-7596-a9ad-abb31f51cf1b";

fn session(world: &World, id: &str) -> PathBuf {
    let lines: Vec<String> = sound().iter().map(|line| line.replace(ID, id)).collect();
    world.session(&format!("2026-11-21T20-14-22-840Z_{id}.jsonl"), &lines)
}

/// A program of this name that keeps what it is given in `kept`, alone on the `PATH`.
fn with_program(world: &World, mut command: Command, name: &str, script: &str) -> Command {
    let bin = world.root().join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(world.root().join("kept")).unwrap();
    let program = bin.join(name);
    let kept = world.root().join("kept");
    fs::write(&program, format!("#!/bin/sh\nPATH=/usr/bin:/bin KEPT='{}'\n{script}\n", kept.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    command.env("PATH", bin);
    command
}

fn without_trash(world: &World, args: &[&str]) -> Command {
    let mut command = world.command(args);
    command.env("PATH", world.root().join("nothing"));
    command
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_session_goes_into_the_trash_with_what_lies_beside_it() {
    for (name, script) in [
        ("trash", "mv \"$@\" \"$KEPT\""),
        ("trash-put", "shift; mv \"$@\" \"$KEPT\""),
        ("gio", "[ \"$1 $2\" = 'trash --' ] && shift 2 && mv \"$@\" \"$KEPT\""),
    ] {
        let world = World::new();
        let file = session(&world, ID);
        let other = session(&world, "01a1ffbe-ffff-7596-a9ad-abb31f51cf1b");
        let beside = |end: &str| PathBuf::from(format!("{}.{end}", file.display()));
        for end in ["effects", "torn-1", "torn-12"] {
            fs::write(beside(end), "x").unwrap();
        }
        // Named alike, and somebody's own.
        fs::write(beside("bak"), "x").unwrap();
        let run = world.finish(with_program(&world, world.command(&["rm", ID, "--yes"]), name, script));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name}");
        assert!(run.stdout.starts_with("trashed: "), "{}", run.stdout);
        assert_eq!(names(&world.root().join("kept")).len(), 4, "{name}");
        assert!(!file.exists() && !beside("effects").exists() && other.exists() && beside("bak").exists());
    }
}

#[test]
fn without_a_trash_it_is_deleted_and_a_trash_that_fails_keeps_it() {
    let world = World::new();
    let file = session(&world, ID);
    let run = world.finish(with_program(&world, world.command(&["rm", ID, "-y"]), "trash", "echo no room >&2; exit 3"));
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("is not removed: ") && run.stderr.contains("trash failed: no room"), "{}", run.stderr);
    assert!(file.exists());
    let run = world.finish(without_trash(&world, &["rm", "--json", ID, "--yes"]));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let line: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(line["removed"], "deleted");
    assert!(!file.exists());
}

#[test]
fn nothing_is_removed_without_being_asked_for() {
    let world = World::new();
    let file = session(&world, ID);
    let other = session(&world, "01a1ffbe-ffff-7596-a9ad-abb31f51cf1b");
    let foreign = world.file("notes.jsonl", b"{\"mine\": true}\n");
    for (args, complaint) in [
        (&["rm", ID][..], "nobody can be asked: give --yes to remove without a question"),
        (&["rm", "01a1ffbe", "--yes"], "2 sessions have an id that begins with \"01a1ffbe\": give more of it"),
        (&["rm", ID, "nowhere", "--yes"], "no session has an id that begins with \"nowhere\""),
        (&["rm", "notes.jsonl", "--yes"], "is no session; nothing was removed"),
        (
            &["rm", "--older-than", "30", "--yes"],
            "\"30\" is no age: write a number of days or weeks, such as 30d or 8w",
        ),
    ] {
        let run = world.finish(without_trash(&world, args));
        assert_eq!(run.code, 1, "{args:?}");
        assert!(run.stderr.contains(complaint), "{args:?}: {}", run.stderr);
    }
    for args in [&["rm"][..], &["rm", ID, "--older-than", "30d"]] {
        assert_eq!(world.run(args).code, 2, "{args:?}");
    }
    assert!(file.exists() && other.exists() && foreign.exists());
}

#[test]
fn a_session_in_use_stays() {
    let world = World::new();
    let file = session(&world, ID);
    let open = fs::File::options().read(true).append(true).open(&file).unwrap();
    open.try_lock().unwrap();
    let run = world.finish(without_trash(&world, &["rm", ID, "--yes"]));
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("is not removed: ") && file.exists(), "{}", run.stderr);
    drop(open);
    assert_eq!(world.finish(without_trash(&world, &["rm", ID, "--yes"])).code, 0);
    assert!(!file.exists());
}

#[test]
fn old_sessions_are_those_of_this_directory() {
    let world = World::new();
    let day = |days: u64| pi_ai::Clock::now_ms(&*pi_ai::system_clock()) - i64::try_from(days * 86_400_000).unwrap();
    let of_age = |name: &str, cwd: &str, days: u64| {
        let header = format!(
            r#"{{"type":"session","version":3,"id":"{name}","timestamp":"2020-01-01T00:00:00.000Z","cwd":"{cwd}"}}"#
        );
        let said = format!(
            r#"{{"type":"message","id":"a","parentId":null,"timestamp":"2020-01-01T00:00:00.000Z","message":{{"role":"user","content":"x","timestamp":{}}}}}"#,
            day(days)
        );
        world.session(&format!("2020-01-01T00-00-00-000Z_{name}.jsonl"), &[header, said])
    };
    let (old, young) = (of_age("old", "/srv/app", 40), of_age("young", "/srv/app", 20));
    let elsewhere = world.root().join("agent/sessions/--elsewhere--");
    fs::create_dir_all(&elsewhere).unwrap();
    let far = elsewhere.join("2020-01-01T00-00-00-000Z_far.jsonl");
    fs::copy(&old, &far).unwrap();
    let run = world.finish(without_trash(&world, &["rm", "--older-than", "30d", "--yes"]));
    assert_eq!((run.code, run.stdout.lines().count()), (0, 1), "{}", run.stderr);
    assert!(!old.exists() && young.exists() && far.exists());
    let run = world.finish(without_trash(&world, &["rm", "--older-than", "5w", "--yes"]));
    assert_eq!((run.code, run.stderr.as_str()), (0, "No session of this directory is that old\n"));
}

#[test]
fn names_of_sessions_are_found() {
    let world = World::new();
    let mut lines = sound();
    lines.push(r#"{"type":"session_info","id":"n1","parentId":"00000009","timestamp":"2026-11-21T20:20:00.000Z","name":"Zebra crossing"}"#.to_owned());
    world.session(&format!("2026-11-21T20-14-22-840Z_{ID}.jsonl"), &lines);
    let found = world.success(&["search", "zebra"]);
    assert!(found.contains("n1  name: Zebra crossing"), "{found}");
    let line: serde_json::Value = serde_json::from_str(world.success(&["search", "--json", "cross"]).trim()).unwrap();
    assert_eq!(
        (&line["role"], &line["name"], &line["entryId"]),
        (&"name".into(), &"Zebra crossing".into(), &"n1".into())
    );
    // A name that was given up is not the session's.
    lines.push(
        r#"{"type":"session_info","id":"n2","parentId":"n1","timestamp":"2026-11-21T20:21:00.000Z","name":"Lion"}"#
            .to_owned(),
    );
    world.session(&format!("2026-11-21T20-14-22-840Z_{ID}.jsonl"), &lines);
    assert_eq!(world.run(&["search", "zebra"]).code, 1);
    assert!(world.success(&["search", "lion"]).contains("Lion"));
}
