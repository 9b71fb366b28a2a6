//! `pi config`: the list of resources, and switching them.

use serde_json::{Value, json};

use crate::packages::world::World;

fn world() -> World {
    let world = World::new();
    world.package("pkg", "one");
    world.package("home/.pi/agent", "mine");
    world.package("project/.pi", "ours");
    world.success(&["install", "../pkg"]);
    world
}

fn packages(world: &World) -> Value {
    serde_json::from_str::<Value>(&world.read("home/.pi/agent/settings.json")).unwrap()["packages"].clone()
}

#[test]
fn the_list_says_what_is_used() {
    let world = world();
    insta::assert_snapshot!(world.transcript(&[
        &["config", "--disable", "skills/one", "-a"],
        &["config", "--disable", "prompts/mine.md"],
        &["config", "-a"],
        &["config", "--no-approve"],
    ]));
}

#[test]
fn resources_of_a_package_are_switched_in_its_entry() {
    let world = world();
    let step = |args: &[&str], expected: Value| {
        world.success(args);
        assert_eq!(packages(&world), expected, "{args:?}");
    };
    step(
        &["config", "--disable", "skills/one"],
        json!([{"source": "../../../pkg", "skills": ["-skills/one/SKILL.md"]}]),
    );
    assert!(!world.loaded().iter().any(|line| line.contains("pkg/skills")));
    step(&["config", "--enable", "skills/one/SKILL.md"], json!(["../../../pkg"]));
    world.write(
        "home/.pi/agent/settings.json",
        r#"{"packages": [{"source": "../../../pkg", "skills": [], "prompts": ["!prompts/*"]}]}"#,
    );
    let entry =
        |skills: Value, prompts: Value| json!([{"source": "../../../pkg", "skills": skills, "prompts": prompts}]);
    step(&["config", "--enable", "skills/one"], entry(json!(["skills/one/SKILL.md"]), json!(["!prompts/*"])));
    step(
        &["config", "--enable", "prompts/one.md"],
        entry(json!(["skills/one/SKILL.md"]), json!(["!prompts/*", "+prompts/one.md"])),
    );
    let loaded = world.loaded();
    assert!(loaded.iter().any(|line| line.starts_with("skill: ROOT/pkg/")), "{loaded:?}");
    assert!(loaded.iter().any(|line| line.starts_with("template: ROOT/pkg/")), "{loaded:?}");
}

#[test]
fn resources_of_directories_are_switched_in_their_array() {
    let world = world();
    world.success(&["config", "--disable", "../home/.pi/agent/skills/mine"]);
    world.success(&["config", "--disable", "prompts/ours.md", "-a"]);
    let settings: Value = serde_json::from_str(&world.read("home/.pi/agent/settings.json")).unwrap();
    assert_eq!(settings["skills"], json!(["-skills/mine/SKILL.md"]));
    assert_eq!(world.read("project/.pi/settings.json"), "{\n  \"prompts\": [\n    \"-prompts/ours.md\"\n  ]\n}");
    let loaded = world.loaded();
    assert!(
        !loaded.iter().any(|line| line.contains("agent/skills") || line.contains(".pi/prompts/ours")),
        "{loaded:?}"
    );
    world.success(&["config", "--enable", "skills/mine"]);
    let settings: Value = serde_json::from_str(&world.read("home/.pi/agent/settings.json")).unwrap();
    assert_eq!(settings["skills"], json!([]));
}

#[test]
fn what_is_not_on_the_list_is_an_error() {
    let world = world();
    assert_eq!(
        world.failure(&["config", "--enable", "skills/none"]),
        "Error: there is no resource skills/none; pi config lists them\n"
    );
    world.package("second", "one");
    world.success(&["install", "../second"]);
    let complaint = world.failure(&["config", "--disable", "skills/one"]);
    assert!(
        complaint.starts_with(
            "Error: skills/one may be one of several; give the whole path:\n  ROOT/pkg/skills/one/SKILL.md\n"
        ),
        "{complaint}"
    );
    world.success(&["config", "--disable", "../second/skills/one"]);
}

/// The root of a repository counts in its subdirectories; its settings are written there.
#[test]
fn resources_further_up_are_listed_and_switched_where_they_are() {
    let world = world();
    world.write("project/.git/HEAD", "ref: refs/heads/main\n");
    world.write("project/.pi/settings.json", r#"{"packages": ["../../pkg"], "prompts": ["-prompts/ours.md"]}"#);
    world.package("project/sub/.pi", "near");
    world.package("project/sub/.pi", "ours");
    let sub = |args: &[&str]| world.finish(world.command_in("project/sub", args));
    let listed = sub(&["config", "-a"]);
    let text = listed.stdout.as_str();
    for part in [
        "Project, skills:\n",
        "] skills/near/SKILL.md\n",
        "Project, in ROOT/project/.pi, skills:\n",
        "[ ] prompts/ours.md\n",
        "Project, in ROOT/project/.pi, ../../pkg, skills:\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!sub(&["config", "--no-approve"]).stdout.contains("Project, in"));
    let before = world.read("project/.pi/settings.json");
    let refused = sub(&["config", "-a", "--disable", "../.pi/skills/ours"]);
    assert_eq!(
        (refused.code, refused.stderr.as_str()),
        (1, "Error: ROOT/project/.pi/skills/ours/SKILL.md belongs to ROOT/project/.pi: switch it in ROOT/project\n")
    );
    assert_eq!(sub(&["config", "-a", "--disable", "skills/one"]).code, 1);
    assert_eq!(world.read("project/.pi/settings.json"), before);
    // The same name here is the one that is meant.
    assert_eq!(sub(&["config", "-a", "--disable", "skills/ours"]).code, 0);
    assert!(world.read("project/sub/.pi/settings.json").contains("-skills/ours/SKILL.md"));
}
