//! The commands on sound and damaged sessions: what people and programs get to see.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::session_command::samples::{HEADER, answer, entry, result, sound, user};
use crate::session_command::world::World;

const NAME: &str = "2026-11-21T20-14-22-840Z_01a1ffbe-e478-7596-a9ad-abb31f51cf1b.jsonl";

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_session_is_listed_shown_and_drawn() {
    let world = World::new();
    world.session(NAME, &sound());
    insta::assert_snapshot!(world.transcript(&[
        &["ls"],
        &["ls", "--all"],
        &["show", "01a1ffbe"],
        &["show", "01a1ffbe", "--branch", "00000007"],
        &["show", "01a1ffbe", "--entry", "00000008"],
        &["tree", "01a1ffbe"],
        &["search", "translate"],
        &["search", "--all", "the", "WORDS"],
        &["search", "nowhere"],
        &["doctor", "01a1ffbe"],
    ]));
}

#[test]
fn programs_get_json() {
    let world = World::new();
    let file = world.session(NAME, &sound());
    insta::assert_snapshot!(world.transcript(&[
        &["ls", "--json"],
        &["tree", "01a1ffbe", "--json"],
        &["search", "--json", "translate"],
        &["doctor", "--json", "01a1ffbe"],
    ]));
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let shown = world.success(&["show", "--json", "01a1ffbe"]);
    let trunk = [1, 2, 3, 4, 5, 9, 10, 11, 12, 13, 14].map(|place| lines[place]);
    assert_eq!(shown.lines().collect::<Vec<_>>(), trunk, "entries are as they are in the file");
    assert_eq!(world.success(&["show", "--json", "01a1ffbe", "--entry", "00000007"]).trim_end(), lines[7]);
    assert_eq!(json_lines(&shown).len(), trunk.len());
}

#[test]
fn branches_stay_narrow_and_straight_lines_straight() {
    let world = World::new();
    let mut lines = vec![HEADER.to_owned(), user("r", None, "root")];
    let mut last = "r".to_owned();
    for turn in 0..4 {
        let id = format!("t{turn}");
        lines.push(answer(&id, &last, &format!("trunk {turn}")));
        for side in 0..turn {
            lines.push(user(&format!("s{turn}{side}"), Some(&id), "side"));
            lines.push(answer(&format!("x{turn}{side}"), &format!("s{turn}{side}"), "side goes on"));
        }
        // What nobody says is no line of its own.
        lines.push(entry("thinking_level_change", &format!("h{turn}"), &id, r#""thinkingLevel":"high""#));
        last = format!("h{turn}");
    }
    lines.push(user("z1", Some("s31"), "a side branch of a side branch"));
    lines.push(user("other", None, "another root"));
    lines.push(answer("leaf", &last, "the end"));
    lines.push(entry("label", "l", "leaf", r#""targetId":"t2","label":"here""#));
    let file = world.session("s.jsonl", &lines);
    insta::assert_snapshot!(world.success(&["tree", file.to_str().unwrap()]));
}

#[test]
fn results_are_shortened_and_failures_shown() {
    let world = World::new();
    let long: Vec<String> = (1..=20).map(|line| format!("line {line} {}", "x".repeat(300))).collect();
    let failed = answer("b", "a", "partial")
        .replace(r#""stopReason":"stop""#, r#""stopReason":"error","errorMessage":"overloaded""#);
    let file = world.session(
        "s.jsonl",
        &[HEADER.to_owned(), user("a", None, "hi"), failed, result("c", "b", "call_1", &long.join("\n"))],
    );
    let shown = world.success(&["show", file.to_str().unwrap()]);
    assert!(shown.contains("[error: overloaded]") && shown.contains("… 15 more lines"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() < 250), "{shown}");
    let whole = world.success(&["show", file.to_str().unwrap(), "--entry", "c"]);
    assert!(whole.contains("line 20 ") && whole.contains(&"x".repeat(300)));
}

#[test]
fn a_damaged_session_is_explained_and_repaired() {
    let world = World::new();
    let mut lines = sound();
    lines[5].truncate(100);
    lines[9] = format!("\0\0\0\0{}", lines[9]);
    let file = world.session(NAME, &lines);
    let before = fs::read(&file).unwrap();
    let path = file.to_str().unwrap();
    insta::assert_snapshot!(world.transcript(&[
        &["doctor", "01a1ffbe"],
        &["doctor", "01a1ffbe", "--repair"],
        // The copy has the id, too, and is newer.
        &["doctor", "01a1ffbe", "--repair"],
        &["doctor", path, "--repair", "mine.jsonl"],
        &["doctor", path, "--repair", "mine.jsonl"],
    ]));
    assert_eq!(fs::read(&file).unwrap(), before);
    let run = world.run(&["doctor", "--json", path, "--repair", "third.jsonl"]);
    let repaired = json_lines(&run.stdout).remove(0);
    assert_eq!((&repaired["errors"], &repaired["sound"]), (&4.into(), &false.into()), "{repaired}");
    assert_eq!((&repaired["repaired"]["entries"], &repaired["repaired"]["setAside"]), (&13.into(), &2.into()));
    assert!(world.cwd().join("third.jsonl.rejected").is_file());
}

#[test]
fn sessions_go_out_and_come_in() {
    let world = World::new();
    world.session(NAME, &sound());
    assert_eq!(world.success(&["export", "01a1ffbe", "out/page.html"]), "Exported to: out/page.html\n");
    assert!(fs::read_to_string(world.cwd().join("out/page.html")).unwrap().starts_with("<!DOCTYPE html>"));
    assert_eq!(
        world.success(&["export", "01a1ffbe", "branch.jsonl", "--json"]),
        "{\"path\":\"ROOT/project/branch.jsonl\"}\n"
    );
    let branch = fs::read_to_string(world.cwd().join("branch.jsonl")).unwrap();
    assert_eq!(branch.lines().count(), 12);
    let default = format!("pi-session-{}.html", NAME.trim_end_matches(".jsonl"));
    assert_eq!(world.success(&["export", "01a1ffbe"]), format!("Exported to: {default}\n"));
    assert!(world.cwd().join(default).is_file());

    // From another machine: the directory that it names does not exist here.
    let foreign = world.file("foreign.jsonl", (sound().join("\n") + "\n").as_bytes());
    let imported = world.success(&["import", "foreign.jsonl"]);
    assert!(imported.ends_with("foreign.jsonl\n"), "{imported}");
    assert_eq!(fs::read(world.sessions().join("foreign.jsonl")).unwrap(), fs::read(foreign).unwrap());
    assert_eq!(
        world.success(&["import", "foreign.jsonl", "--session-dir", "kept"]),
        "Imported to: ROOT/project/kept/foreign.jsonl\n"
    );
    assert_eq!(world.success(&["ls", "--all", "--session-dir", "kept"]).lines().count(), 1);
}

#[test]
fn content_cannot_control_the_terminal() {
    let world = World::new();
    let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\r\u{9b}31m\u{202e}end";
    let label = entry("label", "b", "a", r#""targetId":"a","label":"\u001b[31mred""#);
    let file = world.session("h.jsonl", &[HEADER.to_owned(), user("a", None, hostile), label]);
    let file = file.to_str().unwrap();
    for args in [
        &["show", file][..],
        &["tree", file],
        &["ls"],
        &["search", "owned"],
        &["doctor", file],
        &["show", file, "--entry", "\u{1b}x"],
    ] {
        let run = world.run(args);
        let control = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!run.stdout.contains(control) && !run.stderr.contains(control), "{args:?}: {run:?}");
    }
    let raw = world.success(&["show", file, "--entry", "a", "--json"]);
    assert!(raw.contains('\u{9b}'), "programs get every byte");
}

/// Runs on a terminal that the program `script` makes; `None` where there is no such program.
#[cfg(target_os = "linux")]
fn on_a_terminal(world: &World, args: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &format!("{} session {args}", crate::session_command::world::PROGRAM), "/dev/null"]);
    command.current_dir(world.cwd()).env_clear().stdin(Stdio::null()).envs(variables.iter().copied());
    command.env("HOME", world.root()).env("PI_CODING_AGENT_DIR", world.root().join("agent"));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let output = command.output().ok()?;
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn colours_are_for_terminals_that_want_them() {
    let world = World::new();
    world.session("s.jsonl", &[HEADER.to_owned(), user("a", None, "bell \u{7} and \u{9b}31m")]);
    let Some(coloured) = on_a_terminal(&world, "tree 01a1ffbe", &[("TERM", "xterm")]) else {
        eprintln!("skipped: there is no program `script`");
        return;
    };
    assert!(coloured.contains("\u{1b}[33ma\u{1b}[0m"), "{coloured:?}");
    assert!(coloured.contains("bell \u{2407} and \u{fffd}31m"), "{coloured:?}");
    for variables in [&[("TERM", "dumb")][..], &[("TERM", "xterm"), ("NO_COLOR", "1")]] {
        let plain = on_a_terminal(&world, "tree 01a1ffbe", variables).unwrap();
        assert!(!plain.contains('\u{1b}'), "{plain:?}");
    }
    let json = on_a_terminal(&world, "show 01a1ffbe --json", &[("TERM", "xterm")]).unwrap();
    assert!(json.contains(r"bell \u0007 and \u009b31m"), "{json:?}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let world = World::new();
    let mut lines = vec![HEADER.to_owned(), user("00000000", None, "first")];
    lines.extend((1..4000).map(|n| user(&format!("{n:08x}"), Some(&format!("{:08x}", n - 1)), &"word ".repeat(20))));
    let file = world.session("long.jsonl", &lines);
    for args in [["tree", file.to_str().unwrap()], ["show", file.to_str().unwrap()]] {
        let mut child = world.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]), "{first}");
    }
}

#[test]
fn deep_sessions_are_no_problem() {
    const DEPTH: usize = 50_000;
    let world = World::new();
    let mut lines = vec![HEADER.to_owned(), user("00000000", None, "first")];
    lines.extend((1..DEPTH).map(|n| user(&format!("{n:08x}"), Some(&format!("{:08x}", n - 1)), "next")));
    let file = world.session("deep.jsonl", &lines);
    let file = file.to_str().unwrap();
    let tree = world.success(&["tree", file]);
    assert_eq!(tree.lines().count(), DEPTH);
    assert!(tree.lines().all(|line| line.starts_with("* ")), "a straight line is not indented");
    assert_eq!(world.success(&["tree", file, "--json"]).lines().count(), DEPTH);
    assert_eq!(world.success(&["show", file, "--json"]).lines().count(), DEPTH);
    assert!(world.success(&["doctor", file]).contains("sound"));
}
