//! Resources that settings, packages and extensions list: where they come in, what switches them off, who wins.

use std::fs;
use std::path::{Path, PathBuf};

use pi_coding_agent::env::Env;
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::*;
use pi_coding_agent::settings::SettingsManager;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::clock;

pub(crate) struct Tree(TempDir);

impl Tree {
    /// Skills `name/SKILL.md`, templates and other files, by path. What a skill or template says is its path.
    pub(crate) fn new(files: &[&str]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for dir in ["home", "agent", "project/.pi"] {
            fs::create_dir_all(tree.path(dir)).unwrap();
        }
        for file in files {
            tree.write(file, &format!("---\ndescription: {file}\n---\n"));
        }
        tree
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn settings(&self, user: &Value, project: &Value, trusted: bool) -> SettingsManager {
        self.write("agent/settings.json", &user.to_string());
        self.write("project/.pi/settings.json", &project.to_string());
        let env = Env::fixed([("HOME", self.path("home").to_str().unwrap())]);
        let paths = Paths::new(env, self.path("project")).with_agent_dir(self.path("agent"));
        SettingsManager::load(&paths, paths.cwd(), trusted, clock())
    }

    pub(crate) fn resources(
        &self,
        user: &Value,
        project: &Value,
        trusted: bool,
        options: ResourceOptions,
    ) -> PromptResources {
        let listed = self.listed(user, project, trusted);
        let (cwd, project_dir) = (self.path("project"), self.path("project/.pi"));
        let (agent_dir, home) = (self.path("agent"), Some(self.path("home")));
        let places = ResourcePlaces { agent_dir, home, cwd, project_dir, trusted };
        PromptResources::new(places, options).with_listed(listed)
    }

    pub(crate) fn listed(&self, user: &Value, project: &Value, trusted: bool) -> ListedResources {
        ListedResources::of_settings(&self.settings(user, project, trusted))
    }

    pub(crate) fn line(&self, source: &SourceInfo) -> String {
        let short = |text: &str| text.replace(&format!("{}/", self.0.path().display()), "");
        let base = source.base_dir.as_deref().map(short).unwrap_or_default();
        let (scope, origin) = (json!(source.scope), json!(source.origin));
        format!("{} [{} {scope} {origin} {base}]", short(&source.path), source.source).replace('"', "")
    }

    fn skills(&self, resources: &PromptResources) -> Vec<String> {
        resources.skills().items.iter().map(|skill| self.line(&skill.source)).collect()
    }

    fn templates(&self, resources: &PromptResources) -> Vec<String> {
        resources.templates().items.iter().map(|template| self.line(&template.source)).collect()
    }

    pub(crate) fn diagnostics<T>(&self, found: &Found<T>) -> Vec<String> {
        let root = format!("{}/", self.0.path().display());
        found.diagnostics.iter().map(|d| format!("{:?} {d}", d.kind).replace(&root, "")).collect()
    }
}

#[test]
fn the_order_of_precedence() {
    let tree = Tree::new(&[
        "project/vendor/a/SKILL.md",
        "project/.pi/skills/b/SKILL.md",
        "agent/more/c/SKILL.md",
        "agent/skills/d/SKILL.md",
        "home/.agents/skills/e/SKILL.md",
        "home/notes/f.md",
        "pkg/s/g/SKILL.md",
        "run/h/SKILL.md",
        "cli/i/SKILL.md",
        "ext/j/SKILL.md",
        // Each of these comes too late.
        "ext/a/SKILL.md",
        "agent/skills/b/SKILL.md",
        "pkg/s/d/SKILL.md",
        "cli/g/SKILL.md",
    ]);
    let options = ResourceOptions { skills: vec![tree.path("cli")], ..ResourceOptions::default() };
    let (user, project) = (json!({"skills": ["more", "~/notes/f.md"]}), json!({"skills": ["../vendor"]}));
    let resources = tree.resources(&user, &project, true, options);
    let skills = |dir: &str| ResourcePaths { skills: vec![tree.path(dir)], ..ResourcePaths::default() };
    let package = |source: &str, scope, dir| PackageResources {
        source: source.to_owned(),
        scope,
        base_dir: tree.path(dir),
        paths: skills(dir),
    };
    let settings = tree.settings(&user, &project, true);
    let packages = vec![package("npm:pkg", Scope::User, "pkg"), package("git:run", Scope::Temporary, "run")];
    let listed = ListedResources { packages, ..ListedResources::of_settings(&settings) };
    let base_dir = tree.path("ext");
    let extension = ExtensionResources { name: "more-skills".to_owned(), base_dir, paths: skills("ext") };
    let resources = resources.with_listed(listed).extended_by(extension);
    insta::assert_snapshot!(tree.skills(&resources).join("\n"));
    insta::assert_snapshot!("collisions", tree.diagnostics(resources.skills()).join("\n"));
}

#[test]
fn only_what_is_for_this_run_is_left_without_discovery() {
    let tree = Tree::new(&["agent/a/SKILL.md", "agent/prompts/b.md", "agent/c.md", "cli/d/SKILL.md", "cli/e.md"]);
    let options = ResourceOptions {
        skills: vec![tree.path("cli/d")],
        prompt_templates: vec![tree.path("cli/e.md")],
        no_skills: true,
        no_prompt_templates: true,
        ..ResourceOptions::default()
    };
    let resources = tree.resources(&json!({"skills": ["a"], "prompts": ["c.md"]}), &json!({}), true, options);
    assert_eq!(tree.skills(&resources), ["cli/d/SKILL.md [local temporary top-level cli/d]"]);
    assert_eq!(tree.templates(&resources), ["cli/e.md [local temporary top-level cli]"]);
}

#[test]
fn patterns_switch_listed_and_discovered_resources() {
    let tree = Tree::new(&[
        "agent/prompts/one.md",
        "agent/prompts/two.md",
        "agent/prompts/three.md",
        "agent/packs/x/four.md",
        "agent/packs/y/five.md",
        "agent/packs/y/six.md",
        "agent/packs/readme.txt",
        "project/.pi/prompts/seven.md",
        "agent/skills/old/SKILL.md",
        "agent/skills/new/SKILL.md",
        "home/.agents/skills/legacy/SKILL.md",
    ]);
    let user = json!({
        "prompts": ["packs/*", "!prompts/t*", "+prompts/three.md", "-packs/y/six.md", "!seven.md"],
        "skills": ["!old", "!**/legacy"],
    });
    let resources = tree.resources(&user, &json!({}), true, ResourceOptions::default());
    let names: Vec<_> = resources.templates().items.iter().map(|template| template.name.as_str()).collect();
    // `packs/*` has a text file, too, which is a template as somebody listed it; the project is not the user's to filter.
    assert_eq!(names, ["seven", "readme.txt", "four", "five", "one", "three"]);
    assert_eq!(tree.skills(&resources), ["agent/skills/new/SKILL.md [auto user top-level agent]"]);
}

#[test]
fn an_untrusted_project_lists_nothing() {
    let tree = Tree::new(&["project/.pi/own/a/SKILL.md", "agent/skills/b/SKILL.md"]);
    let resources = tree.resources(&json!({}), &json!({"skills": ["own", "-b"]}), false, ResourceOptions::default());
    assert_eq!(tree.skills(&resources), ["agent/skills/b/SKILL.md [auto user top-level agent]"]);
}

#[test]
fn what_is_not_there_is_named() {
    let tree = Tree::new(&["agent/text.txt"]);
    let user =
        json!({"skills": ["nowhere", "text.txt", "![z", "a/[z"], "prompts": ["none.md"], "extensions": ["no.ts"]});
    let resources = tree.resources(&user, &json!({}), true, ResourceOptions::default());
    let all = [
        tree.diagnostics(resources.skills()),
        tree.diagnostics(resources.templates()),
        tree.diagnostics(resources.extensions()),
    ];
    insta::assert_snapshot!(all.concat().join("\n"));
}

#[test]
fn no_resources_stay_none() {
    let tree = Tree::new(&["agent/a/SKILL.md"]);
    let settings = tree.settings(&json!({"skills": ["a"]}), &json!({}), true);
    let extension = ExtensionResources {
        name: "x".to_owned(),
        base_dir: tree.path("agent"),
        paths: ResourcePaths { skills: vec![tree.path("agent")], ..ResourcePaths::default() },
    };
    let none = PromptResources::none(Path::new("/")).with_listed(ListedResources::of_settings(&settings));
    assert!(none.extended_by(extension).skills().items.is_empty());
}
