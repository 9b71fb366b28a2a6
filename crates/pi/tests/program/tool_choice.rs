//! Which tools the model gets: the setting `defaultTools` of user and project, and the options.

use serde_json::{Value, json};

use crate::rpc::{prompt, send};
use pi_test_kit::{Provider, World, answer};

fn configure(world: &World, user: &Value, project: &Value) {
    let mut settings = json!({"defaultProvider": "mock", "defaultModel": "m1"});
    if !user.is_null() {
        settings["defaultTools"] = user.clone();
    }
    world.write_config("settings.json", &settings);
    if !project.is_null() {
        world.write(".pi/settings.json", &json!({"defaultTools": project}).to_string());
    }
}

/// The tools of the request and what is said on standard error.
async fn tools(user: Value, project: Value, args: &[&str]) -> (Vec<String>, String) {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    configure(&world, &user, &project);
    let args: Vec<&str> = ["-p", "hi", "--approve"].iter().chain(args).copied().collect();
    let finished = world.run(&args).await;
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), "fine\n"), "{}", finished.stderr);
    let tools = provider.requests()[0].tools().into_iter().map(ToOwned::to_owned).collect();
    (tools, finished.stderr)
}

#[tokio::test]
async fn names_replace_the_default_tools_and_signed_names_change_them() {
    let no = Value::Null;
    for (user, project, args, expected) in [
        (json!(["grep", "read"]), no.clone(), &[][..], &["grep", "read"][..]),
        (json!([]), no.clone(), &[], &[]),
        (json!(["+grep", "-bash"]), no.clone(), &[], &["read", "edit", "write", "grep"]),
        (json!(["ls", "+grep", "-ls"]), no.clone(), &[], &["grep"]),
        (json!(["read", "+grep"]), json!(["+ls"]), &[], &["read", "grep", "ls"]),
        (json!(["-bash"]), json!(["ls"]), &[], &["ls"]),
        (json!(["+grep"]), no.clone(), &["--tools", "-*i*,+find"], &["read", "bash", "grep", "find"]),
        (no.clone(), no.clone(), &["--tools", "+grep,-write"], &["read", "bash", "edit", "grep"]),
        (no.clone(), no.clone(), &["-t", "ls,re*"], &["ls", "read"]),
        (json!(["ls"]), no.clone(), &["-t", "read"], &["read"]),
        (json!(["ls", "read"]), no.clone(), &["-nbt", "-t", "+find"], &["find"]),
        (json!(["ls"]), no.clone(), &["--no-tools"], &[]),
        (json!(["ls"]), no.clone(), &["--no-tools", "--tools", "+read"], &["read"]),
        (no.clone(), no.clone(), &["-xt", "*i*"], &["read", "bash"]),
        (no.clone(), no.clone(), &["-t", "read,mcp__*", "-xt", "mcp__git__*"], &["read"]),
    ] {
        let (tools, said) = tools(user.clone(), project.clone(), args).await;
        assert_eq!(
            (tools, said.as_str()),
            (expected.iter().map(|name| (*name).to_owned()).collect(), ""),
            "{user} {project} {args:?}"
        );
    }
}

#[tokio::test]
async fn unknown_names_are_one_warning_that_knows_better() {
    let (named, said) = tools(json!(["+grpe"]), Value::Null, &[]).await;
    assert_eq!(named, ["read", "bash", "edit", "write"]);
    assert_eq!(said, "Warning: Unknown tool \"grpe\" is ignored. Did you mean grep? pi --help names the tools\n");
    let (named, said) = tools(Value::Null, Value::Null, &["--tools", "raed,ls,webfetch", "-xt", "raed"]).await;
    assert_eq!(named, ["ls"]);
    assert_eq!(
        said,
        "Warning: Unknown tools are ignored: \"raed\" (did you mean read?), \"webfetch\". pi --help names the tools\n"
    );
}

#[tokio::test]
async fn a_list_of_both_kinds_is_refused() {
    let world = World::at("http://127.0.0.1:9");
    let finished = world.run(&["-p", "hi", "--tools", "read,+grep"]).await;
    assert_eq!(finished.code, Some(1));
    assert!(finished.stderr.starts_with("Error: --tools mixes names and changes: \"read\""), "{}", finished.stderr);
    configure(&world, &json!("grep"), &Value::Null);
    let finished = world.run(&["-p", "hi", "--offline", "--provider", "nobody", "--model", "x"]).await;
    assert!(finished.stderr.contains("\"defaultTools\" must be a list of texts; it is ignored"), "{}", finished.stderr);
}

#[tokio::test]
async fn it_is_the_same_over_rpc() {
    let provider = Provider::start([answer("fine")]).await;
    let world = World::with(&provider);
    configure(&world, &json!(["+grep"]), &Value::Null);
    let mut pi = world.pi(&["--mode", "rpc", "--tools", "-write,+nothing"]).start();
    send(&mut pi, &[prompt("hi")]).await;
    pi.event("agent_end").await;
    assert_eq!(provider.requests()[0].tools(), ["read", "bash", "edit", "grep"]);
    let (code, said) = pi.end().await;
    assert_eq!((code, said.lines().count()), (0, 1), "{said}");
}
