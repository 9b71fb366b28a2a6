//! Files of extensions: which ones are found, in which order, and where they are said to come from.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use pi_coding_agent::prompt::*;
use serde_json::{Value, json};

use crate::listed::Tree;

/// What is found in the tree, a line each; problems behind it.
fn found(tree: &Tree, user: &Value, project: &Value, trusted: bool, options: ResourceOptions) -> String {
    let resources = tree.resources(user, project, trusted, options);
    let found = resources.extensions();
    let lines = found.items.iter().map(|source| tree.line(source));
    lines.chain(tree.diagnostics(found)).collect::<Vec<_>>().join("\n")
}

fn explicit(paths: Vec<PathBuf>) -> ResourceOptions {
    ResourceOptions { extensions: paths, ..ResourceOptions::default() }
}

#[test]
fn the_order_of_places() {
    let tree = Tree::new(&[
        "cli.ts",
        "project/listed.ts",
        "project/.pi/extensions/own.ts",
        "project/.pi/extensions/both.ts",
        "agent/listed.js",
        "agent/extensions/own.ts",
        "pkg/one.ts",
        "run/two.ts",
    ]);
    let package = |source: &str, scope, file: &str| PackageResources {
        source: source.to_owned(),
        scope,
        base_dir: tree.path(file).parent().unwrap().to_owned(),
        paths: ResourcePaths { extensions: vec![tree.path(file)], ..ResourcePaths::default() },
    };
    let (user, project) = (
        json!({"extensions": ["listed.js", "../project/.pi/extensions/both.ts"]}),
        json!({"extensions": ["../listed.ts"]}),
    );
    let packages =
        vec![package("npm:pkg", Scope::User, "pkg/one.ts"), package("npm:run", Scope::Temporary, "run/two.ts")];
    let mut seen = String::new();
    for (trusted, no_extensions) in [(true, false), (false, false), (true, true)] {
        // The second path is the first one once more.
        let options = ResourceOptions { no_extensions, ..explicit(vec![tree.path("cli.ts"), tree.path("./cli.ts")]) };
        let resources = tree.resources(&user, &project, trusted, options);
        let listed = ListedResources { packages: packages.clone(), ..tree.listed(&user, &project, trusted) };
        let resources = resources.with_listed(listed);
        let lines: Vec<_> = resources.extensions().items.iter().map(|source| tree.line(source)).collect();
        seen += &format!("trusted {trusted}, no_extensions {no_extensions}\n{}\n\n", lines.join("\n"));
    }
    insta::assert_snapshot!(seen);
}

#[test]
fn what_counts_in_a_directory() {
    let tree = Tree::new(
        &[
            "Z.ts",
            "a.js",
            ".hidden.ts",
            "module.mjs",
            "module.cts",
            "notes.txt",
            "ignored.ts",
            "also-ignored.ts",
            "ignored/index.ts",
            "index-ts/index.ts",
            "index-ts/index.js",
            "index-js/index.js",
            "deep/er/index.ts",
            "loose/free.ts",
            "node_modules/x/index.ts",
            "listing/main.ts",
            "listing/index.ts",
            "globs/x/one.ts",
            "globs/x/two.ts",
            "globs/x/three.ts",
            "globs/index.ts",
            "dirs/x/one.ts",
            "dirs/x/sub/index.js",
            "dirs/index.ts",
            "up/index.ts",
            "empty-list/index.ts",
            "no-pi/index.ts",
            "gone/index.ts",
            "broken/index.ts",
            "nothing/readme.md",
        ]
        .map(|file| format!("agent/extensions/{file}"))
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>(),
    );
    for (file, text) in [
        (".gitignore", "ignored.ts\nignored/\n"),
        (".fdignore", "also-*"),
        ("listing/package.json", r#"{"pi": {"extensions": ["./main.ts", "./missing.ts"]}}"#),
        ("globs/package.json", r#"{"pi": {"extensions": ["x/*.ts", "!x/t*", "+x/three.ts"]}}"#),
        ("dirs/package.json", r#"{"pi": {"extensions": ["x"]}}"#),
        ("up/package.json", r#"{"pi": {"extensions": ["../up", "../../extensions"]}}"#),
        ("empty-list/package.json", r#"{"pi": {"extensions": []}}"#),
        ("no-pi/package.json", r#"{"name": "x", "main": "lib.js"}"#),
        ("gone/package.json", r#"{"pi": {"extensions": ["./gone.ts"]}}"#),
        ("broken/package.json", "{oops"),
    ] {
        tree.write(&format!("agent/extensions/{file}"), text);
    }
    tree.write("elsewhere/linked.ts", "");
    tree.write("elsewhere/dir/index.ts", "");
    let link = |to: &str, name: &str| symlink(tree.path(to), tree.path("agent/extensions").join(name)).unwrap();
    link("elsewhere/linked.ts", "link.ts");
    link("elsewhere/dir", "link-dir");
    link("elsewhere/nowhere.ts", "dangling.ts");
    link("agent/extensions/a.js", "same.js");
    insta::assert_snapshot!(found(&tree, &json!({}), &json!({}), false, ResourceOptions::default()));
}

#[test]
fn the_directory_itself_may_be_one_extension() {
    for (files, expected) in [
        (vec!["index.js", "other.ts", "sub/index.ts"], vec!["index.js"]),
        (vec!["index.js", "index.ts"], vec!["index.ts"]),
        (vec!["a.ts", "b.ts", "index.ts", "package.json"], vec!["b.ts"]),
    ] {
        let paths: Vec<String> = files.iter().map(|file| format!("agent/extensions/{file}")).collect();
        let tree = Tree::new(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        if files.contains(&"package.json") {
            tree.write("agent/extensions/package.json", r#"{"pi": {"extensions": ["./b.ts"]}}"#);
        }
        let resources = tree.resources(&json!({}), &json!({}), false, ResourceOptions::default());
        let found: Vec<_> = resources.extensions().items.iter().map(|source| source.path.clone()).collect();
        let expected: Vec<_> = expected.iter().map(|file| tree.path("agent/extensions").join(file)).collect();
        assert_eq!(found, expected.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(), "{files:?}");
    }
}

#[test]
fn what_the_command_line_names() {
    let tree = Tree::new(&[
        "file.mts",
        "index/index.ts",
        "index/other.ts",
        "conventional/extensions/one.ts",
        "conventional/extensions/two/index.js",
        "conventional/index.ts",
        "manifest/extensions/no.ts",
        "manifest/yes.ts",
        "main/lib/start.js",
        "loose/free.ts",
    ]);
    tree.write("manifest/package.json", r#"{"pi": {"extensions": ["yes.ts"]}}"#);
    tree.write("main/package.json", r#"{"main": "lib/start.js"}"#);
    let named = ["file.mts", "index", "conventional", "manifest", "main", "loose", "missing.ts"];
    let options = explicit(named.iter().map(|path| tree.path(path)).collect());
    insta::assert_snapshot!(found(&tree, &json!({}), &json!({}), false, options));
}

#[test]
fn what_settings_list_and_switch_off() {
    let tree = Tree::new(&[
        "agent/extensions/on.ts",
        "agent/extensions/off.ts",
        "agent/extensions/dir/index.ts",
        "agent/extensions/kept/index.ts",
        "agent/more/free.ts",
        "agent/more/sub/index.ts",
        "agent/packed/index.ts",
        "agent/packed/not.ts",
        "home/mine.ts",
        "project/.pi/extensions/off.ts",
    ]);
    let user = json!({"extensions": [
        "more", "~/mine.ts", "packed", "gone.ts", "-extensions/off.ts", "!extensions/*/index.ts", "+extensions/kept/index.ts",
    ]});
    insta::assert_snapshot!(found(&tree, &user, &json!({}), true, ResourceOptions::default()));
}
