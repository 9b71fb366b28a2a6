//! The project's directory at the root of a repository counts in its subdirectories, as far as it is trusted.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::rpc::{ask, prompt, send};
use pi_test_kit::{Provider, World, answer};

fn skill(text: &str) -> String {
    format!("---\nname: {text}\ndescription: SKILL {text}\n---\nbody")
}

/// A repository with a `.pi` at its root and one in `packages/one`, and the subdirectory `packages/one/src`.
fn repository(world: &World) -> PathBuf {
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    let root = json!({"defaultTools": ["read", "ls"], "compaction": {"reserveTokens": 7}, "skills": ["../listed"]});
    let near = json!({"defaultTools": ["+grep"], "compaction": {"keepRecentTokens": 8}});
    for (file, text) in [
        (".pi/settings.json", root.to_string()),
        (".pi/SYSTEM.md", "ROOT SYSTEM".to_owned()),
        (".pi/APPEND_SYSTEM.md", "ROOT APPEND".to_owned()),
        (".pi/skills/outer/SKILL.md", skill("outer")),
        (".pi/skills/both/SKILL.md", "---\nname: both\ndescription: FAR\n---\n".to_owned()),
        ("listed/listed/SKILL.md", skill("listed")),
        (".pi/prompts/greet.md", "GREETING of the root".to_owned()),
        (
            ".pi/extensions/hello.ts",
            "export default (pi) => pi.registerCommand('hello', { handler: () => {} })".to_owned(),
        ),
        ("packages/one/.pi/settings.json", near.to_string()),
        ("packages/one/.pi/SYSTEM.md", "NEAR SYSTEM".to_owned()),
        ("packages/one/.pi/skills/both/SKILL.md", "---\nname: both\ndescription: NEAR\n---\n".to_owned()),
    ] {
        world.write(file, &text);
    }
    let sub = world.cwd().join("packages/one/src");
    fs::create_dir_all(&sub).unwrap();
    sub
}

async fn names(world: &World, dir: &Path, args: &[&str]) -> Vec<String> {
    let mut pi = world.pi(&[&["--mode", "rpc"], args].concat()).dir(dir).start();
    let commands = ask(&mut pi, json!({"id": 1, "type": "get_commands"})).await;
    let mut names: Vec<String> = commands["data"]["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|command| command["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(pi.end().await.0, 0);
    names
}

#[tokio::test]
async fn it_counts_below_and_the_nearer_one_wins() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    let sub = repository(&world);
    let mut pi = world.pi(&["--mode", "rpc", "--approve"]).dir(&sub).start();
    send(&mut pi, &[prompt("/greet")]).await;
    pi.event("agent_end").await;
    assert_eq!(pi.end().await, (0, String::new()));
    let request = &provider.requests()[0];
    assert_eq!(
        (request.tools(), request.texts("user")),
        (vec!["read", "ls", "grep"], vec!["GREETING of the root".to_owned()])
    );
    let system = request.system();
    for part in ["NEAR SYSTEM", "ROOT APPEND", "SKILL outer", "SKILL listed", "NEAR"] {
        assert!(system.contains(part), "{part}: {system}");
    }
    assert!(!system.contains("ROOT SYSTEM") && !system.contains("FAR"), "{system}");
    assert_eq!(
        names(&world, &sub, &["--approve"]).await,
        ["greet", "hello", "skill:both", "skill:listed", "skill:outer"]
    );
}

#[tokio::test]
async fn without_trust_it_is_left_out_with_a_notice_and_trust_is_for_all_of_it() {
    let world = World::at("http://127.0.0.1:9");
    repository(&world);
    let sub = world.cwd().join("packages/two");
    fs::create_dir_all(&sub).unwrap();
    let start = async |args: &[&str]| world.pi(args).dir(&sub).run().await;
    assert_eq!(names(&world, &sub, &[]).await, [""; 0]);
    let told = start(&["-p", "hi"]).await.stderr;
    let root = world.cwd().canonicalize().unwrap();
    assert!(
        told.contains("do not count: ROOT/project/.pi/settings.json, ") && told.matches("Warning").count() == 1,
        "{told}"
    );

    let trusted = start(&["trust"]).await.success();
    assert!(trusted.starts_with("Trusted: ROOT/project, the project"), "{trusted}");
    let stored: Value =
        serde_json::from_str(&fs::read_to_string(world.agent_dir().join("trust.json")).unwrap()).unwrap();
    assert_eq!(stored, json!({root.to_str().unwrap(): true}));
    let all = ["greet", "hello", "skill:both", "skill:listed", "skill:outer"];
    assert_eq!(names(&world, &sub, &[]).await, all);
    assert_eq!(names(&world, &world.cwd(), &[]).await, all);

    let undone = start(&["trust", "--undo"]).await.success();
    assert!(undone.starts_with("Forgotten: the decision about ROOT/project\n"), "{undone}");
    assert_eq!(names(&world, &sub, &[]).await, [""; 0]);
    // A yes to a subdirectory is none to the root, and a no to the root is heeded without a word.
    let sub_name = sub.canonicalize().unwrap();
    for (decisions, is_told) in [
        (json!({sub_name.to_str().unwrap(): true}), true),
        (json!({sub_name.to_str().unwrap(): true, root.to_str().unwrap(): false}), false),
    ] {
        world.write_config("trust.json", &decisions);
        assert_eq!(names(&world, &sub, &[]).await, [""; 0]);
        let told = start(&["-p", "hi"]).await.stderr;
        assert_eq!(told.contains("do not count: ROOT/project/.pi/settings.json, "), is_told, "{told}");
    }
    start(&["trust"]).await.success();
    assert_eq!(names(&world, &sub, &[]).await, all);
}

#[tokio::test]
async fn a_home_that_is_a_repository_makes_no_project() {
    let world = World::at("http://127.0.0.1:9");
    let home = world.home();
    fs::create_dir_all(home.join(".git")).unwrap();
    fs::create_dir_all(home.join(".pi/skills/own")).unwrap();
    fs::write(home.join(".pi/skills/own/SKILL.md"), skill("own")).unwrap();
    fs::write(home.join(".pi/settings.json"), "{oops").unwrap();
    let sub = home.join("work/here");
    fs::create_dir_all(&sub).unwrap();
    assert_eq!(names(&world, &sub, &["--approve"]).await, [""; 0]);
    let told = world.pi(&["-p", "hi"]).dir(&sub).run().await.stderr;
    assert!(!told.contains("do not count") && !told.contains("settings"), "{told}");
}

#[tokio::test]
async fn packages_of_the_root_count_and_its_mistakes_are_named() {
    let world = World::at("http://127.0.0.1:9");
    let sub = repository(&world);
    world.write(".pi/settings.json", &json!({"packages": ["./bundle"], "theme": 7}).to_string());
    world.write(".pi/bundle/package.json", r#"{"name": "bundle", "pi": {"prompts": ["./said"]}}"#);
    world.write(".pi/bundle/said/packed.md", "PACKED");
    let found = names(&world, &sub, &["--approve"]).await;
    assert!(found.contains(&"packed".to_owned()), "{found:?}");
    let told = world.pi(&["-p", "hi", "--approve"]).dir(&sub).run().await.stderr;
    assert!(
        told.contains("\"theme\" must be a text; it is ignored (") && told.contains("/.pi/settings.json)"),
        "{told}"
    );
    let doctor = world.pi(&["doctor"]).dir(&sub).run().await.stdout;
    assert!(doctor.contains("not trusted"), "{doctor}");
}
