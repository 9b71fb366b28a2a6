//! A session that is open: who prompts it, and how that is called off.

use std::sync::Arc;

use agent_client_protocol_schema::v1::SessionId;
use tokio::sync::{Mutex, MutexGuard, Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::agent::Agent;
use super::dialogs::EditorUi;
use super::directories::Directories;
use super::updates::{Seams, Updates};
use crate::agent_session::{AgentSession, ExtensionBindings, abort_and_settle};
use crate::extension::Mode;
use crate::gate::PermissionGate;

/// A session, and what the client is told of it.
pub(super) struct OpenSession {
    session: AgentSession,
    updates: Arc<Updates>,
    directories: Directories,
    turns: watch::Sender<Turns>,
    /// Taken while the extensions begin.
    beginning: Arc<Semaphore>,
    signals: Arc<Signals>,
}

/// What happens to a session, also while it is made anew.
#[derive(Default)]
struct Signals {
    /// Held by the prompt that comes next: one with images must not be overtaken while they are looked at.
    arrival: Mutex<()>,
    /// Tells the prompts that wait for their turn that they are called off. Those that come later do not hear of it.
    called_off: Notify,
    /// Fires when the session is closed.
    closed: CancellationToken,
}

/// The prompts that are not answered yet.
#[derive(Debug, Clone, Copy, Default)]
struct Turns {
    count: usize,
    /// They were called off.
    are_cancelled: bool,
}

/// A prompt that is not answered yet, until this is dropped.
pub(super) struct Turn(Arc<OpenSession>);

impl OpenSession {
    /// Listens to the session from now on. Whoever waits for something that happens to the `old` one, in the place of which
    /// it comes, hears of it here, too.
    pub(super) fn new(
        agent: &Agent,
        id: SessionId,
        session: AgentSession,
        seams: Seams,
        old: Option<&Self>,
    ) -> Arc<Self> {
        let ids = session.store().read(|manager| manager.host().ids);
        let connection = agent.connection().clone();
        let directories = seams.directories.clone();
        let updates = Arc::new(Updates::new(id, connection, agent.client(), ids, &session, seams));
        updates.listen(&session);
        let (turns, beginning) = (watch::Sender::new(Turns::default()), Arc::new(Semaphore::new(1)));
        let signals = old.map(|old| Arc::clone(&old.signals)).unwrap_or_default();
        Arc::new(Self { session, updates, directories, turns, beginning, signals })
    }

    pub(super) fn id(&self) -> &SessionId {
        self.updates.id()
    }

    pub(super) fn session(&self) -> &AgentSession {
        &self.session
    }

    /// What asks before calls.
    pub(super) fn permissions(&self) -> &PermissionGate {
        self.updates.permissions()
    }

    /// Directories of the client's workspace besides its own.
    pub(super) fn directories(&self) -> &Directories {
        &self.directories
    }

    pub(super) fn updates(&self) -> &Arc<Updates> {
        &self.updates
    }

    /// Prompts wait until [`Self::begin`] is done.
    pub(super) fn hold(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.beginning).try_acquire_owned().ok()
    }

    /// Begins the extensions, whose questions need a session that the client knows.
    pub(super) async fn begin(&self, held: Option<OwnedSemaphorePermit>) {
        let ui = Arc::new(EditorUi::new(Arc::clone(&self.updates)));
        self.session.extensions().bind(ExtensionBindings::with_user(Mode::Rpc, ui)).await;
        self.updates.send_commands(&self.session).await;
        drop(held);
    }

    /// Passed by who does not want to come before the session has begun.
    pub(super) fn gate(&self) -> Arc<Semaphore> {
        Arc::clone(&self.beginning)
    }

    /// Waits until the prompts that have no turn yet are called off, from the time of this call on.
    pub(super) fn called_off(&self) -> impl Future<Output = ()> + '_ {
        self.signals.called_off.notified()
    }

    /// Waits until all prompts that came before have their turns.
    pub(super) async fn arrival(&self) -> MutexGuard<'_, ()> {
        self.signals.arrival.lock().await
    }

    /// Waits until the session is closed.
    pub(super) fn closed(&self) -> impl Future<Output = ()> + '_ {
        self.signals.closed.cancelled()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.signals.closed.is_cancelled()
    }

    /// The session is closed: nobody prompts it any more, and its question about the project is none any more.
    pub(super) fn close(&self) {
        self.signals.closed.cancel();
        self.request_cancel();
    }

    /// A prompt arrives. It waits for the end of those that were called off.
    pub(super) async fn turn(self: &Arc<Self>) -> Turn {
        let mut turns = self.turns.subscribe();
        let _ = turns.wait_for(|turns| !turns.are_cancelled).await;
        self.turns.send_modify(|turns| turns.count += 1);
        if self.turns.borrow().count == 1 {
            self.updates.forget_outcome();
        }
        Turn(Arc::clone(self))
    }

    /// Calls off what goes on, without waiting for it.
    pub(super) fn request_cancel(&self) {
        self.signals.called_off.notify_waiters();
        self.turns.send_if_modified(|turns| {
            let is_new = turns.count > 0 && !turns.are_cancelled;
            turns.are_cancelled |= turns.count > 0;
            is_new
        });
        if self.is_cancelled() {
            // A run that begins in this instant stops as soon as it has begun.
            self.updates.stop_runs(true);
        }
        self.session.request_abort();
    }

    /// Waits until what goes on has stopped; nothing waits for a client that does not read.
    pub(super) async fn cancelled(&self) {
        self.session.queue().clear().await;
        self.updates.connection().hurried(abort_and_settle(&self.session)).await;
    }

    fn is_cancelled(&self) -> bool {
        self.turns.borrow().are_cancelled
    }
}

impl Turn {
    pub(super) fn open(&self) -> &OpenSession {
        &self.0
    }

    /// Whether it was called off.
    pub(super) fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Whether no other prompt is without an answer.
    pub(super) fn is_alone(&self) -> bool {
        self.0.turns.borrow().count == 1
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let updates = &self.0.updates;
        self.0.turns.send_modify(|turns| {
            turns.count -= 1;
            if turns.count == 0 {
                turns.are_cancelled = false;
                updates.stop_runs(false);
            }
        });
    }
}
