//! What `get_commands` lists, and which projects may add to it.

use serde_json::{Value, json};

use crate::rpc::ask;
use pi_test_kit::World;

fn skill(name: &str, more: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\n{more}---\nBody\n")
}

fn world() -> World {
    let world = World::at("http://127.0.0.1:9");
    let agent = |name: &str, text: &str| {
        let path = world.agent_dir().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    agent("skills/alpha/SKILL.md", &skill("alpha", ""));
    agent("skills/hidden/SKILL.md", &skill("hidden", "disable-model-invocation: true\n"));
    agent("prompts/greet.md", "---\ndescription: Greets\n---\nSay hello to $1\n");
    world.write("extra/SKILL.md", &skill("extra", ""));
    world.write("more/tell.md", "Tell me about $@\n");
    world.write(".pi/prompts/ours.md", "Ours\n");
    world.write(".agents/skills/team/SKILL.md", &skill("team", ""));
    world.write(".pi/settings.json", r#"{"followUpMode": "all"}"#);
    world
}

/// The commands, and whether the project's settings count.
async fn commands(world: &World, args: &[&str]) -> (Vec<Value>, bool, String) {
    let mut pi = world.pi(&[&["--mode", "rpc", "--no-session"], args].concat()).start();
    let state = ask(&mut pi, json!({"id": 1, "type": "get_state"})).await;
    let mut response = ask(&mut pi, json!({"id": 2, "type": "get_commands"})).await;
    let Value::Array(commands) = response["data"]["commands"].take() else { panic!("{response}") };
    let (code, complaints) = pi.end().await;
    assert_eq!(code, 0);
    (commands, state["data"]["followUpMode"] == "all", world.mask(&complaints))
}

fn names(commands: &[Value]) -> Vec<&str> {
    commands.iter().map(|command| command["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn templates_and_skills_with_their_sources() {
    let world = world();
    let args = ["--skill", "extra", "--prompt-template", "more/tell.md", "--approve"];
    let (commands, _, complaints) = commands(&world, &args).await;
    assert_eq!(complaints, "");
    insta::assert_snapshot!(world.mask(&serde_json::to_string_pretty(&commands).unwrap()));
}

#[tokio::test]
async fn options_can_take_the_place_of_what_is_found() {
    let world = world();
    let args = ["--no-skills", "--skill", "extra", "--no-prompt-templates", "--prompt-template", "more"];
    assert_eq!(names(&commands(&world, &args).await.0), ["tell", "skill:extra"]);
}

#[tokio::test]
async fn only_trusted_projects_add_to_them() {
    let world = world();
    let project = std::fs::canonicalize(world.cwd()).unwrap();
    let (project, above) = (project.to_str().unwrap(), project.parent().unwrap().to_str().unwrap());
    for (args, default, decisions, trusted) in [
        (vec![], "ask", json!({}), false),
        (vec!["--approve"], "never", json!({project: false}), true),
        (vec!["--no-approve"], "always", json!({project: true}), false),
        (vec![], "always", json!({}), true),
        (vec![], "always", json!({project: false}), false),
        (vec![], "ask", json!({above: true}), true),
        (vec![], "ask", json!({above: true, project: false}), false),
    ] {
        world.write_config("settings.json", &json!({"defaultProjectTrust": default}));
        world.write_config("trust.json", &decisions);
        let (commands, settings_count, complaints) = commands(&world, &args).await;
        let case = format!("{args:?} {default} {decisions}");
        assert_eq!(settings_count, trusted, "{case}");
        // Where nobody has decided, what was left out is said.
        let undecided = args.is_empty() && default == "ask" && decisions == json!({});
        assert_eq!(complaints.is_empty(), !undecided, "{case}: {complaints}");
        assert!(!undecided || complaints.contains("this project is not trusted"), "{complaints}");
        let expected = match trusted {
            true => vec!["ours", "greet", "skill:team", "skill:alpha", "skill:hidden"],
            false => vec!["greet", "skill:alpha", "skill:hidden"],
        };
        assert_eq!(names(&commands), expected, "{case}");
    }
}

#[tokio::test]
async fn decisions_that_cannot_be_read_are_no() {
    let world = world();
    world.write_config("settings.json", &json!({"defaultProjectTrust": "always"}));
    std::fs::write(world.agent_dir().join("trust.json"), "{oops").unwrap();
    let (commands, settings_count, complaints) = commands(&world, &[]).await;
    assert_eq!((names(&commands), settings_count), (vec!["greet", "skill:alpha", "skill:hidden"], false));
    assert!(complaints.starts_with("Warning: ROOT/agent/trust.json is not valid: "), "{complaints}");
    assert!(complaints.ends_with("The project is not trusted; --approve trusts it for this run\n"), "{complaints}");
}
