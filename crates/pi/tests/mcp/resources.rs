//! Resources of servers: three tools, where a server has some.

use pi_test_kit::{Provider, answer, tool_call, tool_calls};
use serde_json::json;

use crate::{entry, prompt, results, world};

const NAMES: [&str; 3] = ["list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"];

fn names(request: &pi_test_kit::Received) -> Vec<&str> {
    request.tools().into_iter().filter(|name| NAMES.contains(name)).collect()
}

#[tokio::test]
async fn resources_are_listed_and_read() {
    let calls = [
        ("1", NAMES[0], json!({})),
        ("2", NAMES[1], json!({"server": "t"})),
        ("3", NAMES[2], json!({"server": "t", "uri": "memo://one"})),
        ("4", NAMES[2], json!({"server": "t", "uri": "memo://dot"})),
        ("5", NAMES[2], json!({"server": "t", "uri": "memo://pdf"})),
        ("6", NAMES[2], json!({"server": "t", "uri": "memo://none"})),
        ("7", NAMES[2], json!({"server": "x", "uri": "memo://one"})),
        ("8", NAMES[2], json!({"server": "t", "uri": "memo://long"})),
        ("9", NAMES[2], json!({"server": "t"})),
    ];
    let provider = Provider::start([tool_calls(&calls), answer("ok")]).await;
    let world = world(&provider, &json!({"t": entry("good")}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(names(&provider.requests()[0]), NAMES);
    let results = results(&provider);
    let list = "t:\n- memo://one (one): The first memo.\n- memo://dot (dot, image/png)\n\
                - memo://pdf (pdf, application/pdf, 4 bytes)";
    assert_eq!(results[..3], [list, "t:\n- memo://{day} (of a day): The memo of a day", "Buy milk."]);
    assert_eq!(results[3], "(tool image omitted: model does not support images)");
    let file = results[4].strip_prefix("[memo://pdf of type application/pdf, 4 bytes, is in ").unwrap();
    let file = file.strip_suffix(']').unwrap();
    assert_eq!(std::fs::read(file).unwrap(), b"%PDF");
    std::fs::remove_file(file).unwrap();
    assert_eq!(results[5], "MCP server \"t\" refused the resource memo://none: no such memo");
    assert_eq!(results[6], "No MCP server \"x\" has resources; these have: t");
    assert!(results[7].starts_with("begin") && results[7].ends_with("end") && results[7].len() < 21_000);
    assert!(results[8].contains("uri"), "{}", results[8]);
}

#[tokio::test]
async fn a_list_without_end_is_cut() {
    let provider = Provider::start([tool_call("1", NAMES[0], &json!({"server": "t"})), answer("ok")]).await;
    let world = world(&provider, &json!({"t": entry("endless")}));
    let done = prompt(&world, &[]).await;
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert!(results(&provider)[0].ends_with("[The list goes on; these are the first 40.]"), "{:?}", results(&provider));
}

#[tokio::test]
async fn they_are_found_by_a_search_or_hidden_as_the_entry_says() {
    for (exposure, found) in [("deferred", true), ("hidden", false)] {
        let search = tool_call("1", "tool_search", &json!({"query": "read a resource", "limit": 1}));
        let provider = Provider::start([search, answer("ok")]).await;
        let mut hidden = entry("good");
        hidden["exposure"] = json!(exposure);
        hidden["toolExposure"] = json!({"echo": "deferred"});
        let world = world(&provider, &json!({"t": hidden}));
        let done = prompt(&world, &[]).await;
        assert_eq!(done.code, Some(0), "{}", done.stderr);
        let requests = provider.requests();
        assert_eq!(names(&requests[0]), [""; 0], "{exposure}");
        let expected = if found { vec![NAMES[2]] } else { vec![] };
        assert_eq!(names(&requests[1]), expected, "{exposure}");
    }
}
