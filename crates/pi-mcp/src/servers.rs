//! The servers of one session: which of their tools the model is told of, and when. Tools are declared with every request, or
//! found by a search and declared from then on; new declarations are appended, so that the beginning of requests stays the same.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::join_all;
use pi_agent_core::Tool;
use pi_ai::Clock;
use pi_coding_agent::extension::{ExtensionApi, ExtensionError, ExtensionUi, HandlerError, ToolRegistration};
use pi_coding_agent::paths::Paths;
use pi_guard::lock;
use serde_json::{Map, Value};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::{Configuration, Exposure, ServerEntry};
use crate::error::Error;
use crate::offers::{Found, Offer, Offers, are_for_scripts, exposure_of_resources};
use crate::pages::OpenPage;
use crate::prompts;
use crate::resources::ResourceAction;
use crate::search::{ToolSearch, first_line};
use crate::server::{Place, Server, State, User};

/// How long the first prompt waits for servers that were never asked what they have.
const FIRST_WAIT: Duration = Duration::from_secs(10);
/// How long it waits before the user is told what for.
const WORDLESS: Duration = Duration::from_secs(1);
/// Under this the user is told.
const STATUS: &str = "mcp";
/// Letters that a server is described with.
const LONGEST_ABOUT: usize = 100;

/// The servers of a session.
pub(crate) struct Servers {
    pi: ExtensionApi,
    place: Place,
    configured: Mutex<Configured>,
    /// Runs scripts that call tools.
    script_tool: Option<Arc<dyn Tool>>,
    registered: Mutex<Registered>,
    /// Whether all servers were asked.
    is_settled: AtomicBool,
    /// Whether servers that could not be started are to be tried again: once for each prompt.
    tries_failed: AtomicBool,
    /// Names of servers of extensions that were taken in, or not for a reason.
    registrations: Mutex<HashSet<String>>,
    /// What the user was told of servers: name and subject.
    told: Mutex<HashSet<(String, &'static str)>>,
}

/// What is configured. Extensions may add to it.
#[derive(Default)]
struct Configured {
    servers: Vec<Arc<Server>>,
    /// Entries that are switched off.
    disabled: Vec<ServerEntry>,
    problems: Vec<String>,
}

/// What the session was given.
#[derive(Debug, Default)]
struct Registered {
    offers: Offers,
    /// Whether it was given anything: before, not all servers may have been asked.
    has_begun: bool,
    /// Whether the model has the search.
    has_search: bool,
    /// Prompts that are commands: server and name.
    prompts: HashSet<(String, String)>,
}

impl Servers {
    /// The servers of these entries. Nothing is started.
    pub(crate) fn new(
        pi: ExtensionApi,
        configuration: Configuration,
        paths: &Paths,
        (cwd, clock): (PathBuf, Arc<dyn Clock>),
        pages: OpenPage,
        script_tool: Option<Arc<dyn Tool>>,
    ) -> Arc<Self> {
        let place = Place {
            cwd,
            env: paths.env().clone(),
            agent_dir: paths.agent_dir().to_owned(),
            clock,
            user: User::of(pi.context(), pages),
        };
        let servers = Self {
            pi,
            place,
            configured: Mutex::default(),
            script_tool,
            registered: Mutex::default(),
            is_settled: AtomicBool::default(),
            tries_failed: AtomicBool::default(),
            registrations: Mutex::default(),
            told: Mutex::default(),
        };
        servers.add(configuration);
        Arc::new(servers)
    }

    /// Adds these entries, whose names are new.
    fn add(&self, configuration: Configuration) {
        let agent_dir = &self.place.agent_dir;
        let (enabled, disabled): (Vec<_>, Vec<_>) =
            configuration.servers.into_iter().partition(|entry: &ServerEntry| entry.is_enabled);
        let server = |entry| Arc::new(Server::new(entry, self.place.clone(), agent_dir));
        let mut configured = lock(&self.configured);
        configured.servers.extend(enabled.into_iter().map(server));
        configured.disabled.extend(disabled);
        configured.problems.extend(configuration.problems);
    }

    /// Takes in servers that extensions have registered since; returns what is wrong with them.
    pub(crate) fn take_registered(&self, registered: &Map<String, Value>) -> Vec<String> {
        let is_new = |name: &str| {
            let configured = lock(&self.configured);
            let enabled = configured.servers.iter().map(|server| server.entry());
            !enabled.chain(&configured.disabled).any(|entry| entry.name == name)
        };
        let mut seen = lock(&self.registrations);
        let new = registered.iter().filter(|(name, _)| seen.insert((*name).clone()) && is_new(name));
        let mut configuration = Configuration::default();
        configuration.register(&new.map(|(name, value)| (name.clone(), value.clone())).collect());
        if !configuration.servers.is_empty() {
            self.is_settled.store(false, Ordering::Release);
        }
        let problems = configuration.problems.clone();
        self.add(configuration);
        problems
    }

    pub(crate) fn all(&self) -> Vec<Arc<Server>> {
        lock(&self.configured).servers.clone()
    }

    pub(crate) fn disabled(&self) -> Vec<ServerEntry> {
        lock(&self.configured).disabled.clone()
    }

    pub(crate) fn problems(&self) -> Vec<String> {
        lock(&self.configured).problems.clone()
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        let configured = lock(&self.configured);
        configured.servers.is_empty() && configured.disabled.is_empty()
    }

    /// Gives the session the tools that are known without asking anybody, if that is true of all.
    /// `loaded` are the names of tools that searches of this conversation have loaded.
    pub(crate) fn begin(self: &Arc<Self>, loaded: Vec<String>, window: u64) {
        lock(&self.registered).offers.loaded_before(loaded);
        if self.unknown().next().is_none() {
            self.register(window);
            self.is_settled.store(true, Ordering::Release);
        }
    }

    /// Servers that were never asked what they have.
    fn unknown(&self) -> impl Iterator<Item = Arc<Server>> {
        self.all().into_iter().filter(|server| server.metadata().is_none() && !is_hidden(server.entry()))
    }

    /// Whether all servers were asked what they have.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled.load(Ordering::Acquire)
    }

    /// Before a run: those that failed are tried again in it.
    pub(crate) fn try_failed_again(&self) {
        self.tries_failed.store(true, Ordering::Release);
    }

    /// Before a model call: asks the servers that were never asked, and gives the session their tools. One that takes too
    /// long goes on starting, and no later call waits for that start; its tools come when it has answered.
    pub(crate) async fn settle(self: &Arc<Self>, window: u64, ui: &dyn ExtensionUi, aborted: CancellationToken) {
        let tries_failed = self.tries_failed.swap(false, Ordering::AcqRel);
        let can_be_asked = |server: &Arc<Server>| match server.state() {
            State::Starting => false,
            State::Failed(_) => tries_failed,
            _ => true,
        };
        let asked: Vec<_> = self.unknown().filter(can_be_asked).collect();
        if !asked.is_empty() {
            // Tasks of their own: they go on when nobody waits any more.
            let starts = asked.iter().map(|server| tokio::spawn(Arc::clone(self).start(Arc::clone(server))));
            let starts: Vec<_> = starts.collect();
            self.wait(&asked, starts, ui, aborted).await;
        }
        self.register(window);
        self.is_settled.store(self.unknown().next().is_none(), Ordering::Release);
    }

    /// Starts a server. Why it cannot be used is told once.
    async fn start(self: Arc<Self>, server: Arc<Server>) {
        match server.connect().await {
            Ok(()) => {
                let problems = server.problems().join("; ");
                if !problems.is_empty() {
                    self.tell(server.name(), "lists", server.sentence(&problems)).await;
                }
            }
            Err(Error::Cancelled) => {}
            Err(error) => {
                let name = server.name();
                let way_out = format!("/mcp restart {name} tries it again, pi mcp list all of them");
                let error = error.to_string();
                let stop = if error.ends_with(['.', '?', '!']) { "" } else { "." };
                self.tell(name, "start", format!("{error}{stop} Its tools are missing; {way_out}")).await;
            }
        }
    }

    /// Waits for starts, and says so if it takes a while. An abort of the run ends the waiting.
    async fn wait(
        &self,
        asked: &[Arc<Server>],
        starts: Vec<JoinHandle<()>>,
        ui: &dyn ExtensionUi,
        aborted: CancellationToken,
    ) {
        let mut starts = std::pin::pin!(tokio::time::timeout(FIRST_WAIT, join_all(starts)));
        let begin = aborted.run_until_cancelled(tokio::time::timeout(WORDLESS, &mut starts));
        if matches!(begin.await, None | Some(Ok(_))) {
            return;
        }
        ui.set_status(STATUS, Some(&format!("waiting for MCP: {}", starting(asked).join(", ")))).await;
        let rest = aborted.run_until_cancelled(starts).await;
        ui.set_status(STATUS, None).await;
        if matches!(rest, Some(Err(_))) {
            for name in starting(asked) {
                let after = FIRST_WAIT.as_secs();
                let text = format!(
                    "MCP server \"{name}\" has not answered within {after} s. The model goes on without its tools until it \
                     does; /mcp shows how it is doing"
                );
                self.tell(name, "slow", text).await;
            }
        }
    }

    /// Tells the user once what is wrong with a server.
    async fn tell(&self, server: &str, what: &'static str, text: String) {
        if lock(&self.told).insert((server.to_owned(), what)) {
            self.pi.report(ExtensionError::new("<mcp>", "mcp_server", &HandlerError::new(text))).await;
        }
    }

    /// Before a prompt and after a turn: takes up lists that servers have changed.
    pub(crate) async fn follow_changes(self: &Arc<Self>, window: u64) {
        let all = self.all();
        let changed = join_all(all.iter().map(Server::follow_changes)).await;
        if changed.contains(&true) && lock(&self.registered).has_begun {
            self.register(window);
        }
    }

    /// Ends all of them.
    pub(crate) async fn close(&self) {
        let all = self.all();
        join_all(all.iter().map(|server| server.close())).await;
    }

    /// Loads the tools that fit a query best.
    pub(crate) fn load(self: &Arc<Self>, query: &str, most: usize) -> Vec<Found> {
        let (found, new) = lock(&self.registered).offers.load(query, most, self);
        self.declare(new);
        found
    }

    /// Gives the session what it does not have yet.
    fn register(self: &Arc<Self>, window: u64) {
        let known = self.known();
        let scripts = are_for_scripts(&self.all()) && self.has_scripts();
        let mut registered = lock(&self.registered);
        registered.has_begun = true;
        let new = registered.offers.take_in(known, window, scripts, self);
        let needs_search = registered.offers.has_deferred() && !std::mem::replace(&mut registered.has_search, true);
        drop(registered);
        if needs_search {
            let search = ToolSearch::new(self, &self.about());
            self.pi.register_tool(ToolRegistration::new(search));
        }
        self.declare(new);
        self.register_prompts();
    }

    /// Whether the model can run scripts. The tool for them is registered for the servers whose tools are meant for it,
    /// unless the session has one already, or the user's choice of tools leaves it out.
    fn has_scripts(&self) -> bool {
        let Some(tool) = &self.script_tool else { return false };
        let name = &tool.definition().name;
        let is_there = || self.pi.all_tools().is_ok_and(|tools| tools.iter().any(|known| known.name == *name));
        if !is_there() {
            self.pi.register_tool(ToolRegistration::shared(Arc::clone(tool)));
        }
        is_there()
    }

    /// Prompts of servers are commands.
    fn register_prompts(&self) {
        for server in &self.all() {
            for prompt in server.metadata().iter().flat_map(|metadata| &metadata.prompts) {
                let key = (server.name().to_owned(), prompt.name.clone());
                if lock(&self.registered).prompts.insert(key) {
                    self.pi.register_command(prompts::command(server, prompt));
                }
            }
        }
    }

    /// What servers are known to have.
    fn known(&self) -> Vec<Offer> {
        let of_server = |server: &Arc<Server>| {
            let tools = server.metadata().map(|metadata| metadata.tools.clone()).unwrap_or_default();
            tools.into_iter().map(|info| Offer::Tool(Arc::clone(server), info)).collect::<Vec<_>>()
        };
        let all = self.all();
        let tools = all.iter().flat_map(of_server);
        let with_resources = self.with_resources();
        let exposure = exposure_of_resources(&with_resources);
        let actions = ResourceAction::ALL.into_iter().filter(|_| !with_resources.is_empty());
        tools.chain(actions.map(|action| Offer::Resources(action, exposure))).collect()
    }

    /// Servers that are known to have resources which the model may see.
    pub(crate) fn with_resources(&self) -> Vec<Arc<Server>> {
        let has_some = |server: &Arc<Server>| {
            let has_resources = server.metadata().is_some_and(|metadata| metadata.has_resources);
            has_resources && server.entry().exposure != Some(Exposure::Hidden)
        };
        self.all().into_iter().filter(has_some).collect()
    }

    fn declare(&self, tools: Vec<ToolRegistration>) {
        tools.into_iter().for_each(|tool| self.pi.register_tool(tool));
    }

    /// A line for each server that has something to be found.
    fn about(&self) -> String {
        let registered = lock(&self.registered);
        let with_resources = if registered.offers.defers_resources() { self.with_resources() } else { Vec::new() };
        let line = |server: &Arc<Server>| {
            let count = registered.offers.count_deferred(server);
            let resources =
                with_resources.iter().any(|other| Arc::ptr_eq(other, server)).then(|| "resources".to_owned());
            let parts = (count > 0).then(|| count.to_string()).into_iter().chain(resources).collect::<Vec<_>>();
            let metadata = server.metadata();
            let title = metadata.as_ref().map(|metadata| metadata.title.as_str()).filter(|title| !title.is_empty());
            let about = server.entry().description.as_deref().or(title).map(first_line).unwrap_or_default();
            let about: String = about.chars().take(LONGEST_ABOUT).collect();
            let colon = if about.is_empty() { "" } else { ": " };
            (!parts.is_empty()).then(|| format!("- {} ({}){colon}{about}", server.name(), parts.join(", ")))
        };
        self.all().iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Names of those that have not answered yet.
fn starting(servers: &[Arc<Server>]) -> Vec<&str> {
    servers.iter().filter(|server| server.state() == State::Starting).map(|server| server.name()).collect()
}

fn is_hidden(entry: &ServerEntry) -> bool {
    entry.exposure == Some(Exposure::Hidden) && entry.tool_exposure.values().all(|one| *one == Exposure::Hidden)
}
