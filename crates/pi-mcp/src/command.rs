//! `/mcp`: the servers of the session, and how they are doing.

use std::fmt::Write;
use std::sync::Arc;

use pi_coding_agent::extension::{Command, ExtensionUi, NotifyKind};
use pi_coding_agent::session::SessionHost;

use crate::accounts;
use crate::pages::OpenPage;
use crate::server::{Server, State};
use crate::servers::Servers;

const USAGE: &str = "/mcp shows the servers; /mcp tools NAME shows the tools of one, /mcp restart NAME starts one anew, \
                     /mcp login NAME and /mcp logout NAME log in and out";

/// How the command logs in.
#[derive(Debug, Clone)]
pub(crate) struct Logins {
    pub(crate) host: SessionHost,
    pub(crate) pages: OpenPage,
}

/// The command.
pub(crate) fn mcp(servers: &Arc<Servers>, logins: Logins) -> Command {
    let servers = Arc::clone(servers);
    let handler = move |arguments: String, context: pi_coding_agent::extension::CommandContext| {
        let (servers, logins) = (Arc::clone(&servers), logins.clone());
        async move {
            let (text, kind) = answer(&servers, &arguments, &logins, &*context.ui()).await;
            context.ui().notify(&text, Some(kind)).await;
            Ok(())
        }
    };
    Command::new("mcp", handler).description("Show MCP servers and their tools")
}

async fn answer(servers: &Servers, arguments: &str, logins: &Logins, ui: &dyn ExtensionUi) -> (String, NotifyKind) {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let all = servers.all();
    let named = |name: &str| all.iter().find(|server| server.name() == name);
    match words.as_slice() {
        [] => (overview(servers), NotifyKind::Info),
        [verb @ ("tools" | "restart" | "login" | "logout"), name, scopes @ ..]
            if scopes.is_empty() || *verb == "login" =>
        {
            let Some(server) = named(name) else {
                return (format!("There is no MCP server \"{name}\". {USAGE}"), NotifyKind::Error);
            };
            match *verb {
                "tools" => (tools(server), NotifyKind::Info),
                "restart" => restart(server).await,
                verb => {
                    let scopes: Vec<String> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
                    account(verb, server, &scopes, logins, ui).await
                }
            }
        }
        _ => (USAGE.to_owned(), NotifyKind::Error),
    }
}

/// Logs in or out. What runs with another login ends.
async fn account(
    verb: &str,
    server: &Server,
    scopes: &[String],
    logins: &Logins,
    ui: &dyn ExtensionUi,
) -> (String, NotifyKind) {
    let Logins { host, pages } = logins;
    let done = match verb {
        "login" => accounts::log_in_to(server.entry(), host, scopes, ui, pages).await,
        _ => accounts::log_out_of(server.entry(), host).await,
    };
    match done {
        Ok(text) => {
            server.close().await;
            (text, NotifyKind::Info)
        }
        Err(text) => (text, NotifyKind::Error),
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
        let _ = write!(text, "\n  {}", line(&server));
    }
    for entry in servers.disabled() {
        let _ = write!(text, "\n  {}: switched off", entry.name);
        // One of an extension is in no file.
        if !entry.file.as_os_str().is_empty() {
            let _ = write!(text, " in {}", entry.file.display());
        }
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
    let parts: Vec<String> = std::iter::once(state).chain(count).chain(server.problems()).collect();
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
