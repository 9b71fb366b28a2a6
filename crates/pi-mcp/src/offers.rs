//! What a session can be offered by its servers, and what it was given of that: tools that are declared, and tools that are
//! found by a search.

use std::collections::HashSet;
use std::sync::Arc;

use pi_coding_agent::extension::ToolRegistration;
use serde_json::Value;

use crate::config::{Exposure, ServerEntry};
use crate::metadata::ToolInfo;
use crate::names::tool_name;
use crate::resources::{ResourceAction, ResourceTool};
use crate::schema::sanitized;
use crate::search::{Index, SearchedTool, first_line};
use crate::server::Server;
use crate::servers::Servers;
use crate::tool::McpTool;

/// Tools whose exposure is left to the program are searched for if there are more than so many of them,
const MOST_DIRECT: usize = 30;
/// or if their definitions are longer than one part in so many of the model's window, at so many characters a token.
const WINDOW_SHARE: u64 = 10;
const CHARACTERS: u64 = 4;
/// What searches find resources under, in the place of a server.
const RESOURCES: &str = "resources";

/// Something that a session can have.
#[derive(Debug, Clone)]
pub(crate) enum Offer {
    /// A tool of a server.
    Tool(Arc<Server>, ToolInfo),
    /// A tool for the resources of all servers that have some.
    Resources(ResourceAction, Option<Exposure>),
}

impl Offer {
    /// Names it among all offers: server and tool, as the server knows them.
    fn key(&self) -> (String, String) {
        match self {
            Self::Tool(server, info) => (server.name().to_owned(), info.name.clone()),
            Self::Resources(action, _) => (String::new(), action.name().to_owned()),
        }
    }

    /// What the entries say of how the model gets to know it.
    fn exposure(&self) -> Option<Exposure> {
        match self {
            Self::Tool(server, info) => exposure(server.entry(), &info.name),
            Self::Resources(_, exposure) => *exposure,
        }
    }

    fn name(&self, taken: &HashSet<String>) -> String {
        match self {
            Self::Tool(server, info) => tool_name(server.name(), &info.name, taken),
            Self::Resources(action, _) => action.name().to_owned(),
        }
    }

    fn about(&self) -> &str {
        match self {
            Self::Tool(_, info) => first_line(&info.description),
            Self::Resources(action, _) => action.description(),
        }
    }

    fn searched(&self) -> SearchedTool {
        match self {
            Self::Tool(server, info) => SearchedTool {
                server: server.name().to_owned(),
                about_server: about(server),
                name: info.name.clone(),
                title: info.title.clone().unwrap_or_default(),
                description: info.description.clone(),
                schema: sanitized(&info.input_schema),
            },
            Self::Resources(action, _) => SearchedTool {
                server: RESOURCES.to_owned(),
                name: action.name().to_owned(),
                description: action.description().to_owned(),
                schema: action.parameters(),
                ..SearchedTool::default()
            },
        }
    }

    /// It as a tool for scripts. Those for resources have no such form.
    fn script_tool(&self, name: &str) -> Option<ToolRegistration> {
        match self {
            Self::Tool(server, info) => Some(ToolRegistration::new(McpTool::new(server, info, name).for_scripts())),
            Self::Resources(..) => None,
        }
    }

    /// It as a tool of the agent.
    fn tool(&self, name: &str, servers: &Arc<Servers>) -> ToolRegistration {
        match self {
            Self::Tool(server, info) => ToolRegistration::new(McpTool::new(server, info, name)),
            Self::Resources(action, _) => ToolRegistration::new(ResourceTool::new(servers, *action)),
        }
    }
}

/// What the entry says of a server, and what it says of itself.
fn about(server: &Server) -> String {
    let metadata = server.metadata();
    let title = metadata.as_ref().map(|metadata| metadata.title.as_str());
    server.entry().description.as_deref().into_iter().chain(title).collect::<Vec<_>>().join("\n")
}

/// What the entry says of a tool.
fn exposure(entry: &ServerEntry, tool: &str) -> Option<Exposure> {
    entry.tool_exposure.get(tool).copied().or(entry.exposure)
}

/// How the model gets to know the resources of servers with these exposures: as soon as one of them wants it.
pub(crate) fn exposure_of_resources(servers: &[Arc<Server>]) -> Option<Exposure> {
    let wants = |exposure| servers.iter().any(|server| server.entry().exposure == exposure);
    if wants(Some(Exposure::Direct)) {
        return Some(Exposure::Direct);
    }
    if wants(None) { None } else { Some(Exposure::Deferred) }
}

/// Whether tools of these servers are there for scripts.
pub(crate) fn are_for_scripts<'a>(servers: impl IntoIterator<Item = &'a Arc<Server>>) -> bool {
    let is_for_scripts = |entry: &ServerEntry| {
        entry.exposure == Some(Exposure::CodeMode) || entry.tool_exposure.values().any(|one| *one == Exposure::CodeMode)
    };
    servers.into_iter().any(|server| is_for_scripts(server.entry()))
}

/// What a search has found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The tool's name.
    pub(crate) name: String,
    /// What it is, in a line.
    pub(crate) about: String,
    /// The schema of its arguments, where only scripts can call it.
    pub(crate) for_scripts: Option<Value>,
}

/// What the session was given, and what it can be given.
#[derive(Debug, Default)]
pub(crate) struct Offers {
    /// Names of tools, as the model knows them, or will.
    names: HashSet<String>,
    /// Keys of what is known.
    known: HashSet<(String, String)>,
    /// Whether tools whose exposure is left to the program are searched for; not known before the first are there.
    defers: Option<bool>,
    /// Tools that are found by a search.
    deferred: Vec<Deferred>,
    /// Of those; made when something is searched for.
    index: Option<Arc<Index>>,
    /// Names that the conversation had loaded before.
    loaded_before: Vec<String>,
}

/// A tool that is found by a search.
#[derive(Debug)]
struct Deferred {
    offer: Offer,
    name: String,
    is_loaded: bool,
    /// Whether only scripts call it, which need no declaration.
    is_for_scripts: bool,
}

impl Deferred {
    fn found(&self) -> Found {
        let for_scripts = self.is_for_scripts.then(|| self.offer.searched().schema);
        Found { name: self.name.clone(), about: self.offer.about().to_owned(), for_scripts }
    }

    /// The tool, the first time.
    fn load(&mut self, servers: &Arc<Servers>) -> Option<ToolRegistration> {
        let is_new = !self.is_for_scripts && !std::mem::replace(&mut self.is_loaded, true);
        is_new.then(|| self.offer.tool(&self.name, servers))
    }
}

impl Offers {
    /// `names` are tools that searches of this conversation have loaded.
    pub(crate) fn loaded_before(&mut self, names: Vec<String>) {
        self.loaded_before = names;
    }

    /// Takes in what is new; the tools to give the session. Without `scripts`, tools that are meant for them are found by a
    /// search.
    pub(crate) fn take_in(
        &mut self,
        known: Vec<Offer>,
        window: u64,
        scripts: bool,
        servers: &Arc<Servers>,
    ) -> Vec<ToolRegistration> {
        let defers = *self.defers.get_or_insert_with(|| are_too_many(&known, window));
        let mut new = Vec::new();
        for offer in known {
            let is_deferred = match offer.exposure() {
                Some(Exposure::Hidden) => continue,
                Some(Exposure::Direct) => false,
                Some(Exposure::Deferred | Exposure::CodeMode) => true,
                None => defers,
            };
            if !self.known.insert(offer.key()) {
                continue;
            }
            let name = offer.name(&self.names);
            self.names.insert(name.clone());
            if is_deferred {
                self.index = None;
                let for_scripts =
                    (scripts && offer.exposure() == Some(Exposure::CodeMode)).then(|| offer.script_tool(&name));
                let for_scripts = for_scripts.flatten();
                let is_for_scripts = for_scripts.is_some();
                new.extend(for_scripts);
                self.deferred.push(Deferred { offer, name, is_loaded: false, is_for_scripts });
            } else {
                new.push(offer.tool(&name, servers));
            }
        }
        // What was loaded before stands behind what is always there.
        for name in &self.loaded_before {
            let deferred = self.deferred.iter_mut().find(|deferred| deferred.name == *name);
            new.extend(deferred.and_then(|deferred| deferred.load(servers)));
        }
        new
    }

    /// Loads what fits a query best: what was found, and the tools to declare.
    pub(crate) fn load(
        &mut self,
        query: &str,
        most: usize,
        servers: &Arc<Servers>,
    ) -> (Vec<Found>, Vec<ToolRegistration>) {
        let index = match &self.index {
            Some(index) => Arc::clone(index),
            None => {
                let searched: Vec<SearchedTool> = self.deferred.iter().map(|one| one.offer.searched()).collect();
                Arc::clone(self.index.insert(Arc::new(Index::new(&searched))))
            }
        };
        let (mut found, mut new) = (Vec::new(), Vec::new());
        for at in index.search(query, most) {
            let Some(deferred) = self.deferred.get_mut(at) else { continue };
            found.push(deferred.found());
            new.extend(deferred.load(servers));
        }
        (found, new)
    }

    /// Whether there is something to search for.
    pub(crate) fn has_deferred(&self) -> bool {
        !self.deferred.is_empty()
    }

    /// How many tools of a server are found by a search.
    pub(crate) fn count_deferred(&self, server: &Arc<Server>) -> usize {
        let is_of = |one: &&Deferred| matches!(&one.offer, Offer::Tool(other, _) if Arc::ptr_eq(other, server));
        self.deferred.iter().filter(is_of).count()
    }

    /// Whether the tools for resources are found by a search.
    pub(crate) fn defers_resources(&self) -> bool {
        self.deferred.iter().any(|one| matches!(one.offer, Offer::Resources(..)))
    }
}

/// Whether tools are too many to be declared with every request. What is declared is measured, not what servers sent.
fn are_too_many(offers: &[Offer], window: u64) -> bool {
    let free = offers.iter().filter(|offer| offer.exposure().is_none());
    let tools: Vec<_> = free
        .filter_map(|offer| match offer {
            Offer::Tool(server, info) => Some((server, info)),
            // Three small ones.
            Offer::Resources(..) => None,
        })
        .collect();
    if tools.len() > MOST_DIRECT {
        return true;
    }
    if window == 0 {
        return false;
    }
    let characters: u64 = tools.iter().map(|(server, info)| McpTool::new(server, info, &info.name).size()).sum();
    characters / CHARACTERS > window / WINDOW_SHARE
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pi_ai::SystemClock;
    use pi_coding_agent::env::Env;
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::server::{Place, User};

    /// A tool of a server that is never started.
    fn offer(root: &std::path::Path, schema: Value) -> Offer {
        let place = Place {
            cwd: root.to_owned(),
            env: Env::fixed([("HOME", "/home/me")]),
            agent_dir: root.to_owned(),
            clock: Arc::new(SystemClock),
            user: User::default(),
        };
        let entry = ServerEntry::parse("s", &json!({"command": "none"}), root.join("mcp.json")).unwrap();
        let Value::Object(schema) = schema else { panic!("no object") };
        let (name, description) = ("t".to_owned(), String::new());
        let info = ToolInfo {
            name,
            title: None,
            description,
            input_schema: Arc::new(schema),
            annotations: Default::default(),
        };
        Offer::Tool(Arc::new(Server::new(entry, place, root)), info)
    }

    #[test]
    fn definitions_count_as_they_are_declared() {
        let root = tempfile::tempdir().unwrap();
        let members: Map<String, Value> = (0..50).map(|at| (at.to_string(), json!({"$ref": "#/$defs/long"}))).collect();
        let long = json!({"type": "object", "properties": members, "$defs": {"long": {"pattern": "x".repeat(250)}}});
        let unused = json!({"type": "object", "$defs": {"unused": {"pattern": "x".repeat(20_000)}}});
        assert!(are_too_many(&[offer(root.path(), long)], 20_000));
        assert!(!are_too_many(&[offer(root.path(), unused)], 20_000));
    }
}
