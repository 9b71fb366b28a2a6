//! What a server has, as it lists it: page after page, entry after entry. A bad entry costs only itself, and lists without
//! end are cut.

use std::collections::HashSet;

use pi_agent_core::ToolAnnotations;
use rmcp::model::{
    ClientRequest, ListPromptsRequest, ListToolsRequest, PaginatedRequestParams, Prompt, ServerResult, Tool,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::connection::{Connection, START_TIME};
use super::program::MAX_MESSAGE_MB;
use crate::error::Error;
use crate::metadata::{Metadata, PromptInfo, ToolInfo};
use crate::schema::size;

/// Pages that are asked for,
const MOST_PAGES: usize = 1000;
/// entries that are taken up of them,
const MOST_ENTRIES: usize = 5000;
/// and their bytes.
const MOST_BYTES: usize = MAX_MESSAGE_MB << 20;
/// Bad entries that are named one by one.
const MOST_NAMED: usize = 3;

/// Asks a server what it has.
///
/// # Errors
/// What went wrong, as a sentence.
pub(super) async fn lists(connection: &Connection) -> Result<Metadata, Error> {
    let info = connection.peer().peer_info();
    let (capabilities, identity, version) = match &info {
        Some(info) => (info.capabilities.clone(), info.server_info.clone(), Some(info.protocol_version.clone())),
        None => Default::default(),
    };
    let mut metadata = Metadata {
        title: identity.map(|identity| identity.title.unwrap_or(identity.name)).unwrap_or_default(),
        protocol_version: version.as_ref().map(ToString::to_string).unwrap_or_default(),
        is_legacy: version.is_some_and(|version| version.has_initialize()),
        has_resources: capabilities.resources.is_some(),
        ..Metadata::default()
    };
    if capabilities.tools.is_some() {
        let tools = list::<Tool>(connection, "tools", |params| ListToolsRequest::with_param(params).into()).await?;
        let mut names = HashSet::new();
        let is_new = |tool: &Tool| names.insert(tool.name.clone());
        metadata.tools = tools.entries.into_iter().filter(is_new).map(tool_info).collect();
        metadata.problems = tools.problems;
    }
    if capabilities.prompts.is_some() {
        // Tools are what counts: a server may be without prompts though it says otherwise.
        let prompts =
            list::<Prompt>(connection, "prompts", |params| ListPromptsRequest::with_param(params).into()).await;
        if let Ok(prompts) = prompts {
            metadata.prompts = prompts.entries.into_iter().map(prompt_info).collect();
            metadata.problems.extend(prompts.problems);
        }
    }
    Ok(metadata)
}

/// A list as far as it can be used, and what is wrong with the rest.
struct Listed<T> {
    entries: Vec<T>,
    problems: Vec<String>,
}

async fn list<T: DeserializeOwned>(
    connection: &Connection,
    kind: &str,
    request: impl Fn(PaginatedRequestParams) -> ClientRequest,
) -> Result<Listed<T>, Error> {
    let (mut entries, mut bad, mut bytes) = (Vec::new(), Vec::new(), 0);
    let (mut cursor, mut seen) = (None, HashSet::new());
    let cut = loop {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        let (page, next) = page(connection, kind, request(params)).await?;
        for entry in page {
            bytes += size(&entry);
            match T::deserialize(&entry) {
                Ok(entry) => entries.push(entry),
                Err(error) => bad.push(format!("{}: {error}", name_of(&entry))),
            }
        }
        let Some(next) = next else { break None };
        if seen.len() + 1 >= MOST_PAGES || entries.len() + bad.len() >= MOST_ENTRIES || bytes >= MOST_BYTES {
            break Some("has no end that pi can wait for");
        }
        if !seen.insert(next.clone()) {
            break Some("comes to the same page again and again");
        }
        cursor = Some(next);
    };
    let cut = cut.map(|why| format!("its list of {kind} {why}; only its first {} entries are used", entries.len()));
    let bad = (!bad.is_empty()).then(|| left_out(kind, &bad));
    Ok(Listed { entries, problems: cut.into_iter().chain(bad).collect() })
}

/// One page. What `rmcp` cannot read as a list, because of one bad entry, comes as it was sent.
async fn page(
    connection: &Connection,
    kind: &str,
    request: ClientRequest,
) -> Result<(Vec<Value>, Option<String>), Error> {
    let what = format!("the list of its {kind}");
    let never = CancellationToken::new();
    let answer = match connection.request(&what, request, START_TIME, &never, |_| {}).await? {
        ServerResult::CustomResult(result) => Ok(result.0),
        result => serde_json::to_value(result),
    };
    let mut answer: Map<String, Value> = match answer {
        Ok(Value::Object(answer)) => answer,
        _ => Map::new(),
    };
    let next = answer.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
    match answer.shift_remove(kind) {
        Some(Value::Array(page)) => Ok((page, next)),
        _ => Err(connection.unsupported(&what)),
    }
}

fn name_of(entry: &Value) -> String {
    entry["name"].as_str().map_or_else(|| "one without a name".to_owned(), |name| format!("\"{name}\""))
}

fn left_out(kind: &str, bad: &[String]) -> String {
    let named = bad.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
    let more = if bad.len() > MOST_NAMED { format!("; {} more", bad.len() - MOST_NAMED) } else { String::new() };
    format!("some of its {kind} cannot be used: {named}{more}")
}

fn tool_info(tool: Tool) -> ToolInfo {
    let said = tool.annotations.unwrap_or_default();
    let title = tool.title.or(said.title);
    let annotations = ToolAnnotations {
        read_only_hint: said.read_only_hint,
        destructive_hint: said.destructive_hint,
        idempotent_hint: said.idempotent_hint,
        open_world_hint: said.open_world_hint,
    };
    ToolInfo {
        name: tool.name.into_owned(),
        title,
        description: tool.description.unwrap_or_default().into_owned(),
        input_schema: tool.input_schema,
        annotations,
    }
}

fn prompt_info(prompt: Prompt) -> PromptInfo {
    let arguments = prompt.arguments.unwrap_or_default().into_iter().map(|argument| argument.name).collect();
    PromptInfo { name: prompt.name, description: prompt.description.unwrap_or_default(), arguments }
}
