//! Extensions begin and end with their session.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::future::BoxFuture;
use pi_guard::lock;

use super::providers::{exchange_providers, forget_providers};
use super::resources::{discover_resources, forget_resources, reload_resources};
use super::tools::refresh_tools;
use super::{ExtensionBindings, Extensions, ExtensionsHandle, emit_extension_error, install_hooks};
use crate::agent_session::activity::Request;
use crate::agent_session::store::blocking;
use crate::agent_session::{AgentSession, ForkPosition, Inner};
use crate::events::Error;
use crate::extension::events::{
    CancelOutcome, DiscoverReason, Event, ForkOutcome, SessionBeforeForkEvent, SessionBeforeSwitchEvent,
    SessionShutdownEvent, SessionStartEvent, ShutdownReason, StartReason, SwitchReason,
};
use crate::extension::{
    CommandContext, Earlier, ExtensionContext, ExtensionError, HandlerError, LoadError, LoadOptions, Surface,
    WithSessionFn, caught, load_sources,
};

/// What extensions get for their last event when the program ends.
const QUIT_LIMIT: Duration = Duration::from_secs(10);

/// Why a session is left, and which.
pub(in crate::agent_session) struct Departure {
    pub(in crate::agent_session) reason: StartReason,
    /// The file of the session that is left.
    pub(in crate::agent_session) previous: Option<PathBuf>,
    /// Whether its extensions had begun.
    pub(in crate::agent_session) had_begun: bool,
}

impl ExtensionsHandle<'_> {
    /// Says where the session is shown, and begins its extensions: `session_start`, then `resources_discover`. Without
    /// this they begin with the first prompt, and nobody answers their questions.
    pub async fn bind(self, bindings: ExtensionBindings) {
        let ExtensionBindings { mode, ui, on_shutdown } = bindings;
        let surface = Surface { mode, ui, shutdown: on_shutdown };
        *lock(&self.0.extensions.surface) = surface.clone();
        self.0.extensions.runner().runtime().set_surface(surface);
        start_extensions(self.0).await;
    }
}

impl AgentSession {
    /// Reads settings, resources and extensions anew: files of extensions that are new are loaded, those that are gone are
    /// left out, and those that changed count as they are now. The session, its messages and its flags stay; tools that
    /// were active stay so. A run in progress goes on. Waits while the session goes elsewhere, or is being reloaded already.
    ///
    /// # Errors
    /// [`Error::SessionClosed`].
    pub async fn reload(&self) -> Result<(), Error> {
        let session = &self.0;
        let exchange = session.run.activity().begin_exchange().await?;
        let had_begun = session.extensions.end(ShutdownReason::Reload, None).await;
        session.place.settings().reload();
        session.place.models().refresh();
        session.run.agent().steering().set_mode(session.place.settings().sessions().steering_mode());
        session.run.agent().follow_ups().set_mode(session.place.settings().sessions().follow_up_mode());
        let read = reload_resources(session).await;
        let found = find_extensions(session, Earlier::MadeAnew).await;
        let errors = activate_again(session).await;
        install_hooks(session);
        refresh_tools(session);
        let begins = had_begun && session.extensions.begins();
        drop(exchange);
        if begins {
            begin_extensions(session, StartReason::Reload, None).await;
        }
        report_load_errors(session, errors).await;
        read.and(found)
    }
}

/// Begins the extensions if that did not happen yet.
pub(in crate::agent_session) async fn start_extensions(session: &Inner) {
    let is_over = session.run.activity().check(Request::BeginExtensions).is_err();
    // Those that a reload brings begin only where others would have.
    if is_over || !session.extensions.begins() || session.extensions.is_none() {
        return;
    }
    begin_extensions(session, StartReason::Startup, None).await;
}

/// The other session is there: extensions are made for it, from its directory if that is another one. Whoever arrives is
/// the one who begins them.
pub(in crate::agent_session) async fn enter_extensions(
    session: &Arc<Inner>,
    departure: &mut Departure,
) -> Vec<LoadError> {
    let had_none = session.extensions.is_none();
    let cwd = session.place.cwd();
    let is_elsewhere = lock(&session.extensions.sources).are_elsewhere(&cwd);
    if is_elsewhere && let Err(error) = find_extensions(session, Earlier::MadeAnew).await {
        session.store.warn(&error.to_string());
    }
    let mut errors = Vec::new();
    // Without any the tools are those of the session's directory already.
    if !had_none || !session.extensions.is_none() || is_elsewhere {
        errors = activate_again(session).await;
        install_hooks(session);
        refresh_tools(session);
    }
    departure.had_begun = departure.had_begun && session.extensions.begins();
    errors
}

/// Looks for the extensions of the session's directory. What the user should know of that is told.
async fn find_extensions(session: &Arc<Inner>, earlier: Earlier) -> Result<(), Error> {
    let mut sources = lock(&session.extensions.sources).clone();
    let resources = session.place.resources();
    let found = blocking(session, move |_| {
        sources.find(&resources, earlier);
        Ok(sources)
    });
    let sources = found.await?;
    sources.warnings().iter().for_each(|warning| session.store.warn(warning));
    *lock(&session.extensions.sources) = sources;
    Ok(())
}

impl Extensions {
    /// Whether an extension calls off that the session is left for another one.
    pub(in crate::agent_session) async fn is_switch_cancelled(
        &self,
        reason: SwitchReason,
        target: Option<&Path>,
    ) -> bool {
        let target_session_file = target.map(ToOwned::to_owned);
        self.is_cancelled(SessionBeforeSwitchEvent { reason, target_session_file }).await
    }

    /// What extensions say to the session being left for a copy of a branch.
    pub(in crate::agent_session) async fn emit_before_fork(&self, entry: &str, position: ForkPosition) -> ForkOutcome {
        let mut answer = ForkOutcome::default();
        let runner = self.runner();
        let event = SessionBeforeForkEvent { entry_id: entry.to_owned(), position };
        let asked = runner.fold(event, None, |_, outcome| {
            if outcome != ForkOutcome::default() {
                answer = outcome;
            }
            if answer.cancel { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        asked.await;
        answer
    }

    async fn is_cancelled<E>(&self, event: E) -> bool
    where
        E: Event<Outcome = CancelOutcome, Context = ExtensionContext>,
    {
        let mut cancelled = false;
        let runner = self.runner();
        let asked = runner.fold(event, None, |_, outcome| {
            cancelled = outcome.cancel;
            if cancelled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        asked.await;
        cancelled
    }

    /// The last event of the extensions as they are now. Returns whether they had begun: who ends them ends them once.
    async fn end(&self, reason: ShutdownReason, target_session_file: Option<PathBuf>) -> bool {
        let had_begun = self.has_started.swap(false, Ordering::AcqRel);
        if had_begun {
            self.runner().notify(SessionShutdownEvent { reason, target_session_file }, None).await;
        }
        let ui = Arc::clone(&lock(&self.surface).ui);
        ui.reset();
        had_begun
    }
}

/// The program ends.
pub(in crate::agent_session) async fn quit_extensions(session: &Inner) {
    // Whoever is on the way to another session arrives first, or is refused; then the extensions that end are the
    // last ones. A handler that ends its session while it is being left would wait for itself.
    let _arrived = tokio::time::timeout(QUIT_LIMIT, session.run.activity().begin_quitting()).await;
    let ended = session.extensions.end(ShutdownReason::Quit, None);
    if tokio::time::timeout(QUIT_LIMIT, ended).await.is_err() {
        session.store.warn("An extension did not come to its end; it was left behind");
    }
    forget_providers(session, &session.extensions.runner());
    session.extensions.runner().runtime().invalidate();
}

/// The session is being left: its extensions hear of it, and are no longer connected to anything.
pub(in crate::agent_session) async fn leave_extensions(
    session: &Inner,
    reason: StartReason,
    target: Option<PathBuf>,
) -> Departure {
    let previous = session.store.manager().session_file().map(ToOwned::to_owned);
    let end = match reason {
        StartReason::Resume => ShutdownReason::Resume,
        StartReason::Fork => ShutdownReason::Fork,
        StartReason::Startup | StartReason::Reload | StartReason::New => ShutdownReason::New,
    };
    let had_begun = session.extensions.end(end, target).await;
    lock(&session.extensions.next_turn).clear();
    session.extensions.runner().runtime().invalidate();
    Departure { reason, previous, had_begun }
}

/// They begin, and whoever asked for the other session goes on in it.
pub(in crate::agent_session) async fn arrive_extensions(
    session: &Inner,
    departure: Departure,
    errors: Vec<LoadError>,
    with_session: Option<Box<WithSessionFn>>,
) {
    if departure.had_begun {
        begin_extensions(session, departure.reason, departure.previous).await;
    }
    report_load_errors(session, errors).await;
    let Some(with_session) = with_session else { return };
    let runtime = Arc::clone(session.extensions.runner().runtime());
    let context = CommandContext::new(Arc::clone(&runtime));
    if let Err(error) = caught(|| with_session(context)).await {
        runtime.report(ExtensionError::new("<runtime>", "with_session", &error)).await;
    }
}

/// Activates all extensions once more, with the flags as they are, on a bus of its own.
async fn activate_again(session: &Inner) -> Vec<LoadError> {
    let old = session.extensions.runner();
    let options = LoadOptions {
        flags: old.runtime().flags(),
        handler_timeout: old.runtime().handler_timeout(),
        ..LoadOptions::default()
    };
    let sources = lock(&session.extensions.sources).clone();
    let loaded = load_sources(sources, options).await;
    let runtime = loaded.runner.runtime();
    runtime.set_surface(lock(&session.extensions.surface).clone());
    // Those that a session left are stale by now. After a reload the old ones are not: the command that asked for it
    // goes on in the same session.
    exchange_providers(session, &old, &loaded.runner);
    forget_resources(session);
    runtime.bind_like(old.runtime());
    *lock(&session.extensions.runner) = loaded.runner;
    loaded.errors
}

fn begin_extensions(session: &Inner, reason: StartReason, previous_session_file: Option<PathBuf>) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let runner = session.extensions.runner();
        for error in runner.runtime().take_early_reports() {
            emit_extension_error(session, error).await;
        }
        runner.notify(SessionStartEvent { reason, previous_session_file }, None).await;
        let reason = if reason == StartReason::Reload { DiscoverReason::Reload } else { DiscoverReason::Startup };
        discover_resources(session, reason).await;
    })
}

async fn report_load_errors(session: &Inner, errors: Vec<LoadError>) {
    for LoadError { path, error } in errors {
        emit_extension_error(session, ExtensionError::new(path, "load", &HandlerError::new(error))).await;
    }
}
