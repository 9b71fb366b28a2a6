//! What all extensions of one session share: the way to the session, flags, the bus, the surface to the user.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pi_guard::lock;
use tokio::sync::watch;

use super::bus::EventBus;
use super::context::Mode;
use super::flag::FlagValue;
use super::session::{ConnectedSession, Connection};
use super::ui::{ExtensionUi, NoUi, WatchedUi};
use crate::config::models::{ProviderChange, ProviderOwner};
use crate::events::{Error, ExtensionCallError, ExtensionError};

/// Asks the program to end.
pub(crate) type ShutdownFn = dyn Fn() + Send + Sync;

/// What the extensions of one session share.
pub struct ExtensionRuntime {
    session: Mutex<Option<Arc<Connection>>>,
    is_stale: AtomicBool,
    surface: Mutex<Surface>,
    /// Dialogs that wait for the user; meanwhile no deadline runs.
    dialogs: watch::Sender<usize>,
    flags: Mutex<BTreeMap<String, FlagValue>>,
    pub(super) bus: EventBus,
    provider_changes: Mutex<Vec<ProviderChange>>,
    provider_owner: ProviderOwner,
    /// Reports from before there was anybody to tell.
    early: Mutex<Vec<ExtensionError>>,
    handler_timeout: Option<Duration>,
}

/// Where the session is shown.
#[derive(Clone)]
pub(crate) struct Surface {
    pub(crate) mode: Mode,
    pub(crate) ui: Arc<dyn ExtensionUi>,
    pub(crate) shutdown: Arc<ShutdownFn>,
}

impl Default for Surface {
    fn default() -> Self {
        Self { mode: Mode::Print, ui: Arc::new(NoUi), shutdown: Arc::new(|| {}) }
    }
}

impl ExtensionRuntime {
    pub(super) fn new(flags: BTreeMap<String, FlagValue>, bus: EventBus, handler_timeout: Option<Duration>) -> Self {
        Self {
            session: Mutex::default(),
            is_stale: AtomicBool::new(false),
            surface: Mutex::default(),
            dialogs: watch::Sender::new(0),
            flags: Mutex::new(flags),
            bus,
            provider_changes: Mutex::default(),
            provider_owner: ProviderOwner::default(),
            early: Mutex::default(),
            handler_timeout,
        }
    }

    /// Connects the extensions with their session: from now on they may act on it.
    pub(crate) fn bind(&self, session: Arc<Connection>) {
        *lock(&self.session) = Some(session);
    }

    /// Connects them with the session that other extensions were connected with.
    pub(crate) fn bind_like(&self, other: &Self) {
        let session = lock(&other.session).clone();
        *lock(&self.session) = session;
    }

    /// How long a handler may take.
    pub(crate) fn handler_timeout(&self) -> Option<Duration> {
        self.handler_timeout
    }

    /// Says where the session is shown.
    pub(crate) fn set_surface(&self, surface: Surface) {
        *lock(&self.surface) = surface;
    }

    /// The session was replaced: whatever still holds on to this one gets an error from now on.
    pub(crate) fn invalidate(&self) {
        self.is_stale.store(true, Ordering::Release);
    }

    /// The session.
    ///
    /// # Errors
    /// [`ExtensionCallError::NotReady`](crate::ExtensionCallError) before it began,
    /// [`ExtensionCallError::Stale`](crate::ExtensionCallError) after it was replaced.
    pub(crate) fn connected(&self) -> Result<Arc<dyn ConnectedSession>, Error> {
        if self.is_stale.load(Ordering::Acquire) {
            return Err(ExtensionCallError::Stale.into());
        }
        self.found().ok_or(ExtensionCallError::NotReady.into())
    }

    /// The session, also after these extensions have lost it.
    fn found(&self) -> Option<Arc<dyn ConnectedSession>> {
        // Not under the lock: the last handle to a session may go where this one ends.
        let session = lock(&self.session).clone()?;
        session()
    }

    /// Where extensions of this session meet.
    pub(crate) fn bus(&self) -> &EventBus {
        &self.bus
    }

    /// The value of a flag: given on the command line, else its default.
    pub fn flag(&self, name: &str) -> Option<FlagValue> {
        lock(&self.flags).get(name).cloned()
    }

    /// Sets a flag, as the command line does.
    pub fn set_flag(&self, name: &str, value: FlagValue) {
        lock(&self.flags).insert(name.to_owned(), value);
    }

    /// Takes a default that nothing was set for.
    pub(super) fn default_flag(&self, name: &str, value: &FlagValue) {
        lock(&self.flags).entry(name.to_owned()).or_insert_with(|| value.clone());
    }

    /// All flags, to hand them to the extensions of the session that follows.
    pub(crate) fn flags(&self) -> BTreeMap<String, FlagValue> {
        lock(&self.flags).clone()
    }

    /// What extensions said of providers since this was asked last.
    pub(crate) fn take_provider_changes(&self) -> Vec<ProviderChange> {
        std::mem::take(&mut *lock(&self.provider_changes))
    }

    /// Keeps it until the session takes it up. What is taken back meanwhile was never said.
    pub(super) fn note_provider_change(&self, change: ProviderChange) {
        let mut changes = lock(&self.provider_changes);
        match change {
            ProviderChange::Register { .. } => changes.push(change),
            ProviderChange::Unregister { provider: ended, .. } => {
                changes
                    .retain(|noted| !matches!(noted, ProviderChange::Register { provider, .. } if *provider == ended));
            }
        }
    }

    /// In whose name these extensions register providers.
    pub(crate) fn provider_owner(&self) -> &ProviderOwner {
        &self.provider_owner
    }

    pub(super) fn mode(&self) -> Mode {
        lock(&self.surface).mode
    }

    pub(super) fn ui(&self) -> Arc<dyn ExtensionUi> {
        let ui = Arc::clone(&lock(&self.surface).ui);
        self.watched(ui)
    }

    /// A surface whose dialogs stop the deadlines of these extensions.
    pub(super) fn watched(&self, ui: Arc<dyn ExtensionUi>) -> Arc<dyn ExtensionUi> {
        Arc::new(WatchedUi::new(ui, self.dialogs.clone()))
    }

    pub(super) fn request_shutdown(&self) {
        let shutdown = Arc::clone(&lock(&self.surface).shutdown);
        shutdown();
    }

    /// Whether a dialog waits for the user.
    pub(crate) fn dialogs(&self) -> watch::Receiver<usize> {
        self.dialogs.subscribe()
    }

    /// Tells the listeners of the session about a failure.
    pub(crate) async fn report(&self, error: ExtensionError) {
        match self.found() {
            Some(session) => session.report(error).await,
            None => self.report_early(error),
        }
    }

    /// Keeps a report until there is somebody to tell.
    pub(crate) fn report_early(&self, error: ExtensionError) {
        lock(&self.early).push(error);
    }

    /// What could not be told yet.
    pub(crate) fn take_early_reports(&self) -> Vec<ExtensionError> {
        std::mem::take(&mut *lock(&self.early))
    }

    /// The session's directory, or a relative path below it.
    pub(super) fn cwd(&self) -> Result<std::path::PathBuf, Error> {
        Ok(self.connected()?.cwd())
    }

    /// An absolute path, counted from the session's directory.
    pub(super) fn resolve(&self, path: &Path) -> Result<std::path::PathBuf, Error> {
        Ok(self.cwd()?.join(path))
    }
}

impl std::fmt::Debug for ExtensionRuntime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExtensionRuntime").field("is_stale", &self.is_stale).finish_non_exhaustive()
    }
}
