//! `pi doctor` about MCP servers: where each is configured, what is wrong with it, and the way out. None is started.

use std::os::unix::fs::PermissionsExt;

use pi_test_kit::{Provider, World};
use serde_json::{Value, json};

use crate::http::HttpServer;
use crate::world;

/// The section about servers, a line each, without its title.
async fn examine(world: &World, options: &[&str]) -> (Option<i32>, String) {
    let run = world.run(&[&["doctor"], options].concat()).await;
    assert_eq!(run.stderr, "");
    let section = run.stdout.split("\n\n").find_map(|section| section.strip_prefix("MCP servers\n"));
    (run.code, section.unwrap_or_default().to_owned())
}

fn in_project(world: &World) {
    let servers = json!({"mcpServers": {"docs": {"command": "python3"}, "mine": {"command": "python3"}}});
    world.write(".mcp.json", &servers.to_string());
    world.write(".pi/mcp.json", "{oops");
}

#[tokio::test]
async fn each_server_has_a_line_with_the_way_out_and_none_is_started() {
    let http = HttpServer::start("good");
    let started = |world: &World| world.cwd().join("started").exists();
    let provider = Provider::start([]).await;
    let mut address = http.entry();
    address["headers"] = json!({"Authorization": "!touch started"});
    let world = world(
        &provider,
        &json!({
            "good": {"command": "./server", "args": ["s3cret"]},
            "address": address,
            "docs": {"command": "python3"},
            "off": {"command": "absent", "enabled": false},
            "absent": {"command": "no-such-program"},
            "token": {"url": "https://a.example/mcp?key=s3cret", "headers": {"Authorization": "Bearer ${NO_SUCH_TOKEN}"}},
            "old": {"url": "http://a.example/sse", "type": "sse"},
            "file": {"url": "file:///etc/passwd"},
            "empty": {},
        }),
    );
    let server = world.write("server", "#!/bin/sh\ntouch started\n");
    std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
    in_project(&world);
    let (code, untrusted) = examine(&world, &[]).await;
    assert_eq!(code, Some(1));
    let user = "ROOT/agent/mcp.json";
    for line in [
        format!("  ok good: ./server (user, {user})"),
        format!("  ok docs: python3 (user, {user})"),
        format!("  -- off: switched off (user, {user})"),
        "  !! absent: MCP server \"absent\" cannot be started: there is no program \"no-such-program\". Is it installed, \
         and on the PATH?"
            .to_owned(),
        format!("     -> install it, or correct \"command\" in {user}"),
        "  !! token: MCP server \"token\" needs the environment variable NO_SUCH_TOKEN, which is not set".to_owned(),
        format!("     -> set it before pi starts, or write ${{NO_SUCH_TOKEN:-a default}} in {user}"),
        "  !! file: url must begin with http:// or https://: file:///etc/passwd".to_owned(),
        "  !! empty: needs a command or a url".to_owned(),
        format!("     -> correct it in {user}; until then it is left out"),
        "  -- mine: not used: the project is not trusted (project, ROOT/project/.mcp.json)".to_owned(),
        "  -- ROOT/project/.pi/mcp.json: not used: the project is not trusted".to_owned(),
        "     -> pi trust makes it count from now on, pi --approve for one run".to_owned(),
    ] {
        assert!(untrusted.lines().any(|said| said == line), "{line}\nis not in\n{untrusted}");
    }
    assert!(untrusted.contains("  ok address: http://127.0.0.1:") && untrusted.contains("!! old: the old HTTP+SSE"));
    assert!(!untrusted.contains("s3cret"), "{untrusted}");
    assert!(!started(&world) && http.log().is_empty(), "nothing runs, nothing is called");

    assert_eq!(world.run(&["trust"]).await.code, Some(0));
    let (_, trusted) = examine(&world, &[]).await;
    for line in [
        "  -- docs: that of ROOT/project/.mcp.json takes its place (user, ROOT/agent/mcp.json)",
        "  ok docs: python3 (project, ROOT/project/.mcp.json)",
        "  ok mine: python3 (project, ROOT/project/.mcp.json)",
    ] {
        assert!(trusted.lines().any(|said| said == line), "{line}\nis not in\n{trusted}");
    }
    assert!(trusted.contains("  !! ROOT/project/.pi/mcp.json: ROOT/project/.pi/mcp.json is not valid: "), "{trusted}");
    assert!(trusted.contains("-> correct ROOT/project/.pi/mcp.json; until then it names no servers"), "{trusted}");
}

#[tokio::test]
async fn programs_get_the_same_and_without_servers_there_is_nothing_to_say() {
    let provider = Provider::start([]).await;
    let bare = World::with(&provider);
    assert_eq!(examine(&bare, &[]).await, (Some(0), String::new()));
    let world = world(&provider, &json!({"a": {"command": "no-such-program"}}));
    let run = world.run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let sections = report["sections"].as_array().unwrap();
    let section = sections.iter().find(|section| section["name"] == "MCP servers").unwrap();
    let finding = &section["findings"][0];
    assert_eq!((&finding["level"], &finding["subject"]), (&json!("attention"), &json!("a")));
    assert!(finding["remedy"].as_str().unwrap().starts_with("install it"));
}
