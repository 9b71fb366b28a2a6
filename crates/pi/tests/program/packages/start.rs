//! Packages that are missing when a session starts.

use serde_json::json;

use crate::packages::registry::Registry;
use crate::packages::world::{World, has};

fn settings(world: &World) {
    let packages = json!(["npm:tools", "npm:gone"]);
    world.write("home/.pi/agent/settings.json", &json!({ "packages": packages }).to_string());
}

#[test]
fn they_are_installed_and_what_cannot_be_is_said() {
    if !has("npm") {
        return;
    }
    let registry = Registry::start();
    let world = World::with_registry(&registry.address);
    world.package("published", "one");
    registry.publish(&world, "published", &json!({ "name": "tools", "version": "1.0.0" }));
    settings(&world);
    let run = world.run(&["-p", "hi", "--no-session"]);
    assert!(run.stdout.is_empty(), "{}", run.stdout);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines[..2], ["Installing npm:tools...", "Installing npm:gone..."]);
    assert!(run.stderr.contains("\nWarning: npm:gone is not installed: npm install "), "{}", run.stderr);
    assert!(world.path("home/.pi/agent/npm/node_modules/tools/skills/one/SKILL.md").exists());
    // Once it is there, nobody asks again.
    let run = world.run(&["-p", "hi", "--no-session"]);
    assert!(!run.stderr.contains("npm:tools"), "{}", run.stderr);
}

#[test]
fn offline_they_are_left_out_with_a_warning() {
    let world = World::new();
    settings(&world);
    for args in [&["-p", "hi", "--no-session", "--offline"][..], &["-p", "hi", "--no-session"]] {
        let mut command = world.command(args);
        if args.len() == 3 {
            command.env("PI_OFFLINE", "yes");
        }
        let run = world.finish(command);
        assert!(!run.stderr.contains("Installing"), "{}", run.stderr);
        let expected = "Warning: ROOT/home/.pi/agent/npm/node_modules/tools: the package npm:tools is not installed: pi install npm:tools\n";
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn a_project_that_is_not_trusted_installs_nothing() {
    let world = World::new();
    world.write("project/.pi/settings.json", r#"{"packages": ["npm:tools"]}"#);
    let run = world.run(&["-p", "hi", "--no-session"]);
    assert!(!run.stderr.contains("npm:tools"), "{}", run.stderr);
    assert!(!world.path("project/.pi/npm").exists());
}
