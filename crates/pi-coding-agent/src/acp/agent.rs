//! Which method is what, and the sessions that are open.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use agent_client_protocol_schema::v1::{CancelNotification, Error, SessionId};
use futures::future::{BoxFuture, FutureExt};
use pi_guard::lock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::client::Client;
use super::connection::Connection;
use super::open_session::OpenSession;
use super::{AcpOptions, config_options, errors, initialize, listing, prompt, sessions, sign_in};
use crate::sdk::session_pool::SessionPool;

/// The agent as an editor meets it.
pub(super) struct Agent {
    options: AcpOptions,
    connection: Connection,
    /// What the client can do; absent before it has said so.
    client: Mutex<Option<Client>>,
    open: Mutex<HashMap<SessionId, Arc<OpenSession>>>,
    /// Sessions that are being opened or closed.
    opening: Mutex<HashMap<SessionId, Arc<Semaphore>>>,
    /// What takes requests back, by their ids as JSON.
    requests: Mutex<HashMap<String, CancellationToken>>,
    /// What the user has said about projects.
    trust: Mutex<HashMap<PathBuf, bool>>,
}

/// What a request leads to.
pub(super) struct Answer {
    result: Value,
    /// Is done when the answer was written.
    after: Option<BoxFuture<'static, ()>>,
}

impl Answer {
    /// # Errors
    /// When the result is no JSON, which does not happen to types of the protocol.
    pub(super) fn of(result: &impl Serialize) -> Result<Self, Error> {
        let result = serde_json::to_value(result).map_err(Error::into_internal_error)?;
        Ok(Self { result, after: None })
    }

    /// Does this when the answer was written.
    pub(super) fn then(self, after: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { after: Some(after.boxed()), ..self }
    }
}

impl Agent {
    pub(super) fn new(options: AcpOptions, connection: Connection) -> Self {
        let (client, open, opening) = (Mutex::default(), Mutex::default(), Mutex::default());
        Self { options, connection, client, open, opening, requests: Mutex::default(), trust: Mutex::default() }
    }

    pub(super) fn options(&self) -> &AcpOptions {
        &self.options
    }

    pub(super) fn pool(&self) -> &Arc<SessionPool> {
        &self.options.pool
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// What the client can do.
    pub(super) fn client(&self) -> Client {
        lock(&self.client).unwrap_or_default()
    }

    pub(super) fn set_client(&self, client: Client) {
        *lock(&self.client) = Some(client);
    }

    /// An open session.
    ///
    /// # Errors
    /// When there is none of this id.
    pub(super) fn session(&self, id: &SessionId) -> Result<Arc<OpenSession>, Error> {
        self.find(id).ok_or_else(|| errors::not_found(id))
    }

    /// An open session whose beginning is over. It is another one where the user has come to trust the project meanwhile.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub(super) async fn begun_session(&self, id: &SessionId) -> Result<Arc<OpenSession>, Error> {
        loop {
            let gate = self.session(id)?.gate();
            // The semaphore is never closed.
            let _ = gate.acquire().await;
            let open = self.session(id)?;
            if Arc::ptr_eq(&gate, &open.gate()) {
                return Ok(open);
            }
        }
    }

    /// What the user has said about the project in a directory.
    pub(super) fn trusts(&self, cwd: &Path) -> Option<bool> {
        lock(&self.trust).get(cwd).copied()
    }

    pub(super) fn decide_trust(&self, cwd: PathBuf, trusted: bool) {
        lock(&self.trust).insert(cwd, trusted);
    }

    /// An open session, if it is one.
    pub(super) fn find(&self, id: &SessionId) -> Option<Arc<OpenSession>> {
        lock(&self.open).get(id).cloned()
    }

    /// Passed by one request at a time that opens or closes a session: the next finds what the first has left.
    pub(super) fn opening(&self, id: &SessionId) -> Arc<Semaphore> {
        let mut opening = lock(&self.opening);
        opening.retain(|_, gate| Arc::strong_count(gate) > 1);
        Arc::clone(opening.entry(id.clone()).or_insert_with(|| Arc::new(Semaphore::new(1))))
    }

    pub(super) fn take_in(&self, session: Arc<OpenSession>) {
        lock(&self.open).insert(session.id().clone(), session);
    }

    pub(super) fn take_out(&self, id: &SessionId) -> Option<Arc<OpenSession>> {
        lock(&self.open).remove(id)
    }

    /// Asks everything that goes on to stop.
    pub(super) fn abort_all(&self) {
        lock(&self.open).values().for_each(|open| open.request_cancel());
    }

    /// Runs a request and writes its answer.
    pub(super) async fn answer(self: Arc<Self>, id: Value, method: String, params: Value) {
        let (key, cancel) = (id.to_string(), CancellationToken::new());
        lock(&self.requests).insert(key.clone(), cancel.clone());
        let outcome = match method.as_str() {
            // Takes itself back: its run has to be polled to its end.
            "session/prompt" => self.run(&method, params, &cancel).await,
            _ => tokio::select! {
                outcome = self.run(&method, params, &cancel) => outcome,
                () = cancel.cancelled() => Err(Error::request_cancelled()),
            },
        };
        lock(&self.requests).remove(&key);
        match outcome {
            Ok(Answer { result, after }) => {
                self.connection.respond(&id, &Ok(result)).await;
                if let Some(after) = after {
                    after.await;
                }
            }
            Err(error) => self.connection.respond(&id, &Err(error)).await,
        }
    }

    async fn run(self: &Arc<Self>, method: &str, params: Value, cancel: &CancellationToken) -> Result<Answer, Error> {
        if method == "initialize" {
            return initialize::initialize(self, &read(initialize::with_known_version(params))?);
        }
        if lock(&self.client).is_none() {
            return Err(Error::invalid_request().data(Value::from("initialize comes first")));
        }
        match method {
            "authenticate" => sign_in::authenticate(self, &read(params)?).await,
            "logout" => sign_in::logout(self),
            "session/new" => sessions::new(self, read(params)?).await,
            "session/load" => sessions::load(self, read(params)?).await,
            "session/resume" => sessions::resume(self, read(params)?).await,
            "session/close" => sessions::close(self, &read(params)?).await,
            "session/list" => listing::list(self, read(params)?).await,
            "session/delete" => listing::delete(self, read(params)?).await,
            "session/prompt" => prompt::prompt(self, read(params)?, cancel).await,
            "session/set_config_option" => config_options::set(self, &read(params)?).await,
            _ => Err(Error::method_not_found().data(Value::from(method))),
        }
    }

    /// Takes what wants no answer. What is not known, or not readable, is ignored, as the protocol has it.
    pub(super) fn notice(&self, method: &str, params: Value) -> Option<BoxFuture<'static, ()>> {
        match method {
            "session/cancel" => {
                let cancel: CancelNotification = read(params).ok()?;
                let open = self.find(&cancel.session_id)?;
                open.request_cancel();
                Some(async move { open.cancelled().await }.boxed())
            }
            "$/cancel_request" => {
                let id = params.get("requestId")?.to_string();
                lock(&self.requests).get(&id).inspect(|cancel| cancel.cancel());
                None
            }
            _ => None,
        }
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Error> {
    serde_json::from_value(params).map_err(|error| errors::invalid_params(error.to_string()))
}
