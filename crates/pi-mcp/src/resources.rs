//! Resources of servers as tools of the agent: what there is, and reading one of them.

use std::fmt::Write;
use std::sync::{Arc, Weak};

use futures::FutureExt;
use futures::future::{BoxFuture, join_all};
use pi_agent_core::{Tool, ToolError, ToolInvocation, ToolOutput};
use pi_ai::{ContentBlock, ToolDefinition};
use rmcp::model::{
    ListResourceTemplatesRequest, ListResourcesRequest, PaginatedRequestParams, ReadResourceRequest,
    ReadResourceRequestParams, ServerResult,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::results;
use crate::search::first_line;
use crate::server::Server;
use crate::servers::Servers;

/// Pages of a list that are asked for; a server may go on for ever.
const MOST_PAGES: usize = 40;
/// Entries of a list that are shown.
const MOST_ENTRIES: usize = 1000;
/// Characters of a description in a list.
const LONGEST_DESCRIPTION: usize = 200;

/// What can be done with resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ResourceAction {
    /// Say which there are.
    List,
    /// Say which addresses can be made up.
    ListTemplates,
    /// Read one.
    Read,
}

impl ResourceAction {
    pub(crate) const ALL: [Self; 3] = [Self::List, Self::ListTemplates, Self::Read];

    /// The name of its tool.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::List => "list_mcp_resources",
            Self::ListTemplates => "list_mcp_resource_templates",
            Self::Read => "read_mcp_resource",
        }
    }

    /// What its tool is for.
    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::List => "Lists the resources (documents, records, data) that MCP servers offer, with their URIs.",
            Self::ListTemplates => {
                "Lists the URI templates of MCP servers: with values put in, they are URIs of resources."
            }
            Self::Read => "Reads a resource of an MCP server.",
        }
    }

    /// The schema of its arguments.
    pub(crate) fn parameters(self) -> Value {
        match self {
            Self::List | Self::ListTemplates => json!({
                "type": "object",
                "properties": {"server": {"type": "string", "description": "Only this server; default: all"}},
            }),
            Self::Read => json!({
                "type": "object",
                "properties": {
                    "server": {"type": "string", "description": "Name of the server"},
                    "uri": {"type": "string", "description": "URI of the resource"},
                },
                "required": ["server", "uri"],
            }),
        }
    }
}

/// One of the tools.
pub(crate) struct ResourceTool {
    servers: Weak<Servers>,
    action: ResourceAction,
    definition: Arc<ToolDefinition>,
}

impl ResourceTool {
    /// The tool for the servers of a session.
    pub(crate) fn new(servers: &Arc<Servers>, action: ResourceAction) -> Self {
        let definition = ToolDefinition {
            name: action.name().to_owned(),
            description: action.description().to_owned(),
            parameters: action.parameters(),
        };
        Self { servers: Arc::downgrade(servers), action, definition: Arc::new(definition) }
    }

    async fn call(&self, call: ToolInvocation) -> Result<ToolOutput, ToolError> {
        let servers = self.servers.upgrade().ok_or_else(|| ToolError::new("The servers of this session have ended"))?;
        let servers = servers.with_resources();
        let text = |key: &str| call.arguments[key].as_str().map(str::trim).filter(|text| !text.is_empty());
        let named = text("server").map(|name| named(&servers, name)).transpose()?;
        if self.action != ResourceAction::Read {
            let of = named.map_or(servers, |server| vec![server]);
            return list(self.action, &of, &call.cancel).await;
        }
        let (Some(server), Some(uri)) = (named, text("uri")) else {
            return Err(ToolError::new("A resource is read by its server and its uri: both are needed"));
        };
        read(&server, uri, &call.cancel).await
    }
}

fn named(servers: &[Arc<Server>], name: &str) -> Result<Arc<Server>, ToolError> {
    servers.iter().find(|server| server.name() == name).map(Arc::clone).ok_or_else(|| {
        let names: Vec<&str> = servers.iter().map(|server| server.name()).collect();
        ToolError::new(format!("No MCP server \"{name}\" has resources; these have: {}", names.join(", ")))
    })
}

async fn read(server: &Server, uri: &str, cancel: &CancellationToken) -> Result<ToolOutput, ToolError> {
    let request = ReadResourceRequest::new(ReadResourceRequestParams::new(uri));
    let what = format!("the resource {uri}");
    let answer = server.request(&what, request, cancel, |_| {}).await;
    let result = match answer.map_err(|error| ToolError::new(error.to_string()))? {
        ServerResult::ReadResourceResult(result) => result,
        _ => return Err(ToolError::new(other_answer(server, &what).to_string())),
    };
    results::of_resource(&result.contents, &json!({"server": server.name(), "uri": uri}))
}

/// The lists of servers, one under the other. A server that does not answer costs only its own, unless it is the only one.
async fn list(
    action: ResourceAction,
    servers: &[Arc<Server>],
    cancel: &CancellationToken,
) -> Result<ToolOutput, ToolError> {
    let lists = join_all(servers.iter().map(|server| lines(action, server, cancel))).await;
    if let [Err(error)] = lists.as_slice() {
        return Err(ToolError::new(error.to_string()));
    }
    let mut text = String::new();
    for (server, list) in servers.iter().zip(lists) {
        let _ = match list {
            Ok(list) if list.is_empty() => write!(text, "{}: none\n\n", server.name()),
            Ok(list) => write!(text, "{}:\n{}\n\n", server.name(), list.join("\n")),
            Err(error) => write!(text, "{}: {error}\n\n", server.name()),
        };
    }
    results::limited_output(vec![ContentBlock::text(text.trim_end())], &json!({}))
}

/// The list of one server, page after page.
async fn lines(action: ResourceAction, server: &Server, cancel: &CancellationToken) -> Result<Vec<String>, Error> {
    let mut lines = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let (page, next) = page(action, server, cursor.clone(), cancel).await?;
        lines.extend(page);
        // A server that names the same page again would do so for ever.
        if next.is_none() || next == cursor {
            return Ok(lines);
        }
        cursor = next;
        if lines.len() >= MOST_ENTRIES {
            break;
        }
    }
    lines.truncate(MOST_ENTRIES);
    lines.push(format!("[The list goes on; these are the first {}.]", lines.len()));
    Ok(lines)
}

async fn page(
    action: ResourceAction,
    server: &Server,
    cursor: Option<String>,
    cancel: &CancellationToken,
) -> Result<(Vec<String>, Option<String>), Error> {
    let params = PaginatedRequestParams::default().with_cursor(cursor);
    let what = "the list of its resources";
    if action == ResourceAction::ListTemplates {
        let request = ListResourceTemplatesRequest::with_param(params);
        return match server.request(what, request, cancel, |_| {}).await? {
            ServerResult::ListResourceTemplatesResult(result) => {
                let line = |one: rmcp::model::ResourceTemplate| {
                    line(&one.uri_template, &one.name, one.mime_type, None, one.description.or(one.title))
                };
                Ok((result.resource_templates.into_iter().map(line).collect(), result.next_cursor))
            }
            _ => Err(other_answer(server, what)),
        };
    }
    match server.request(what, ListResourcesRequest::with_param(params), cancel, |_| {}).await? {
        ServerResult::ListResourcesResult(result) => {
            let line = |one: rmcp::model::Resource| {
                line(&one.uri, &one.name, one.mime_type, one.size, one.description.or(one.title))
            };
            Ok((result.resources.into_iter().map(line).collect(), result.next_cursor))
        }
        _ => Err(other_answer(server, what)),
    }
}

fn line(uri: &str, name: &str, kind: Option<String>, size: Option<u64>, about: Option<String>) -> String {
    let facts = [Some(name.to_owned()), kind, size.map(|size| format!("{size} bytes"))];
    let facts: Vec<String> = facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect();
    let about: String = first_line(&about.unwrap_or_default()).chars().take(LONGEST_DESCRIPTION).collect();
    let colon = if about.is_empty() { "" } else { ": " };
    format!("- {uri} ({}){colon}{about}", facts.join(", "))
}

fn other_answer(server: &Server, what: &str) -> Error {
    Error::Unsupported { server: server.name().to_owned(), tool: what.to_owned(), what: "another message".to_owned() }
}

impl std::fmt::Debug for ResourceTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResourceTool").field("action", &self.action).finish_non_exhaustive()
    }
}

impl Tool for ResourceTool {
    fn definition(&self) -> &Arc<ToolDefinition> {
        &self.definition
    }

    fn label(&self) -> &str {
        "MCP resources"
    }

    fn execute(&self, call: ToolInvocation) -> BoxFuture<'_, Result<ToolOutput, ToolError>> {
        self.call(call).boxed()
    }
}
