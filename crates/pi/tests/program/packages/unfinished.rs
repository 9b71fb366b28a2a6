//! Installations that do not get to their end, and several at once. A script plays npm.

use std::fs;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::packages::world::World;

const NPM: &str = "home/.pi/agent/npm";
/// Installs what the last argument names. Where `hang` is there, it never ends in the middle of it, as npm does that waits
/// for a download; it says its id in `begun`. Two at once are a failure.
const FAKE: &str = r#"#!/bin/sh
mkdir "$HOME/working" || exit 9
trap 'rmdir "$HOME/working"' EXIT
for spec; do :; done
name=${spec%@*}
if [ -e "$HOME/hang" ]; then
    rm -rf "node_modules/$name"
    mkdir -p "node_modules/$name" node_modules/dependency
    printf '{' > package.json
    rmdir "$HOME/working"
    echo $$ > "$HOME/begun.new"
    mv "$HOME/begun.new" "$HOME/begun"
    exec sleep 60
fi
mkdir -p "node_modules/$name/skills/$name"
printf -- '---\nname: %s\ndescription: %s\n---\n' "$name" "$spec" > "node_modules/$name/skills/$name/SKILL.md"
printf '{"name": "%s"}' "$name" > "node_modules/$name/package.json"
printf '{"with": "%s"}' "$name" > package.json
"#;

fn world(packages: &[&str]) -> World {
    let world = World::new();
    world.write("bin/npm", FAKE);
    world.program(&["chmod", "+x", "bin/npm"], "");
    let npm = world.path("bin/npm");
    world.write("home/.pi/agent/settings.json", &json!({ "npmCommand": [npm], "packages": packages }).to_string());
    world
}

/// Starts `pi`, and comes back when npm hangs; also its id.
fn hanging(world: &World, args: &[&str]) -> (Child, Pid) {
    world.write("home/hang", "");
    let child = world.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !world.path("home/begun").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let npm = world.read("home/begun").trim().parse().unwrap();
    fs::remove_file(world.path("home/begun")).unwrap();
    fs::remove_file(world.path("home/hang")).unwrap();
    (child, Pid::from_raw(npm).unwrap())
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), signal).unwrap();
}

/// What is installed, with what it was installed as.
fn installed(world: &World) -> Vec<String> {
    let names = world.names(&format!("{NPM}/node_modules"));
    let spec = |name: String| {
        let skill = world.path(&format!("{NPM}/node_modules/{name}/skills/{name}/SKILL.md"));
        let text = fs::read_to_string(skill).unwrap_or_default();
        text.lines().nth(2).map_or(name, |line| line.replace("description: ", ""))
    };
    names.into_iter().map(spec).collect()
}

#[test]
fn an_interrupted_installation_leaves_nothing() {
    for old in [None, Some("tools@1.0.0")] {
        let world = world(&[]);
        old.into_iter().for_each(|old| drop(world.success(&["install", &format!("npm:{old}")])));
        let settings = world.read("home/.pi/agent/settings.json");
        let manifest = fs::read_to_string(world.path(&format!("{NPM}/package.json"))).unwrap_or_default();
        let (child, npm) = hanging(&world, &["install", "npm:tools@2.0.0"]);
        signal(&child, Signal::INT);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "Cancelled\n");
        assert!(kill_process(npm, Signal::KILL).is_err(), "npm has ended");
        assert_eq!(installed(&world), old.into_iter().collect::<Vec<_>>());
        assert_eq!(world.read("home/.pi/agent/settings.json"), settings);
        if old.is_some() {
            assert_eq!(world.read(&format!("{NPM}/package.json")), manifest);
            assert_eq!(world.names(NPM), [".gitignore", ".lock", "node_modules", "package.json"]);
        }
    }
}

#[test]
fn what_was_killed_is_put_back_by_the_next_one() {
    let world = world(&[]);
    world.success(&["install", "npm:tools@1.0.0"]);
    let (mut child, npm) = hanging(&world, &["install", "npm:tools@2.0.0"]);
    child.kill().unwrap();
    child.wait().unwrap();
    // It ends with pi, sooner or later.
    let _ = kill_process(npm, Signal::KILL);
    assert_eq!(installed(&world), ["dependency", "tools"], "half");
    world.success(&["install", "npm:other@1.0.0"]);
    assert_eq!(installed(&world), ["other@1.0.0", "tools@1.0.0"]);
    assert_eq!(world.names(NPM), [".gitignore", ".lock", "node_modules", "package.json"]);
}

#[test]
fn a_start_that_was_interrupted_is_made_up_for_by_the_next_one() {
    for (sent, code) in [(Signal::INT, Some(130)), (Signal::TERM, Some(143)), (Signal::KILL, None)] {
        let world = world(&["npm:tools"]);
        let (child, npm) = hanging(&world, &["-p", "hi", "--no-session"]);
        signal(&child, sent);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), code);
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "Installing npm:tools...\n");
        let _ = kill_process(npm, Signal::KILL);
        assert_eq!(world.success(&["list"]), "User packages:\n  npm:tools\n", "it is not there");
        let run = world.run(&["-p", "hi", "--no-session"]);
        assert!(run.stderr.starts_with("Installing npm:tools...\nNo API key"), "{}", run.stderr);
        assert_eq!(installed(&world), ["tools@latest"]);
    }
}

#[test]
fn several_at_once_work_one_after_the_other() {
    let world = world(&["npm:zero"]);
    let start = |args: &[&str]| world.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let names = ["one", "two", "three", "four"];
    let mut children: Vec<Child> = names.iter().map(|name| start(&["install", &format!("npm:{name}")])).collect();
    children.extend([start(&["-p", "hi", "--no-session"]), start(&["-p", "hi", "--no-session"])]);
    for child in children {
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(!complaint.contains("Error: ") && !complaint.contains("Warning: "), "{complaint}");
    }
    assert_eq!(installed(&world), ["four@latest", "one@latest", "three@latest", "two@latest", "zero@latest"]);
    let listed = world.success(&["list"]);
    assert!(names.iter().all(|name| listed.contains(&format!("  npm:{name}\n"))), "{listed}");
}
