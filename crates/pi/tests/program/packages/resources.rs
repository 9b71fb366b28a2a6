//! What packages bring: manifests, usual directories, filters, scopes, what is outside.

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::packages::world::World;

impl World {
    fn user_settings(&self, settings: &serde_json::Value) {
        self.write("home/.pi/agent/settings.json", &settings.to_string());
    }

    /// The names of what is loaded from `ROOT/pkg`.
    fn loaded_of_pkg(&self) -> Vec<String> {
        let short = |line: &String| {
            let (kind, rest) = line.split_once(": ROOT/pkg/")?;
            Some(format!("{kind} {}", rest.split(" [").next()?))
        };
        let loaded = self.loaded();
        assert!(!loaded.iter().any(|line| line.starts_with("problem")), "{loaded:?}");
        loaded.iter().filter_map(short).collect()
    }
}

#[test]
fn filters_narrow_what_a_package_offers() {
    let world = World::new();
    world.package("pkg", "one");
    world.package("pkg", "two");
    for (filter, expected) in [
        (
            json!({}),
            vec![
                "extension extensions/one.ts",
                "extension extensions/two.ts",
                "skill skills/one/SKILL.md",
                "skill skills/two/SKILL.md",
                "template prompts/one.md",
                "template prompts/two.md",
            ],
        ),
        (json!({"extensions": [], "skills": [], "prompts": []}), vec![]),
        (
            json!({"extensions": [], "skills": ["skills/one"], "prompts": ["prompts/t*.md"]}),
            vec!["skill skills/one/SKILL.md", "template prompts/two.md"],
        ),
        (json!({"extensions": ["*.ts", "!two.ts"], "skills": [], "prompts": []}), vec!["extension extensions/one.ts"]),
        (
            json!({"extensions": ["!**"], "skills": ["!skills/*", "+skills/two"], "prompts": ["-prompts/one.md"]}),
            vec!["skill skills/two/SKILL.md", "template prompts/two.md"],
        ),
        (
            json!({"extensions": ["extensions/one.ts", "+extensions/two.ts", "-extensions/one.ts"], "skills": ["nothing"], "prompts": []}),
            vec!["extension extensions/two.ts"],
        ),
    ] {
        let mut entry = filter.clone();
        entry["source"] = "../../../pkg".into();
        world.user_settings(&json!({"packages": [entry]}));
        assert_eq!(world.loaded_of_pkg(), expected, "{filter}");
    }
}

#[test]
fn a_manifest_says_what_there_is() {
    let world = World::new();
    world.package("pkg", "one");
    world.package("pkg", "two");
    world.package("pkg/node_modules/other", "three");
    world.write("pkg/main/index.ts", "");
    world.write("pkg/main/helper.ts", "");
    world.user_settings(&json!({"packages": ["../../../pkg"]}));
    for (manifest, expected) in [
        (json!({}), vec![]),
        (json!({"skills": ["./skills"]}), vec!["skill skills/one/SKILL.md", "skill skills/two/SKILL.md"]),
        (
            json!({"extensions": ["./main"], "prompts": ["prompts/*.md", "!prompts/one.md"]}),
            vec!["extension main/index.ts", "template prompts/two.md"],
        ),
        (
            json!({"extensions": ["extensions/one.ts", "extensions"], "skills": ["skills/**", "-skills/one"]}),
            vec!["extension extensions/one.ts", "extension extensions/two.ts", "skill skills/two/SKILL.md"],
        ),
        (json!({"skills": ["node_modules/other/skills"]}), vec!["skill node_modules/other/skills/three/SKILL.md"]),
    ] {
        world.write("pkg/package.json", &json!({"name": "pkg", "pi": manifest}).to_string());
        assert_eq!(world.loaded_of_pkg(), expected, "{manifest}");
    }
}

#[test]
fn a_file_and_a_directory_without_anything_are_extensions() {
    let world = World::new();
    world.write("one.ts", "");
    world.write("pkg/index.ts", "");
    world.user_settings(&json!({"packages": ["../../../one.ts", "../../../pkg"]}));
    assert_eq!(
        world.loaded(),
        [
            "extension: ROOT/one.ts [../../../one.ts User Package]",
            "extension: ROOT/pkg/index.ts [../../../pkg User Package]"
        ]
    );
}

#[test]
fn the_project_comes_first_and_each_package_once() {
    let world = World::new();
    world.package("pkg", "one");
    world.package("more", "two");
    world.user_settings(&json!({"packages": ["../../../more", "../../../pkg"]}));
    let entry = json!({"source": "../../pkg", "extensions": [], "prompts": []});
    world.write("project/.pi/settings.json", &json!({"packages": [entry]}).to_string());
    insta::assert_snapshot!(world.loaded().join("\n"));
}

#[test]
fn what_is_wrong_with_packages_is_said() {
    let world = World::new();
    world.write("bad/package.json", "{oops");
    world.write("odd/package.json", r#"{"pi": {"skills": ["skills", "[z", "![z"]}}"#);
    world.write("wrong/package.json", r#"{"pi": {"skills": "skills"}}"#);
    let packages = ["npm:..", "npm:missing", "../../../gone", "../../../bad", "../../../odd", "../../../wrong"];
    world.user_settings(&json!({"packages": packages}));
    let problems: Vec<String> = world.loaded().into_iter().filter(|line| line.starts_with("problem")).collect();
    insta::assert_snapshot!(problems.join("\n"));
}

#[test]
fn nothing_outside_of_an_installed_package_is_used() {
    let world = World::new();
    let dir = "home/.pi/agent/npm/node_modules/tools";
    world.package(dir, "one");
    world.write("secret/SKILL.md", "---\nname: secret\ndescription: no\n---\n");
    world.write("secret.md", "");
    symlink(world.path("secret"), world.path(&format!("{dir}/skills/link"))).unwrap();
    let manifest = json!({"skills": ["skills"], "prompts": ["../../../../../../secret.md", "prompts"]});
    world.write(&format!("{dir}/package.json"), &json!({"pi": manifest}).to_string());
    world.user_settings(&json!({"packages": ["npm:tools"]}));
    insta::assert_snapshot!(world.loaded().join("\n"));
}
