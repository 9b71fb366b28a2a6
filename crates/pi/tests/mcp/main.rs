//! Servers of MCP as a user meets them: the real program, real servers, a provider on loopback that plays a script.
#![cfg(feature = "mcp")]
#![allow(clippy::disallowed_methods, reason = "no run of a test is replayed by its clock and ids")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // helpers of a test

mod calls;
mod changes;
mod codemode;
mod command;
mod doctor;
mod http;
mod lists;
mod logins;
mod questions;
mod resources;
mod search;
mod serve;
mod starts;
mod told;

use std::path::{Path, PathBuf};

use pi_test_kit::{Finished, Provider, World};
use serde_json::{Value, json};

/// The server of these tests.
pub(crate) fn server() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/server.py")
}

/// The entry of such a server, bad in the way of `mode`.
pub(crate) fn entry(mode: &str) -> Value {
    json!({"command": "python3", "args": [server(), mode]})
}

/// A world whose user has these servers.
pub(crate) fn world(provider: &Provider, servers: &Value) -> World {
    let world = World::with(provider);
    world.write_config("mcp.json", &json!({"mcpServers": servers}));
    world
}

/// Runs a prompt to its end.
pub(crate) async fn prompt(world: &World, more: &[&str]) -> Finished {
    world.run(&[&["-p", "go"], more].concat()).await
}

/// The tools of servers in a request.
pub(crate) fn tools(request: &pi_test_kit::Received) -> Vec<&str> {
    request.tools().into_iter().filter(|name| name.starts_with("mcp__") || *name == "tool_search").collect()
}

/// What the model was told of the calls that it made.
pub(crate) fn results(provider: &Provider) -> Vec<String> {
    let last = provider.requests().pop().unwrap();
    let messages = last.body["messages"].as_array().unwrap().clone();
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    results
        .map(|result| {
            result["content"].as_array().map_or_else(
                || result["content"].as_str().unwrap_or_default().to_owned(),
                |parts| {
                    parts
                        .iter()
                        .map(|part| part["text"].as_str().unwrap_or("image").to_owned())
                        .collect::<Vec<_>>()
                        .join("|")
                },
            )
        })
        .collect()
}
