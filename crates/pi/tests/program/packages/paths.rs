//! Packages that are a directory or file of the user's.

use std::os::unix::fs::symlink;

use crate::packages::world::World;

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

#[test]
fn a_file_is_one_extension_or_no_package() {
    let world = World::new();
    let extension = "export default function (pi) {}\n";
    let cases: [(&str, &[u8], Option<&str>); 16] = [
        ("one.ts", extension.as_bytes(), None),
        ("one.mjs", extension.as_bytes(), None),
        ("one.cjs", b"module.exports = (pi) => {};", None),
        ("one.tsx", b"const run = () => {};\nexport{run as default};", None),
        ("bare", extension.as_bytes(), None),
        ("again.js", b"export { default } from './one.mjs';", None),
        ("helpers.ts", b"export const one = 1;", Some("exports a function as its default, and this file does not")),
        ("empty.js", b"", Some("exports a function as its default, and this file does not")),
        ("LICENSE", b"Do what you like.", Some("exports a function as its default, and this file does not")),
        ("notes.txt", b"hello", Some("a package is a directory, or a single extension")),
        ("ONE.TS", extension.as_bytes(), Some("a package is a directory, or a single extension")),
        ("picture.png", b"\x89PNG\r\n\x1a\n", Some("a package is a directory, or a single extension")),
        ("skill.md", b"---\nname: x\n---", Some("Prompt templates belong into the directory prompts")),
        ("dark.json", b"{}", Some("Themes belong into the directory themes")),
        ("tools-1.0.0.tgz", b"\x1f\x8b", Some("it is an archive. Unpack it, and install the directory")),
        ("tools.zip", b"PK", Some("it is an archive. Unpack it, and install the directory")),
    ];
    for (name, content, refused) in cases {
        std::fs::write(world.path("project").join(name), content).unwrap();
        let (source, settings) = (format!("./{name}"), world.path("home/.pi/agent/settings.json"));
        let Some(reason) = refused else {
            world.success(&["install", &source]);
            assert_eq!(
                world.loaded(),
                [format!("extension: ROOT/project/{name} [../../../project/{name} User Package]")]
            );
            assert!(world.success(&["list"]).contains(&format!("ROOT/project/{name}")));
            world.success(&["update", &source]);
            world.success(&["remove", &source]);
            assert!(world.path("project").join(name).exists(), "a path stays on the disk");
            std::fs::remove_dir_all(world.path("home/.pi")).unwrap();
            continue;
        };
        let complaint = world.failure(&["install", &source]);
        let start = format!("Error: ROOT/project/{name} is no package: ");
        assert!(complaint.starts_with(&start) && complaint.contains(reason), "{name}: {complaint}");
        assert!(!settings.exists() && !world.path("home/.pi").exists(), "{name}: nothing was made");
        assert_eq!(world.success(&["list"]), "No packages installed.\n");
    }
}

#[test]
fn what_is_no_file_either_is_no_package() {
    let world = World::new();
    let pipe = world.path("project/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("nowhere", world.path("project/dangling")).unwrap();
    let special = "is no package: it is neither a directory nor a regular file\n";
    for (source, complaint) in [
        ("./pipe", format!("Error: ROOT/project/pipe {special}")),
        ("/dev/zero", format!("Error: /dev/zero {special}")),
        ("./dangling", "Error: Path does not exist: ROOT/project/dangling\n".to_owned()),
        ("./dangling/below", "Error: Path does not exist: ROOT/project/dangling/below\n".to_owned()),
    ] {
        assert_eq!(world.failure(&["install", source]), complaint);
        assert_eq!(world.failure(&["install", "-l", source]), complaint);
        assert!(!world.path("home/.pi").exists() && !world.path("project/.pi").exists(), "{source}: nothing was made");
    }
}

/// Settings that name such a file all the same, by hand or from before: it can be seen and removed.
#[test]
fn what_is_no_package_can_be_listed_and_removed() {
    let world = World::new();
    world.write("project/notes.txt", "hello");
    world.write("home/.pi/agent/settings.json", r#"{"packages": ["../../../project/notes.txt", "../gone.ts"]}"#);
    let list = world.success(&["list"]);
    assert!(list.contains("ROOT/project/notes.txt") && list.contains("../gone.ts"), "{list}");
    assert_eq!(world.run(&["update", "--extensions"]).code, 0);
    world.success(&["remove", "./notes.txt"]);
    world.success(&["remove", "../gone.ts"]);
    assert_eq!(world.success(&["list"]), "No packages installed.\n");
    assert_eq!(world.read("project/notes.txt"), "hello");
}
