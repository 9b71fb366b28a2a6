//! The extension: what a session gets from its servers, and when. Other extensions may add servers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_agent_core::Tool;
use pi_coding_agent::extension::events::{
    BeforeAgentStartEvent, BeforeAgentStartOutcome, ContextEvent, ContextOutcome, SessionShutdownEvent,
    SessionStartEvent, TurnEndEvent,
};
use pi_coding_agent::extension::{Extension, ExtensionApi, ExtensionContext, ExtensionError, HandlerError};
use pi_coding_agent::paths::Paths;
use pi_coding_agent::prompt::CommandSource;
use pi_coding_agent::session::{SessionHost, SessionManager};
use pi_guard::lock;
use serde_json::{Map, Value};

use crate::command::{self, Logins};
use crate::config;
use crate::pages::OpenPage;
use crate::search::loaded_names;
use crate::servers::Servers;
use crate::status;

/// The command that an extension registers to take the place of all this.
const COMMAND: &str = "mcp";

/// Gives sessions the tools of MCP servers that the user and trusted projects have configured. It comes last of the
/// extensions of a session, and does nothing if another one has the command `/mcp`.
#[derive(Debug, Clone)]
pub struct Mcp {
    paths: Paths,
    pages: OpenPage,
    handed_over: Map<String, Value>,
    script_tool: Option<Arc<dyn Tool>>,
}

impl Mcp {
    /// For these directories and this environment.
    pub fn new(paths: Paths) -> Self {
        Self { paths, pages: OpenPage::default(), handed_over: Map::new(), script_tool: None }
    }

    /// Also these servers, by name; they come before those of the files. The keys are those of the files; the values are
    /// taken as they are, without variables and commands in them. What is wrong with one is told when a session begins.
    #[must_use]
    pub fn with_servers(mut self, servers: Map<String, Value>) -> Self {
        self.handed_over = servers;
        self
    }

    /// With a tool that runs scripts which call tools, for servers with the exposure `codemode`. Without it, their tools are
    /// found by a search like those of `deferred`.
    #[must_use]
    pub fn with_script_tool(mut self, tool: Option<Arc<dyn Tool>>) -> Self {
        self.script_tool = tool;
        self
    }

    /// Opens pages of the web like this: those that servers ask the user to look at. `open` says whether there was a
    /// browser to open it; else the user is told the address.
    #[must_use]
    pub fn with_browser(mut self, open: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.pages = OpenPage::new(open);
        self
    }
}

impl Extension for Mcp {
    fn name(&self) -> &str {
        "<mcp>"
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        // Servers belong to one session: they know its directory.
        let session = Arc::new(Session {
            paths: self.paths.clone(),
            pages: self.pages.clone(),
            handed_over: self.handed_over.clone(),
            script_tool: self.script_tool.clone(),
            pi: pi.clone(),
            servers: std::sync::Mutex::default(),
            is_attached: AtomicBool::default(),
        });
        let [begun, asked] = [(); 2].map(|()| Arc::clone(&session));
        pi.on(move |_: SessionStartEvent, context| Arc::clone(&begun).begin(context));
        pi.on(move |_: BeforeAgentStartEvent, context| Arc::clone(&asked).before_run(context));
        pi.on(move |_: SessionShutdownEvent, _| Arc::clone(&session).end());
        futures::future::ready(Ok(())).boxed()
    }
}

/// What lives as long as one session.
struct Session {
    paths: Paths,
    pages: OpenPage,
    handed_over: Map<String, Value>,
    script_tool: Option<Arc<dyn Tool>>,
    pi: ExtensionApi,
    servers: std::sync::Mutex<Option<Arc<Servers>>>,
    /// Whether there has been a server: until then a session pays for nothing.
    is_attached: AtomicBool,
}

impl Session {
    fn servers(&self) -> Option<Arc<Servers>> {
        lock(&self.servers).clone()
    }

    async fn begin(self: Arc<Self>, context: ExtensionContext) -> Result<(), HandlerError> {
        let is_replaced = self
            .pi
            .commands()?
            .iter()
            .any(|command| command.source == CommandSource::Extension && command.name == COMMAND);
        if is_replaced {
            return Ok(());
        }
        let cwd = context.cwd()?;
        let mut configuration = config::read(self.paths.agent_dir(), &cwd, context.is_project_trusted()?);
        configuration.hand_over(&self.handed_over);
        self.report(&configuration.problems).await;
        let host = context.with_manager(SessionManager::host)?;
        let place = (cwd, Arc::clone(&host.clock));
        let script_tool = self.script_tool.clone();
        let servers = Servers::new(self.pi.clone(), configuration, &self.paths, place, self.pages.clone(), script_tool);
        let asked = Arc::clone(&servers);
        self.pi.register_mcp_status(move || status::status(&asked));
        *lock(&self.servers) = Some(Arc::clone(&servers));
        self.take_registered(&servers, &context).await
    }

    /// Takes in what extensions have registered. With the first server begins what there is to do for servers.
    async fn take_registered(
        self: &Arc<Self>,
        servers: &Arc<Servers>,
        context: &ExtensionContext,
    ) -> Result<(), HandlerError> {
        let problems = servers.take_registered(&self.pi.mcp_servers()?);
        self.report(&problems).await;
        if servers.is_empty() || self.is_attached.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        let host = SessionHost { paths: self.paths.clone(), ..context.with_manager(SessionManager::host)? };
        self.pi.register_command(command::mcp(servers, Logins { host, pages: self.pages.clone() }));
        let [taken, turned] = [(); 2].map(|()| Arc::clone(self));
        // Servers are waited for when the prompt is seen and its run can be aborted.
        self.pi.on(move |_: ContextEvent, context| Arc::clone(&taken).settle(context));
        self.pi.on(move |_: TurnEndEvent, context| Arc::clone(&turned).follow_changes(context));
        // What cannot be read is told by the session itself.
        let messages = context.with_manager(|manager| manager.build_session_context().map(|built| built.messages))?;
        servers.begin(loaded_names(&messages.unwrap_or_default()), window(context));
        Ok(())
    }

    async fn report(&self, problems: &[String]) {
        for problem in problems {
            let report = ExtensionError::new("<mcp>", "session_start", &HandlerError::new(problem.clone()));
            self.pi.report(report).await;
        }
    }

    async fn before_run(self: Arc<Self>, context: ExtensionContext) -> Result<BeforeAgentStartOutcome, HandlerError> {
        if let Some(servers) = self.servers() {
            self.take_registered(&servers, &context).await?;
            servers.try_failed_again();
        }
        self.follow_changes(context).await?;
        Ok(BeforeAgentStartOutcome::default())
    }

    async fn settle(self: Arc<Self>, context: ExtensionContext) -> Result<ContextOutcome, HandlerError> {
        if let Some(servers) = self.servers().filter(|servers| !servers.is_settled()) {
            let aborted = context.signal()?.unwrap_or_default();
            let settled = async move { servers.settle(window(&context), &*context.ui(), aborted).await };
            // A task of its own: an abort drops the handler, and what is shown has to be taken away.
            let _ = tokio::spawn(settled).await;
        }
        Ok(ContextOutcome::default())
    }

    async fn follow_changes(self: Arc<Self>, context: ExtensionContext) -> Result<(), HandlerError> {
        if let Some(servers) = self.servers() {
            servers.follow_changes(window(&context)).await;
        }
        Ok(())
    }

    async fn end(self: Arc<Self>) -> Result<(), HandlerError> {
        let servers = lock(&self.servers).take();
        if let Some(servers) = servers {
            servers.close().await;
        }
        Ok(())
    }
}

/// Tokens of the model's window; 0 where it is not known.
fn window(context: &ExtensionContext) -> u64 {
    context.model().map_or(0, |model| model.context_window)
}
