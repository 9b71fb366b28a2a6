//! One session and its clients: what they share.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::agent_session::AgentSession;
use pi_coding_agent::extension::events::{SessionStartEvent, SessionTreeEvent};
use pi_coding_agent::extension::{Extension, ExtensionApi, HandlerError};
use pi_coding_agent::paths::Paths;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::protocol::Description;
use super::shared_ui::SharedUi;
use crate::modes::EventFormat;
use crate::modes::interactive::{InteractiveOptions, Senders};

/// Makes the options of a screen, for a terminal with this in its environment.
type MakeScreen = dyn Fn(BTreeMap<String, String>) -> InteractiveOptions + Send + Sync;

/// What a program needs that listens.
#[derive(Clone)]
pub struct ListenOptions {
    /// Where the socket is made.
    pub paths: Paths,
    /// How events are written.
    pub format: EventFormat,
    /// Makes the options of a screen.
    pub make_screen: Arc<MakeScreen>,
    /// What was loaded with the session's extensions.
    pub watcher: ReplacementWatcher,
}

impl std::fmt::Debug for ListenOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ListenOptions").field("format", &self.format).finish_non_exhaustive()
    }
}

/// One session and its clients.
pub(super) struct Conversation {
    pub(super) session: AgentSession,
    pub(super) options: ListenOptions,
    pub(super) ui: Arc<SharedUi>,
    pub(super) senders: Senders,
    /// Fires when the session's extensions have begun.
    pub(super) begun: CancellationToken,
    /// Fires when the program is to end.
    pub(super) ended: CancellationToken,
    /// Fires when the session is closed after that.
    pub(super) closed: CancellationToken,
}

impl Conversation {
    pub(super) fn new(session: AgentSession, options: ListenOptions) -> Self {
        Self {
            session,
            options,
            ui: Arc::default(),
            senders: Senders::default(),
            begun: CancellationToken::new(),
            ended: CancellationToken::new(),
            closed: CancellationToken::new(),
        }
    }

    /// What is here.
    pub(super) async fn describe(&self) -> Description {
        let session = &self.session;
        let model = session.model();
        Description {
            pid: std::process::id(),
            session_id: session.session_id(),
            name: session.name().read().await,
            cwd: session.store().read(|manager| manager.cwd().display().to_string()),
            model: format!("{}/{}", model.provider, model.id),
            is_working: session.is_streaming(),
            clients: self.ui.count(),
        }
    }
}

/// Notices when another session, or another place in it, takes the place of what clients show: an extension of the program.
/// Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct ReplacementWatcher(watch::Sender<u64>);

impl ReplacementWatcher {
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }

    fn replaced(&self) {
        self.0.send_modify(|count| *count += 1);
    }
}

impl Extension for ReplacementWatcher {
    fn name(&self) -> &str {
        "<listen>"
    }

    fn activate(&self, pi: ExtensionApi) -> BoxFuture<'_, Result<(), HandlerError>> {
        let watcher = self.clone();
        pi.on(move |_: SessionStartEvent, _| {
            watcher.replaced();
            std::future::ready(Ok(()))
        });
        let watcher = self.clone();
        pi.on(move |_: SessionTreeEvent, _| {
            watcher.replaced();
            std::future::ready(Ok(()))
        });
        std::future::ready(Ok(())).boxed()
    }
}
