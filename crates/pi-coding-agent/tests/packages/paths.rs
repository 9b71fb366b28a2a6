//! Packages that are a directory or file of the user's.

use std::os::unix::fs::symlink;

use crate::world::World;

#[test]
fn a_directory_is_named_in_the_settings_and_nothing_else() {
    let world = World::new();
    world.package("pkg", "greet");
    world.write("home/.pi/agent/settings.json", "{\n  // mine\n  \"theme\": \"dark\"\n}");
    let absolute = world.path("pkg").to_str().unwrap().to_owned();
    insta::assert_snapshot!(world.transcript(&[
        &["list"],
        &["install", "../pkg"],
        &["install", &absolute],
        &["list"],
        &["install", "../nowhere"],
        &["remove", "../nowhere"],
        &["update", "../pkg"],
        &["update", "pkg"],
        &["update", "--extensions"],
        &["uninstall", "../pkg"],
        &["list"],
    ]));
    insta::assert_snapshot!("settings_afterwards", world.read("home/.pi/agent/settings.json"));
    assert!(world.path("pkg/skills").exists());
}

#[test]
fn a_project_needs_trust_once_it_has_something_to_trust() {
    let world = World::new();
    world.package("project/tools", "greet");
    insta::assert_snapshot!(world.transcript(&[
        &["install", "-l", "./tools", "-na"],
        &["install", "-l", "./tools"],
        &["list"],
        &["list", "--approve"],
        &["remove", "-l", "./tools"],
        &["install", "./tools"],
        &["list", "-a"],
        &["remove", "-l", "./tools", "-a"],
        &["list", "-a"],
    ]));
    assert_eq!(world.read("project/.pi/settings.json"), "{\n  \"packages\": []\n}");
}

#[test]
fn entries_that_nobody_understands_stay() {
    let world = World::new();
    world.package("pkg", "greet");
    let entries =
        r#"{"packages": [5, {"source": "../../../pkg", "skills": [], "note": "mine"}, "npm:..", "../../../other"]}"#;
    world.write("home/.pi/agent/settings.json", entries);
    world.success(&["install", "../pkg"]);
    world.success(&["remove", "../other"]);
    insta::assert_snapshot!(world.read("home/.pi/agent/settings.json"));
}

#[test]
fn settings_that_cannot_be_read_are_left_alone() {
    let world = World::new();
    world.package("pkg", "greet");
    world.write("home/.pi/agent/settings.json", "{oops");
    let complaint = world.failure(&["install", "../pkg"]);
    assert!(complaint.contains("settings.json is not saved: the file could not be read"), "{complaint}");
    assert_eq!(world.read("home/.pi/agent/settings.json"), "{oops");
}

#[test]
fn links_of_the_users_own_directories_may_lead_anywhere() {
    let world = World::new();
    world.package("elsewhere", "greet");
    world.write("pkg/readme.md", "");
    symlink(world.path("elsewhere/skills"), world.path("pkg/skills")).unwrap();
    world.success(&["install", "../pkg"]);
    let loaded = world.loaded();
    assert_eq!(loaded, ["skill: ROOT/pkg/skills/greet/SKILL.md [../../../pkg User Package]"]);
}

#[test]
fn what_is_no_source_is_refused_before_anything_is_run() {
    let world = World::new();
    for source in ["npm:..", "npm:a@file:../x", "git:host.example/../../etc", "git:-u/x", "https://host.example"] {
        let complaint = world.failure(&["install", source]);
        assert!(complaint.contains("is not a package source: "), "{source}: {complaint}");
    }
    assert!(!world.path("home/.pi").exists(), "nothing was made");
}

#[test]
fn what_is_no_path_may_be_something_else() {
    let world = World::new();
    for (source, hint) in [
        ("tools", Some("npm:tools")),
        ("me/repo", Some("github:me/repo")),
        ("git@host.example:me/repo", Some("git:git@host.example:me/repo")),
        ("./tools", None),
    ] {
        let path = source.trim_start_matches("./");
        let hint = hint.map(|hint| format!("For a package from elsewhere: pi install {hint}\n")).unwrap_or_default();
        let expected = format!("Error: Path does not exist: ROOT/project/{path}\n{hint}");
        assert_eq!(world.failure(&["install", source]), expected);
    }
}

#[test]
fn a_package_that_offers_nothing_is_installed_with_a_warning() {
    let world = World::new();
    for (package, file, text, warning) in [
        ("../empty", "empty/README.md", "", "ROOT/empty: it offers no extensions, skills, prompts or themes\n"),
        ("../broken", "broken/package.json", "{", "ROOT/broken: package.json is not valid: "),
        ("../plain", "plain/index.ts", "export default () => {}", ""),
    ] {
        world.write(file, text);
        let run = world.run(&["install", package]);
        assert_eq!((run.code, run.stdout), (0, format!("Installing {package}...\nInstalled {package}\n")));
        match warning {
            "" => assert_eq!(run.stderr, ""),
            warning => assert!(run.stderr.starts_with(&format!("Warning: {warning}")), "{}", run.stderr),
        }
    }
}
