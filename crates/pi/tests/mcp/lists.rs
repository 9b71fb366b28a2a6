//! Lists of servers that are not as they should be: what can be used of them is used, and the rest is named.

use pi_test_kit::{Provider, World, answer, tool_call};
use serde_json::json;

use crate::{entry, prompt, results, tools, world};

#[tokio::test]
async fn a_bad_tool_and_a_list_without_end_cost_no_other_tool() {
    for (mode, words) in [
        (
            "partly",
            "some of its tools cannot be used: \"text\": invalid type: string \"a text\", expected a map; \"bare\": ",
        ),
        ("circular", "its list of tools comes to the same page again and again; "),
        ("unending", "its list of tools has no end that pi can wait for; only its first 5000 entries are used"),
    ] {
        let call = tool_call("1", "mcp__t__echo", &json!({"text": "hello"}));
        let provider = Provider::start([call, answer("ok")]).await;
        let world = world(&provider, &json!({"t": entry(mode)}));
        let done = prompt(&world, &[]).await;
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        assert_eq!(done.stderr.matches(&format!("MCP server \"t\": {words}")).count(), 1, "{mode}: {}", done.stderr);
        assert_eq!(results(&provider), ["hello"], "{mode}");
        if mode == "partly" {
            assert_eq!(tools(&provider.requests()[0]), ["mcp__t__echo"]);
        }
        let listed = world.run(&["mcp", "list"]).await;
        assert!(listed.stderr.contains(words), "{mode}: {}", listed.stderr);
    }
}

#[tokio::test]
async fn a_server_of_an_unknown_revision_is_not_used() {
    let world = World::at("http://127.0.0.1:9");
    world.write_config("mcp.json", &json!({"mcpServers": {"t": entry("future")}}));
    let listed = world.run(&["mcp", "list"]).await;
    let words = "MCP server \"t\" cannot be used: it wants to speak revision 2099-01-01 of MCP, which pi does not know";
    assert!(listed.stdout.contains(words), "{}", listed.stdout);
}
