//! Packages of npm, with the program npm and a registry on the loopback address.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::packages::registry::Registry;
use crate::packages::world::{World, has};

const MODULES: &str = "home/.pi/agent/npm/node_modules";

/// A world with a registry in which version 1.0.0 of `@me/tools`, with the skill `one`, depends on `helper`.
fn world() -> Option<(World, Registry)> {
    if !has("npm") {
        return None;
    }
    let registry = Registry::start();
    let world = World::with_registry(&registry.address);
    world.write("helper/index.js", "");
    registry.publish(&world, "helper", &json!({ "name": "helper", "version": "2.0.0" }));
    publish(&world, &registry, "1.0.0", "one");
    Some((world, registry))
}

fn publish(world: &World, registry: &Registry, version: &str, skill: &str) {
    let dir = format!("published/{version}");
    world.package(&dir, skill);
    let scripts = json!({ "postinstall": "node -e \"require('fs').writeFileSync('ran', '')\"" });
    let dependencies = json!({ "helper": "^2.0.0" });
    let package = json!({ "name": "@me/tools", "version": version, "scripts": scripts, "dependencies": dependencies });
    registry.publish(world, &dir, &package);
}

fn version(world: &World) -> String {
    let package: Value = serde_json::from_str(&world.read(&format!("{MODULES}/@me/tools/package.json"))).unwrap();
    package["version"].as_str().unwrap().to_owned()
}

#[test]
fn a_package_is_installed_pinned_updated_and_removed() {
    let Some((world, registry)) = world() else { return };
    let installed = world.transcript(&[&["install", "npm:@me/tools"], &["list"]]);
    assert_eq!(version(&world), "1.0.0");
    assert!(world.path(&format!("{MODULES}/helper/index.js")).exists());
    let lock = world.read("home/.pi/agent/npm/package-lock.json");
    assert!(lock.contains("\"integrity\": \"sha512-"), "{lock}");
    assert_eq!(
        world.loaded(),
        [
            format!("extension: ROOT/{MODULES}/@me/tools/extensions/one.ts [npm:@me/tools User Package]"),
            format!("skill: ROOT/{MODULES}/@me/tools/skills/one/SKILL.md [npm:@me/tools User Package]"),
            format!("template: ROOT/{MODULES}/@me/tools/prompts/one.md [npm:@me/tools User Package]"),
        ]
    );

    publish(&world, &registry, "1.1.0", "two");
    publish(&world, &registry, "2.0.0", "three");
    // npm keeps what it has read of a registry for some minutes.
    std::fs::remove_dir_all(world.path("npm-cache")).unwrap();
    let updated = world.transcript(&[&["update", "--extensions"]]);
    assert_eq!(version(&world), "2.0.0");
    world.success(&["install", "npm:@me/tools@^1.0.0"]);
    assert_eq!(version(&world), "1.1.0");
    world.success(&["install", "npm:@me/tools@1.0.0"]);
    let pinned = world.transcript(&[&["update", "--extensions"], &["update", "npm:@me/tools"]]);
    assert_eq!(version(&world), "1.0.0");
    let removed = world.transcript(&[&["remove", "npm:@me/tools"], &["list"]]);
    assert!(!world.path(&format!("{MODULES}/@me/tools")).exists());
    assert!(!world.path(&format!("{MODULES}/helper")).exists());
    insta::assert_snapshot!(format!("{installed}{updated}{pinned}{removed}"));
}

#[test]
fn scripts_run_only_where_the_user_wants_it() {
    let Some((world, _registry)) = world() else { return };
    let ran = format!("{MODULES}/@me/tools/ran");
    world.success(&["install", "npm:@me/tools"]);
    assert!(!world.path(&ran).exists());
    world.success(&["remove", "npm:@me/tools"]);
    world.success(&["install", "npm:@me/tools", "--allow-scripts"]);
    assert!(world.path(&ran).exists());
}

#[test]
fn dependencies_of_a_repository_are_installed_without_scripts() {
    let Some((world, registry)) = world() else { return };
    if !has("git") {
        return;
    }
    world.package("repositories/repo", "one");
    let scripts = json!({ "postinstall": "node -e \"require('fs').writeFileSync('ran', '')\"" });
    let package = json!({ "name": "repo", "scripts": scripts, "dependencies": { "helper": "2.0.0" },
        "devDependencies": { "checker": "1.0.0" } });
    world.write("checker/index.js", "");
    registry.publish(&world, "checker", &json!({ "name": "checker", "version": "1.0.0" }));
    world.write("repositories/repo/package.json", &package.to_string());
    world.program(&["git", "init", "-q"], "repositories/repo");
    world.program(&["git", "add", "-A"], "repositories/repo");
    world.program(&["git", "-c", "user.name=me", "-c", "user.email=me@x", "commit", "-qm", "1"], "repositories/repo");
    world.success(&["install", "git:host.example/me/repo"]);
    let clone = "home/.pi/agent/git/host.example/me/repo";
    assert!(world.path(&format!("{clone}/node_modules/helper/index.js")).exists());
    assert!(!world.path(&format!("{clone}/ran")).exists());
    assert!(!world.path(&format!("{clone}/node_modules/checker")).exists());
    world.success(&["update", "--extensions"]);
    assert!(world.path(&format!("{clone}/node_modules/helper/index.js")).exists());
}

#[test]
fn an_archive_that_is_not_what_was_published_is_refused() {
    let Some((world, registry)) = world() else { return };
    registry.tamper(&world, "tarballs/@me-tools-1.0.0.tgz");
    let complaint = world.failure(&["install", "npm:@me/tools"]);
    assert!(complaint.contains("EINTEGRITY"), "{complaint}");
    assert!(!world.path(&format!("{MODULES}/@me/tools/package.json")).exists());
    assert_eq!(world.success(&["list"]), "No packages installed.\n");
}

#[test]
fn what_is_not_in_the_registry_is_said() {
    let Some((world, _registry)) = world() else { return };
    let complaint = world.failure(&["install", "npm:no-such-package"]);
    assert!(
        complaint.contains("npm install --prefix ROOT/home/.pi/agent/npm ") && complaint.contains("E404"),
        "{complaint}"
    );
    let complaint = world.failure(&["install", "npm:@me/tools@9.9.9"]);
    assert!(complaint.contains("ETARGET"), "{complaint}");
    assert_eq!(world.success(&["list"]), "No packages installed.\n");
}

#[test]
fn a_directory_of_packages_that_leads_out_of_the_project_is_refused() {
    let Some((world, _registry)) = world() else { return };
    world.write("outside/keep", "");
    std::fs::create_dir_all(world.path("project/.pi")).unwrap();
    symlink(world.path("outside"), world.path("project/.pi/npm")).unwrap();
    let complaint = world.failure(&["install", "-l", "npm:@me/tools", "-a"]);
    assert!(complaint.contains("project/.pi/npm leads out of ROOT/project/.pi"), "{complaint}");
    assert_eq!(std::fs::read_dir(world.path("outside")).unwrap().count(), 1);
}

#[test]
fn the_setting_names_the_command() {
    let world = World::new();
    world.write("bin/wrapped", "#!/bin/sh\nfor argument; do echo \"$argument\"; done > \"$HOME/arguments\"\nexit 7\n");
    world.program(&["chmod", "+x", "bin/wrapped"], "");
    let wrapper = world.path("bin/wrapped").to_str().unwrap().to_owned();
    world.write("home/.pi/agent/settings.json", &json!({ "npmCommand": [wrapper, "exec", "--", "npm"] }).to_string());
    let complaint = world.failure(&["install", "npm:tools@1.2.3"]);
    assert!(complaint.contains(" failed with code 7"), "{complaint}");
    insta::assert_snapshot!(world.mask(&world.read("home/arguments")));
    world.write("home/.pi/agent/settings.json", r#"{"npmCommand": ["no-such-npm"]}"#);
    let complaint = world.failure(&["install", "npm:tools"]);
    insta::assert_snapshot!("missing_program", complaint);
}

#[test]
fn offline_nothing_is_fetched() {
    let world = World::new();
    for source in ["npm:tools", "git:host.example/me/repo"] {
        let complaint = world.failure(&["install", source, "--offline"]);
        let expected = format!(
            "Error: {source} cannot be fetched: pi is offline. Unset PI_OFFLINE, leave out --offline, or install from a path\n"
        );
        assert_eq!(complaint, expected);
        let mut command = world.command(&["install", source]);
        command.env("PI_OFFLINE", "1");
        assert_eq!(world.finish(command).stderr, expected);
    }
    world.package("pkg", "greet");
    world.success(&["install", "../pkg", "--offline"]);
}
