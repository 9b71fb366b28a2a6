//! The engine of one extension: started once, told which session it serves, listened to when something goes wrong.

use std::cell::Cell;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use pi_ai::{ApiRegistry, Clock};
use pi_guard::Unpoisoned;
use pi_script::{Data, Engine, EngineOptions, OpError, OpTable, Permission, Report, ReportKind};
use serde_json::json;
use tokio::runtime::{EnterGuard, Handle};
use tokio::sync::OnceCell;

use super::contexts::{Contexts, Entry};
use super::errors::{script_error, to_handler};
use super::options::ScriptOptions;
use super::outbox::{Outbox, Work};
use super::state::HostState;
use super::terminal::{ScreenTerminal, log};
use super::{fetch, modules};
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::env::Env;
use pi_coding_agent::extension::{ExtensionApi, ExtensionError, HandlerError};

/// The module that activates extensions.
const BRIDGE: &str = "pi:bridge";

/// Makes the operations of an extension. They come from outside: they know the host, not the other way round.
pub(super) type MakeOps = fn(&Weak<ScriptHost>) -> OpTable;

/// The engine of one extension, and what it needs.
#[derive(Debug)]
pub(super) struct ScriptHost {
    pub(super) path: String,
    pub(super) options: ScriptOptions,
    pub(super) contexts: Contexts,
    pub(super) state: HostState,
    pub(super) outbox: Outbox,
    /// What its script may ask.
    make_ops: MakeOps,
    engine: OnceCell<Engine>,
    runtime: OnceLock<Handle>,
    /// Reports from before there was a session to tell.
    early: Mutex<Vec<ExtensionError>>,
    /// Built-in wire formats, for calls before there is a session.
    apis: OnceLock<Arc<ApiRegistry>>,
}

impl ScriptHost {
    pub(super) fn new(path: String, options: ScriptOptions, make_ops: MakeOps) -> Arc<Self> {
        Arc::new(Self {
            path,
            options,
            contexts: Contexts::default(),
            state: HostState::default(),
            outbox: Outbox::default(),
            make_ops,
            engine: OnceCell::new(),
            runtime: OnceLock::new(),
            early: Mutex::default(),
            apis: OnceLock::new(),
        })
    }

    /// Starts the engine and evaluates the extension's modules, once.
    ///
    /// # Errors
    /// What they throw.
    pub(super) async fn load(self: &Arc<Self>) -> Result<(), HandlerError> {
        self.engine().await.map(drop)
    }

    /// Calls the extension's function for a session.
    ///
    /// # Errors
    /// What it throws.
    pub(super) async fn activate(self: &Arc<Self>, api: ExtensionApi) -> Result<(), HandlerError> {
        let engine = self.engine().await?;
        let (number, gone) = self.contexts.add(Entry::Activation(api.clone()));
        let activated = engine.call_export(BRIDGE, "activate", vec![json!(number).into(), json!(gone).into()]).await;
        activated.map_err(|error| {
            self.contexts.remove(number);
            to_handler(error)
        })?;
        let early = std::mem::take(&mut *self.early.lock().unpoisoned());
        for error in early {
            api.report(error).await;
        }
        Ok(())
    }

    /// The engine, once the extension is loaded.
    pub(super) fn started(&self) -> Option<Engine> {
        self.engine.get().cloned()
    }

    /// Begins work that the script does not wait for: as far as possible at once, the rest in its turn. To be called on
    /// the script's thread.
    pub(super) fn begin(&self, work: Work) -> Result<(), OpError> {
        let runtime = self.runtime()?;
        let _entered = runtime.enter();
        self.outbox.put(runtime, work);
        Ok(())
    }

    /// Tells about a failure, in every session that the extension serves; if there is none yet, in the first.
    pub(super) async fn report(&self, error: ExtensionError) {
        let activations = self.contexts.activations();
        if activations.is_empty() {
            self.early.lock().unpoisoned().push(error);
            return;
        }
        for api in activations {
            api.report(error.clone()).await;
        }
    }

    /// The runtime of the program, on which everything happens that is not the script itself.
    ///
    /// # Errors
    /// Before the engine was started.
    pub(super) fn runtime(&self) -> Result<&Handle, OpError> {
        self.runtime.get().ok_or_else(|| OpError::new("The engine was not started"))
    }

    /// Whether the user grants this.
    ///
    /// # Errors
    /// `ERR_ACCESS_DENIED`, as for Node's modules.
    pub(super) fn permit(&self, needed: Permission) -> Result<(), OpError> {
        self.options.permissions.check(needed, &self.path)
    }

    /// Lets what is called on the script's thread start tasks on the program's runtime.
    pub(super) fn enter(&self) -> Option<EnterGuard<'_>> {
        self.runtime.get().map(Handle::enter)
    }

    /// The built-in wire formats.
    pub(super) fn apis(&self) -> &Arc<ApiRegistry> {
        self.apis.get_or_init(|| Arc::new(ApiRegistry::builtin()))
    }

    /// The environment of the program.
    pub(super) fn env(&self) -> &Env {
        self.options.host.paths.env()
    }

    /// The clock of the program: for files and logins, whose times are real. What a session records has the clock of that
    /// session.
    pub(super) fn clock(&self) -> &Arc<dyn Clock> {
        &self.options.clock
    }

    /// The first session that the extension serves.
    pub(super) fn session(&self) -> Option<AgentSession> {
        self.contexts.activations().iter().find_map(|api| api.context().session().ok())
    }

    /// The activations of the sessions that the extension serves.
    pub(super) fn activations(&self) -> Vec<ExtensionApi> {
        self.contexts.activations()
    }

    async fn engine(self: &Arc<Self>) -> Result<&Engine, HandlerError> {
        self.engine.get_or_try_init(|| self.start()).await
    }

    async fn start(self: &Arc<Self>) -> Result<Engine, HandlerError> {
        refuse_other_files(&self.path)?;
        let mut options = EngineOptions::new(self.path.clone());
        options.modules = modules::table();
        options.cwd = self.options.cwd.clone();
        options.ops = (self.make_ops)(&Arc::downgrade(self));
        options.fetch = Some(fetch::shared(self.env(), self.options.http_proxy.as_deref()));
        options.limits = self.options.limits;
        options.permissions = self.options.permissions;
        options.terminal = Some(Arc::new(ScreenTerminal(Arc::downgrade(self))));
        let host = Arc::downgrade(self);
        let runtime = self.runtime.get_or_init(Handle::current).clone();
        options.on_report = Arc::new(move |report| deliver(&host, &runtime, report));
        let engine = Engine::start(options).map_err(to_handler)?;
        engine.call_export(BRIDGE, "load", vec![self.path.as_str().into()]).await.map_err(to_handler)?;
        Ok(engine)
    }
}

/// A text that is no script would fail with words about its first line.
fn refuse_other_files(path: &str) -> Result<(), HandlerError> {
    const SCRIPTS: [&str; 9] = ["ts", "js", "mts", "mjs", "cts", "cjs", "tsx", "jsx", "json"];
    let ending = std::path::Path::new(path).extension().and_then(|ending| ending.to_str());
    match ending.filter(|ending| !SCRIPTS.contains(ending)) {
        Some(ending) => Err(HandlerError::new(format!(
            "Unknown file extension \".{ending}\" for {path}: an extension is a .ts or .js file"
        ))),
        None => Ok(()),
    }
}

/// Passes on what happened outside of any call.
fn deliver(host: &Weak<ScriptHost>, runtime: &Handle, report: Report) {
    let Some(host) = host.upgrade() else { return };
    let Report { kind, error } = report;
    let event = match kind {
        ReportKind::Console => return log(&host, runtime, &error.message),
        ReportKind::UnhandledRejection => "unhandled_rejection",
        ReportKind::Uncaught => "uncaught_exception",
        ReportKind::Stopped => "stopped",
    };
    let error = ExtensionError::new(host.path.clone(), event, &script_error(error));
    runtime.spawn(async move { host.report(error).await });
}

impl Drop for ScriptHost {
    fn drop(&mut self) {
        self.state.agents.abandon(self.runtime.get());
        if let Some(engine) = self.engine.get() {
            engine.stop("its extension is not used any more");
        }
    }
}

thread_local! {
    static IS_SCRIPT_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Says that a script runs on this thread.
pub(super) fn note_script_thread() {
    IS_SCRIPT_THREAD.set(true);
}

/// Whether a script runs on this thread, and so cannot be waited for here.
pub(super) fn is_script_thread() -> bool {
    IS_SCRIPT_THREAD.get()
}

/// A value for the script.
pub(super) fn number(value: u32) -> Data {
    json!(value).into()
}
