//! The servers of one session: which of their tools the model is told of, and when.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::join_all;
use pi_agent_core::Tool;
use pi_coding_agent::extension::{ExtensionApi, ToolRegistration};
use pi_coding_agent::paths::Paths;
use pi_guard::lock;

use crate::config::{Configuration, Exposure, ServerEntry};
use crate::server::{Place, Server};
use crate::tool::McpTool;

/// How long the first prompt waits for servers that were never asked what they have.
const FIRST_WAIT: Duration = Duration::from_secs(10);

/// The servers of a session.
pub(crate) struct Servers {
    pi: ExtensionApi,
    servers: Vec<Arc<Server>>,
    /// Entries that are switched off.
    disabled: Vec<ServerEntry>,
    problems: Vec<String>,
    registered: Mutex<Registered>,
    is_settled: tokio::sync::Mutex<bool>,
}

/// What the session was given.
#[derive(Debug, Default)]
struct Registered {
    /// Names of tools, as the model knows them.
    names: HashSet<String>,
    /// Server and tool, as the server knows them.
    tools: HashSet<(String, String)>,
}

impl Servers {
    /// The servers of these entries. Nothing is started.
    pub(crate) fn new(pi: ExtensionApi, configuration: Configuration, paths: &Paths, cwd: PathBuf) -> Arc<Self> {
        let place = Place { cwd, env: paths.env().clone() };
        let (enabled, disabled): (Vec<_>, Vec<_>) =
            configuration.servers.into_iter().partition(|entry: &ServerEntry| entry.is_enabled);
        let server = |entry| Arc::new(Server::new(entry, place.clone(), paths.agent_dir()));
        Arc::new(Self {
            pi,
            servers: enabled.into_iter().map(server).collect(),
            disabled,
            problems: configuration.problems,
            registered: Mutex::default(),
            is_settled: tokio::sync::Mutex::new(false),
        })
    }

    pub(crate) fn all(&self) -> &[Arc<Server>] {
        &self.servers
    }

    pub(crate) fn disabled(&self) -> &[ServerEntry] {
        &self.disabled
    }

    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Gives the session the tools that are known without asking anybody, if that is true of all.
    pub(crate) async fn begin(&self) {
        if self.servers.iter().all(|server| server.metadata().is_some()) {
            self.settle().await;
        }
    }

    /// Before a prompt: asks the servers that were never asked, and gives the session their tools. One that takes too long
    /// goes on starting; its tools come with a later prompt.
    pub(crate) async fn settle(&self) {
        let mut is_settled = self.is_settled.lock().await;
        if *is_settled {
            return;
        }
        let unknown = self.servers.iter().filter(|server| server.metadata().is_none() && !is_hidden(server.entry()));
        let connecting: Vec<_> = unknown
            .map(|server| {
                let server = Arc::clone(server);
                // A task of its own: it goes on when nobody waits any more.
                tokio::spawn(async move { server.connect().await })
            })
            .collect();
        // Why one did not start stands in its state.
        let _ = tokio::time::timeout(FIRST_WAIT, join_all(connecting)).await;
        self.register();
        *is_settled = self.servers.iter().all(|server| server.metadata().is_some());
    }

    /// After a turn: takes up lists that servers have changed.
    pub(crate) async fn follow_changes(&self) {
        let changed = join_all(self.servers.iter().map(|server| server.follow_changes())).await;
        if changed.contains(&true) {
            self.register();
        }
    }

    /// Ends all of them.
    pub(crate) async fn close(&self) {
        join_all(self.servers.iter().map(|server| server.close())).await;
    }

    /// Gives the session what it does not have yet.
    fn register(&self) {
        for server in &self.servers {
            let Some(metadata) = server.metadata() else { continue };
            for info in &metadata.tools {
                if exposure(server.entry(), &info.name) == Some(Exposure::Hidden) {
                    continue;
                }
                let tool = {
                    let mut registered = lock(&self.registered);
                    if !registered.tools.insert((server.name().to_owned(), info.name.clone())) {
                        continue;
                    }
                    let tool = McpTool::new(server, info, &registered.names);
                    registered.names.insert(tool.definition().name.clone());
                    tool
                };
                self.pi.register_tool(ToolRegistration::new(tool));
            }
        }
    }
}

fn is_hidden(entry: &ServerEntry) -> bool {
    entry.exposure == Some(Exposure::Hidden) && entry.tool_exposure.values().all(|one| *one == Exposure::Hidden)
}

/// What the entry says of a tool.
fn exposure(entry: &ServerEntry, tool: &str) -> Option<Exposure> {
    entry.tool_exposure.get(tool).copied().or(entry.exposure)
}
