//! MCP servers that the client hands over with a session. What they are is the business of the program, which knows the
//! protocol; here their forms are translated, and those that cannot be used are named.

use std::collections::BTreeMap;

use agent_client_protocol_schema::v1::{HttpHeader, McpServer, NoticeSeverity};
use serde_json::{Map, Value, json};

use super::agent::Agent;
use super::open_session::OpenSession;

/// The servers as entries by name; without those that cannot be used.
pub(super) fn entries(agent: &Agent, servers: &[McpServer]) -> Map<String, Value> {
    if agent.options().tool_servers.is_none() {
        return Map::new();
    }
    servers.iter().filter_map(entry).collect()
}

fn entry(server: &McpServer) -> Option<(String, Value)> {
    match server {
        McpServer::Stdio(server) => {
            let env: BTreeMap<&str, &str> = server.env.iter().map(|pair| (&*pair.name, &*pair.value)).collect();
            let entry = json!({"command": server.command, "args": server.args, "env": env});
            Some((server.name.clone(), entry))
        }
        McpServer::Http(server) => {
            let pair = |header: &HttpHeader| (header.name.clone(), Value::String(header.value.clone()));
            let headers: Map<String, Value> = server.headers.iter().map(pair).collect();
            Some((server.name.clone(), json!({"type": "http", "url": server.url, "headers": headers})))
        }
        _ => None,
    }
}

/// Tells the client of servers that are left out. `is_new`: the session was not open before.
pub(super) async fn report_left_out(agent: &Agent, open: &OpenSession, servers: &[McpServer], is_new: bool) {
    let (mut old, mut others) = (Vec::new(), Vec::new());
    for server in servers {
        match server {
            McpServer::Sse(server) => old.push(server.name.as_str()),
            McpServer::Http(server) => others.push(server.name.as_str()),
            McpServer::Stdio(server) => others.push(server.name.as_str()),
            _ => others.push("?"),
        }
    }
    let is_supported = agent.options().tool_servers.is_some();
    let why_others = match (is_supported, is_new) {
        (false, _) => Some("MCP servers are not supported here and are left out"),
        (true, false) => Some("The session is open already and keeps the MCP servers that it has. These are left out"),
        (true, true) => None,
    };
    let sse = "MCP servers over the old HTTP+SSE are not supported and are left out; their address for streamable HTTP \
               often ends in /mcp";
    for (names, why) in [(others, why_others), (old, Some(sse))] {
        if let Some(why) = why.filter(|_| !names.is_empty()) {
            open.updates().notify(NoticeSeverity::Warning, &format!("{why}: {}.", names.join(", "))).await;
        }
    }
}
