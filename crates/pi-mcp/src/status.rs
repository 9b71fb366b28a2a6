//! How the servers of a session are doing, as clients of the session learn it: the answer to the RPC command
//! `get_mcp_status`, whose page describes it.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::config::ServerEntry;
use crate::error::Error;
use crate::server::{Server, State};
use crate::servers::Servers;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ServerStatus<'a> {
    name: &'a str,
    state: &'static str,
    /// Why it cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Where it is configured; nothing for one of a client or an extension.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a Path>,
    /// What it has, once it was asked: in this session or in an earlier one.
    #[serde(flatten)]
    parts: Option<Parts>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Parts {
    title: String,
    protocol_version: String,
    tools: Vec<String>,
    prompts: Vec<String>,
    has_resources: bool,
    problems: Vec<String>,
}

/// The answer. Nothing is started for it.
pub(crate) fn status(servers: &Servers) -> Value {
    let (enabled, disabled) = (servers.all(), servers.disabled());
    let disabled = disabled.iter().map(|entry| of_entry(entry, "disabled", None));
    let all: Vec<_> = enabled.iter().map(|server| of_server(server)).chain(disabled).collect();
    json!({"servers": all, "problems": servers.problems()})
}

fn of_server(server: &Server) -> ServerStatus<'_> {
    let (state, error) = match server.state() {
        State::Idle => ("idle", None),
        State::Starting => ("starting", None),
        State::Connected => ("connected", None),
        State::Failed(error @ Error::Login { .. }) => ("needs-login", Some(error)),
        State::Failed(error) => ("failed", Some(error)),
    };
    let parts = server.metadata().map(|metadata| Parts {
        title: metadata.title.clone(),
        protocol_version: metadata.protocol_version.clone(),
        tools: metadata.tools.iter().map(|tool| tool.name.clone()).collect(),
        prompts: metadata.prompts.iter().map(|prompt| prompt.name.clone()).collect(),
        has_resources: metadata.has_resources,
        problems: metadata.problems.clone(),
    });
    ServerStatus { parts, ..of_entry(server.entry(), state, error) }
}

fn of_entry<'a>(entry: &'a ServerEntry, state: &'static str, error: Option<Error>) -> ServerStatus<'a> {
    let file = Some(entry.file.as_path()).filter(|file| !file.as_os_str().is_empty());
    ServerStatus { name: &entry.name, state, error: error.map(|error| error.to_string()), file, parts: None }
}
