//! The servers of one session: which of their tools the model is told of, and when. Tools are declared with every request, or
//! found by a search and declared from then on; new declarations are appended, so that the beginning of requests stays the same.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::join_all;
use pi_coding_agent::extension::{ExtensionApi, ToolRegistration};
use pi_coding_agent::paths::Paths;
use pi_guard::lock;

use crate::config::{Configuration, Exposure, ServerEntry};
use crate::metadata::ToolInfo;
use crate::names::tool_name;
use crate::prompts;
use crate::schema::sanitized;
use crate::search::{Index, SearchedTool, ToolSearch, first_line};
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

/// Tools whose exposure is left to the program are searched for if there are more than so many of them,
const MOST_DIRECT: usize = 30;
/// or if their definitions are longer than one part in so many of the model's window, at so many characters a token.
const WINDOW_SHARE: u64 = 10;
const CHARACTERS: u64 = 4;

/// What the session was given, and what it can be given.
#[derive(Debug, Default)]
struct Registered {
    /// Names of tools, as the model knows them, or will.
    names: HashSet<String>,
    /// Server and tool, as the server knows them.
    tools: HashSet<(String, String)>,
    /// Whether tools whose exposure is left to the program are searched for; not known before the first are there.
    defers: Option<bool>,
    /// Whether the model has the search.
    has_search: bool,
    /// Tools that are found by a search.
    deferred: Vec<Deferred>,
    /// Of those; made when something is searched for.
    index: Option<Arc<Index>>,
    /// Prompts that are commands: server and name.
    prompts: HashSet<(String, String)>,
    /// Names that the conversation had loaded before.
    loaded_before: Vec<String>,
}

/// A tool that is found by a search.
#[derive(Debug)]
struct Deferred {
    server: Arc<Server>,
    info: ToolInfo,
    name: String,
    is_loaded: bool,
}

impl Deferred {
    fn searched(&self) -> SearchedTool {
        SearchedTool {
            server: self.server.name().to_owned(),
            name: self.info.name.clone(),
            description: self.info.description.clone(),
            schema: sanitized(&self.info.input_schema),
        }
    }
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
    /// `loaded` are the names of tools that searches of this conversation have loaded.
    pub(crate) async fn begin(self: &Arc<Self>, loaded: Vec<String>, window: u64) {
        lock(&self.registered).loaded_before = loaded;
        if self.servers.iter().all(|server| server.metadata().is_some()) {
            self.settle(window).await;
        }
    }

    /// Before a prompt: asks the servers that were never asked, and gives the session their tools. One that takes too long
    /// goes on starting; its tools come with a later prompt.
    pub(crate) async fn settle(self: &Arc<Self>, window: u64) {
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
        self.register(window);
        *is_settled = self.servers.iter().all(|server| server.metadata().is_some());
    }

    /// After a turn: takes up lists that servers have changed.
    pub(crate) async fn follow_changes(self: &Arc<Self>, window: u64) {
        let changed = join_all(self.servers.iter().map(|server| server.follow_changes())).await;
        if changed.contains(&true) {
            self.register(window);
        }
    }

    /// Ends all of them.
    pub(crate) async fn close(&self) {
        join_all(self.servers.iter().map(|server| server.close())).await;
    }

    /// Loads the tools that fit a query best; their names, and what they are.
    pub(crate) fn load(&self, query: &str, most: usize) -> Vec<(String, String)> {
        let mut registered = lock(&self.registered);
        let index = match &registered.index {
            Some(index) => Arc::clone(index),
            None => {
                let searched: Vec<SearchedTool> = registered.deferred.iter().map(Deferred::searched).collect();
                Arc::clone(registered.index.insert(Arc::new(Index::new(&searched))))
            }
        };
        let mut found = Vec::new();
        let mut new = Vec::new();
        for at in index.search(query, most) {
            let Some(deferred) = registered.deferred.get_mut(at) else { continue };
            found.push((deferred.name.clone(), first_line(&deferred.info.description).to_owned()));
            if !std::mem::replace(&mut deferred.is_loaded, true) {
                new.push(McpTool::new(&deferred.server, &deferred.info, &deferred.name));
            }
        }
        drop(registered);
        self.declare(new);
        found
    }

    /// Gives the session what it does not have yet.
    fn register(self: &Arc<Self>, window: u64) {
        let known: Vec<(Arc<Server>, ToolInfo)> = self.known();
        let mut registered = lock(&self.registered);
        let free = known.iter().filter(|(server, info)| exposure(server.entry(), &info.name).is_none());
        let defers = *registered.defers.get_or_insert_with(|| are_too_many(free.map(|(_, info)| info), window));
        let mut new = Vec::new();
        for (server, info) in known {
            let is_deferred = match exposure(server.entry(), &info.name) {
                Some(Exposure::Hidden) => continue,
                Some(Exposure::Direct) => false,
                Some(Exposure::Deferred) => true,
                None => defers,
            };
            if !registered.tools.insert((server.name().to_owned(), info.name.clone())) {
                continue;
            }
            let name = tool_name(server.name(), &info.name, &registered.names);
            registered.names.insert(name.clone());
            if is_deferred {
                registered.index = None;
                registered.deferred.push(Deferred { server, info, name, is_loaded: false });
            } else {
                new.push(McpTool::new(&server, &info, &name));
            }
        }
        // What was loaded before stands behind what is always there.
        let before = std::mem::take(&mut registered.loaded_before);
        for name in &before {
            if let Some(deferred) = registered.deferred.iter_mut().find(|deferred| deferred.name == *name)
                && !std::mem::replace(&mut deferred.is_loaded, true)
            {
                new.push(McpTool::new(&deferred.server, &deferred.info, &deferred.name));
            }
        }
        registered.loaded_before = before;
        let needs_search = !registered.deferred.is_empty() && !std::mem::replace(&mut registered.has_search, true);
        registered.has_search &= !registered.deferred.is_empty();
        drop(registered);
        if needs_search {
            let search = ToolSearch::new(self, &self.about());
            self.pi.register_tool(ToolRegistration::new(search));
        }
        self.declare(new);
        self.register_prompts();
    }

    /// Prompts of servers are commands.
    fn register_prompts(&self) {
        for server in &self.servers {
            for prompt in server.metadata().iter().flat_map(|metadata| &metadata.prompts) {
                let key = (server.name().to_owned(), prompt.name.clone());
                if lock(&self.registered).prompts.insert(key) {
                    self.pi.register_command(prompts::command(server, prompt));
                }
            }
        }
    }

    /// Tools that servers are known to have.
    fn known(&self) -> Vec<(Arc<Server>, ToolInfo)> {
        let of_server = |server: &Arc<Server>| {
            let tools = server.metadata().map(|metadata| metadata.tools.clone()).unwrap_or_default();
            tools.into_iter().map(|info| (Arc::clone(server), info)).collect::<Vec<_>>()
        };
        self.servers.iter().flat_map(of_server).collect()
    }

    fn declare(&self, tools: Vec<McpTool>) {
        tools.into_iter().for_each(|tool| self.pi.register_tool(ToolRegistration::new(tool)));
    }

    /// A line for each server that has tools to be found.
    fn about(&self) -> String {
        let registered = lock(&self.registered);
        let line = |server: &Arc<Server>| {
            let count = registered.deferred.iter().filter(|deferred| Arc::ptr_eq(&deferred.server, server)).count();
            let metadata = server.metadata();
            let title = metadata.as_ref().map(|metadata| metadata.title.as_str()).filter(|title| !title.is_empty());
            let about = server.entry().description.as_deref().or(title).map(first_line).unwrap_or_default();
            let about: String = about.chars().take(LONGEST_ABOUT).collect();
            let colon = if about.is_empty() { "" } else { ": " };
            (count > 0).then(|| format!("- {} ({count}){colon}{about}", server.name()))
        };
        self.servers.iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Letters that a server is described with.
const LONGEST_ABOUT: usize = 100;

/// Whether tools are too many to be declared with every request.
fn are_too_many<'a>(tools: impl Iterator<Item = &'a ToolInfo>, window: u64) -> bool {
    let sizes: Vec<u64> = tools
        .map(|info| {
            let schema = serde_json::to_string(&*info.input_schema).map_or(0, |text| text.len());
            (info.name.len() + info.description.len() + schema) as u64
        })
        .collect();
    let tokens = sizes.iter().sum::<u64>() / CHARACTERS;
    sizes.len() > MOST_DIRECT || (window > 0 && tokens > window / WINDOW_SHARE)
}

fn is_hidden(entry: &ServerEntry) -> bool {
    entry.exposure == Some(Exposure::Hidden) && entry.tool_exposure.values().all(|one| *one == Exposure::Hidden)
}

/// What the entry says of a tool.
fn exposure(entry: &ServerEntry, tool: &str) -> Option<Exposure> {
    entry.tool_exposure.get(tool).copied().or(entry.exposure)
}
