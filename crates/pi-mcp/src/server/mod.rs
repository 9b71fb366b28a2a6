//! A configured server: started when it is needed, asked, ended. What a connection is, is in `connection`; our side of it in
//! `client` and `rounds`; what it has, in `lists`; how a program is started and watched, in `stdio` and `program`; what is special about addresses, in
//! `http`; how messages are carried, in `transport`.

mod client;
mod connection;
mod http;
mod lists;
pub(crate) mod program;
mod rounds;
mod stdio;
mod transport;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) use client::{User, unreadable};
pub(crate) use connection::Place;
use connection::{Connection, START_TIME};
use pi_guard::lock;
use rmcp::model::{ClientRequest, ProgressNotificationParam, ServerResult};
use tokio_util::sync::CancellationToken;

use crate::config::ServerEntry;
use crate::error::Error;
use crate::metadata::{Metadata, MetadataFile};

/// Pause after a failed start in which it is not tried again; doubled by each further failure.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How long runs wait for lists that a server has changed.
const FOLLOW_TIME: Duration = Duration::from_secs(5);

/// A server of a session.
#[derive(Debug)]
pub(crate) struct Server {
    entry: ServerEntry,
    place: Place,
    file: MetadataFile,
    /// Whoever holds it connects; the others wait for the outcome.
    connection: tokio::sync::Mutex<Option<Arc<Connection>>>,
    known: Mutex<Known>,
}

/// What is known of a server at this moment.
#[derive(Debug, Default)]
struct Known {
    metadata: Option<Arc<Metadata>>,
    /// Whether its lists are others than when the session took them up last.
    has_news: bool,
    state: State,
    failure: Option<Failure>,
    /// Ends the start under way and those that wait for it, when the server is closed.
    called_off: CancellationToken,
}

/// The last attempt, which failed.
#[derive(Debug, Clone)]
struct Failure {
    error: Error,
    at: Instant,
    pause: Duration,
}

/// How a server is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// Nobody has needed it yet.
    #[default]
    Idle,
    /// It is being started.
    Starting,
    /// It answers.
    Connected,
    /// It does not, for this reason.
    Failed(Error),
}

/// A start under way. One that nobody waits for any more has not happened.
struct Starting<'a>(&'a Mutex<Known>);

impl<'a> Starting<'a> {
    fn begin(known: &'a Mutex<Known>) -> Self {
        lock(known).state = State::Starting;
        Self(known)
    }
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        lock(self.0).state = State::Idle;
    }
}

impl Server {
    /// A server that is not started yet. Reads what is known of it.
    pub(crate) fn new(entry: ServerEntry, place: Place, agent_dir: &std::path::Path) -> Self {
        let file = MetadataFile::new(agent_dir, &entry.hash(&place.cwd));
        let known = Known { metadata: file.read().map(Arc::new), ..Known::default() };
        Self { entry, place, file, connection: tokio::sync::Mutex::new(None), known: Mutex::new(known) }
    }

    pub(crate) fn entry(&self) -> &ServerEntry {
        &self.entry
    }

    pub(crate) fn name(&self) -> &str {
        &self.entry.name
    }

    /// What it listed last; `None` if it was never asked.
    pub(crate) fn metadata(&self) -> Option<Arc<Metadata>> {
        lock(&self.known).metadata.clone()
    }

    /// What is wrong with its lists.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.metadata().map(|metadata| metadata.problems.clone()).unwrap_or_default()
    }

    /// A sentence about it.
    pub(crate) fn sentence(&self, text: &str) -> String {
        format!("MCP server \"{}\": {text}", self.name())
    }

    pub(crate) fn state(&self) -> State {
        lock(&self.known).state.clone()
    }

    /// Starts it unless it runs, and learns what it has. A start that failed is not tried again at once.
    ///
    /// # Errors
    /// What went wrong, as a sentence.
    pub(crate) async fn connect(&self) -> Result<(), Error> {
        self.connected().await.map(|_| ())
    }

    async fn connected(&self) -> Result<Arc<Connection>, Error> {
        let called_off = lock(&self.known).called_off.clone();
        called_off.run_until_cancelled(self.open_connection()).await.unwrap_or(Err(Error::Cancelled))
    }

    async fn open_connection(&self) -> Result<Arc<Connection>, Error> {
        let mut held = self.connection.lock().await;
        if let Some(connection) = &*held {
            if connection.is_open() {
                return Ok(Arc::clone(connection));
            }
            let broken = held.take();
            if let Some(connection) = broken {
                connection.close().await;
            }
        }
        if let Some(failure) = &lock(&self.known).failure
            && failure.at.elapsed() < failure.pause
        {
            return Err(failure.error.clone());
        }
        let outcome = {
            let _starting = Starting::begin(&self.known);
            self.start().await
        };
        match outcome {
            Ok(connection) => {
                let connection = Arc::new(connection);
                *held = Some(Arc::clone(&connection));
                let mut known = lock(&self.known);
                known.state = State::Connected;
                known.failure = None;
                Ok(connection)
            }
            Err(error) => {
                self.note_failure(error.clone());
                Err(error)
            }
        }
    }

    async fn start(&self) -> Result<Connection, Error> {
        let is_legacy = self.metadata().is_some_and(|metadata| metadata.is_legacy);
        let connection = Connection::open(&self.entry, &self.place, is_legacy).await?;
        match self.learn(&connection).await {
            Ok(()) => Ok(connection),
            Err(error) => {
                connection.close().await;
                Err(error)
            }
        }
    }

    fn note_failure(&self, error: Error) {
        let mut known = lock(&self.known);
        let pause = known.failure.as_ref().map_or(FIRST_PAUSE, |failure| (failure.pause * 2).min(LONGEST_PAUSE));
        known.state = State::Failed(error.clone());
        known.failure = Some(Failure { error, at: Instant::now(), pause });
    }

    /// Asks for its lists and keeps them.
    async fn learn(&self, connection: &Connection) -> Result<(), Error> {
        let metadata = tokio::time::timeout(START_TIME, lists::lists(connection)).await;
        let metadata = metadata.unwrap_or_else(|_| {
            Err(Error::Silent { server: self.entry.name.clone(), after: START_TIME, hint: String::new() })
        })?;
        if !metadata.is_legacy {
            connection.listen();
        }
        self.file.write(&metadata);
        let mut known = lock(&self.known);
        known.has_news |= known.metadata.as_deref() != Some(&metadata);
        known.metadata = Some(Arc::new(metadata));
        Ok(())
    }

    /// Asks for its lists again if it has said that they are others now. Returns whether they are others than the last time.
    /// One that is slow to answer is not waited for: its lists are taken up when they are there.
    pub(crate) async fn follow_changes(self: &Arc<Self>) -> bool {
        let server = Arc::clone(self);
        let relearned = tokio::spawn(async move { server.relearn().await });
        let _ = tokio::time::timeout(FOLLOW_TIME, relearned).await;
        std::mem::take(&mut lock(&self.known).has_news)
    }

    /// Whether it lists a tool at this moment, as far as it has said.
    pub(crate) async fn has_tool(&self, name: &str) -> bool {
        self.relearn().await;
        self.metadata().is_none_or(|metadata| metadata.tools.iter().any(|tool| tool.name == name))
    }

    async fn relearn(&self) {
        // Whoever holds it starts or ends the server, which has no news then.
        let Ok(connection) = self.connection.try_lock().map(|held| held.clone()) else { return };
        if let Some(connection) = connection.filter(|connection| connection.take_changed()) {
            // What cannot be read stays as it was; the next request says why.
            let _ = self.learn(&connection).await;
        }
    }

    /// Sends a request, starting the server first if need be.
    ///
    /// # Errors
    /// What went wrong, as a sentence.
    pub(crate) async fn request(
        &self,
        what: &str,
        request: impl Into<ClientRequest>,
        cancel: &CancellationToken,
        progress: impl FnMut(ProgressNotificationParam),
    ) -> Result<ServerResult, Error> {
        let connection = tokio::select! {
            connection = self.connected() => connection?,
            () = cancel.cancelled() => return Err(Error::Cancelled),
        };
        let result = connection.request(what, request, self.entry.timeout, cancel, progress).await;
        if let Err(error) = &result
            && error.ends_connection()
        {
            self.drop_connection(&connection, error).await;
        }
        result
    }

    /// Ends a connection that is of no use any more. Others may have made a new one meanwhile.
    async fn drop_connection(&self, broken: &Arc<Connection>, error: &Error) {
        let mut held = self.connection.lock().await;
        if held.as_ref().is_some_and(|connection| Arc::ptr_eq(connection, broken)) {
            *held = None;
            lock(&self.known).state = State::Failed(error.clone());
        }
        drop(held);
        broken.close().await;
    }

    /// Ends it, also while it starts. The next request starts it again.
    pub(crate) async fn close(&self) {
        let called_off = std::mem::take(&mut lock(&self.known).called_off);
        called_off.cancel();
        let connection = self.connection.lock().await.take();
        if let Some(connection) = connection {
            connection.close().await;
        }
        let mut known = lock(&self.known);
        known.state = State::Idle;
        known.failure = None;
    }
}
