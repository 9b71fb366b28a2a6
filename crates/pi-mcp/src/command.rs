//! `/mcp`: the servers of the session, and how they are doing.

use std::fmt::Write;
use std::sync::Arc;

use pi_coding_agent::extension::{Command, NotifyKind};

use crate::server::{Server, State};
use crate::servers::Servers;

const USAGE: &str = "/mcp shows the servers; /mcp tools NAME shows the tools of one, /mcp restart NAME starts one anew";

/// The command.
pub(crate) fn mcp(servers: &Arc<Servers>) -> Command {
    let servers = Arc::clone(servers);
    let handler = move |arguments: String, context: pi_coding_agent::extension::CommandContext| {
        let servers = Arc::clone(&servers);
        async move {
            let (text, kind) = answer(&servers, &arguments).await;
            context.ui().notify(&text, Some(kind)).await;
            Ok(())
        }
    };
    Command::new("mcp", handler).description("Show MCP servers and their tools")
}

async fn answer(servers: &Servers, arguments: &str) -> (String, NotifyKind) {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let named = |name: &str| servers.all().iter().find(|server| server.name() == name);
    match words.as_slice() {
        [] => (overview(servers), NotifyKind::Info),
        [verb @ ("tools" | "restart"), name] => match named(name) {
            None => (format!("There is no MCP server \"{name}\". {USAGE}"), NotifyKind::Error),
            Some(server) if *verb == "tools" => (tools(server), NotifyKind::Info),
            Some(server) => restart(server).await,
        },
        _ => (USAGE.to_owned(), NotifyKind::Error),
    }
}

async fn restart(server: &Server) -> (String, NotifyKind) {
    server.close().await;
    match server.connect().await {
        Ok(()) => (line(server), NotifyKind::Info),
        Err(error) => (error.to_string(), NotifyKind::Error),
    }
}

fn overview(servers: &Servers) -> String {
    let mut text = String::from("MCP servers");
    for server in servers.all() {
        let _ = write!(text, "\n  {}", line(server));
    }
    for entry in servers.disabled() {
        let _ = write!(text, "\n  {}: switched off in {}", entry.name, entry.file.display());
    }
    for problem in servers.problems() {
        let _ = write!(text, "\n  Left out: {problem}");
    }
    text
}

/// A server in one line.
pub(crate) fn line(server: &Server) -> String {
    let count = server.metadata().map(|metadata| match metadata.tools.len() {
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    });
    let state = match server.state() {
        State::Idle => "not started".to_owned(),
        State::Starting => "starting".to_owned(),
        State::Connected => "connected".to_owned(),
        State::Failed(error) => error.to_string(),
    };
    let parts: Vec<String> = std::iter::once(state).chain(count).collect();
    format!("{}: {}", server.name(), parts.join(", "))
}

fn tools(server: &Server) -> String {
    let Some(metadata) = server.metadata() else {
        return format!("{}: its tools are not known yet; /mcp restart {} asks for them", server.name(), server.name());
    };
    let mut text = line(server);
    for tool in &metadata.tools {
        let about = tool.description.lines().next().unwrap_or_default();
        let _ = write!(text, "\n  {}: {about}", tool.name);
    }
    text
}
