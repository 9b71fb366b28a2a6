//! A connection with a server: made, used for one request after the other, ended.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use pi_ai::Clock;
use pi_coding_agent::env::Env;
use pi_coding_agent::processes::PipedProgram;
use rmcp::RoleClient;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientRequest, ProgressNotificationParam, ProtocolVersion,
    RequestId, ServerResult, SubscriptionFilter,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RunningService, ServiceError,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::time::error::Elapsed;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::client::{Client, User};
use super::program::{Observed, WatchedOutput};
use super::stdio::{ended, start};
use super::transport::ServerTransport;
use super::{http, rounds};
use crate::config::{ServerEntry, TransportConfig};
use crate::error::Error;

/// How long a server may take from its start to its first answer. A package may be fetched meanwhile.
pub(crate) const START_TIME: Duration = Duration::from_secs(60);
/// What a program gets to end by itself, and again after it was asked to.
const END_GRACE: Duration = Duration::from_secs(2);
/// How long a server may take to take in that nobody waits for an answer any more.
const CALL_OFF_TIME: Duration = Duration::from_millis(500);
/// How often a server may ask back before it answers, and how much longer it gets each time that it wants time only.
const MOST_ROUNDS: u32 = 10;
const ROUND_PAUSE: Duration = Duration::from_millis(500);

/// A server that answers.
#[derive(Debug)]
pub(crate) struct Connection {
    name: String,
    service: tokio::sync::Mutex<RunningService<RoleClient, Client>>,
    peer: rmcp::Peer<RoleClient>,
    client: Client,
    program: tokio::sync::Mutex<Option<PipedProgram>>,
    observed: Arc<Observed>,
    /// Waits for news of changed lists, where the server wants to be asked for them.
    listening: std::sync::OnceLock<AbortOnDropHandle<()>>,
}

/// Where servers are started, and for whom.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) cwd: std::path::PathBuf,
    pub(crate) env: Env,
    /// Logins are kept there.
    pub(crate) agent_dir: std::path::PathBuf,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) user: User,
}

impl Connection {
    /// Starts or calls a server and shakes hands. `is_legacy`: it was seen to know no revision without a handshake.
    ///
    /// # Errors
    /// What went wrong, as a sentence.
    pub(crate) async fn open(entry: &ServerEntry, place: &Place, is_legacy: bool) -> Result<Self, Error> {
        let pinned = entry.protocol_version.as_ref().and_then(|version| version_of(version));
        let auto =
            ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::V_2026_07_28], legacy_version: None };
        let (mode, may_fall_back) = match &pinned {
            Some(version) if version.has_initialize() => (ClientLifecycleMode::Initialize, false),
            Some(version) => (ClientLifecycleMode::Discover { preferred_versions: vec![version.clone()] }, false),
            None if is_legacy => (ClientLifecycleMode::Initialize, false),
            None => (auto, true),
        };
        match Self::attempt(entry, place, mode, pinned.clone()).await {
            // There are servers that end when the first message is no handshake.
            Err(Error::Ended { .. }) if may_fall_back => {
                Self::attempt(entry, place, ClientLifecycleMode::Initialize, None).await
            }
            other => other,
        }
    }

    async fn attempt(
        entry: &ServerEntry,
        place: &Place,
        mode: ClientLifecycleMode,
        version: Option<ProtocolVersion>,
    ) -> Result<Self, Error> {
        let client = Client::new(&entry.name, &place.cwd, version, place.user.clone());
        match &entry.transport {
            TransportConfig::Stdio { command, args, env, cwd } => {
                let started = start(entry, command, args, env, cwd.as_deref(), place).await?;
                Self::over_pipes(entry, client, mode, started).await
            }
            TransportConfig::Http { url, headers } => {
                let transport = http::transport(entry, (url, headers), place).await?;
                match shake_hands(&client, transport, mode).await {
                    Ok(Ok(service)) => match unknown_version(entry, &service) {
                        None => Ok(Self::new(entry, service, client, None, Arc::default())),
                        Some(error) => Err(error),
                    },
                    Ok(Err(error)) => Err(http::refused(&entry.name, url, &error)),
                    Err(_) => Err(Error::Silent { server: entry.name.clone(), after: START_TIME, hint: String::new() }),
                }
            }
        }
    }

    async fn over_pipes(
        entry: &ServerEntry,
        client: Client,
        mode: ClientLifecycleMode,
        mut program: PipedProgram,
    ) -> Result<Self, Error> {
        let observed = Arc::new(Observed::default());
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (program.stdin.take(), program.stdout.take(), program.stderr.take())
        else {
            return Err(Error::Start { server: entry.name.clone(), detail: "its pipes are gone".to_owned() });
        };
        tokio::spawn(Arc::clone(&observed).drain(stderr));
        let stdout = WatchedOutput::new(stdout, Arc::clone(&observed));
        let pipes = AsyncRwTransport::new(stdout, stdin).with_max_line_length(usize::MAX);
        let error = match shake_hands(&client, ServerTransport::Pipes(pipes), mode).await {
            Ok(Ok(service)) => match unknown_version(entry, &service) {
                None => return Ok(Self::new(entry, service, client, Some(program), observed)),
                Some(error) => error,
            },
            Ok(Err(ClientInitializeError::JsonRpcError(error))) => {
                Error::Handshake { server: entry.name.clone(), detail: error.message.into_owned() }
            }
            Ok(Err(ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. })) => Error::Handshake {
                server: entry.name.clone(),
                detail: format!("no revision of MCP is known to both; it knows {server_supported:?}"),
            },
            Ok(Err(_)) => ended(&entry.name, Some(&mut program), &observed).await,
            Err(_) => Error::Silent { server: entry.name.clone(), after: START_TIME, hint: observed.hint() },
        };
        program.end(END_GRACE).await;
        Err(error)
    }

    fn new(
        entry: &ServerEntry,
        service: RunningService<RoleClient, Client>,
        client: Client,
        program: Option<PipedProgram>,
        observed: Arc<Observed>,
    ) -> Self {
        let peer = service.peer().clone();
        Self {
            name: entry.name.clone(),
            service: tokio::sync::Mutex::new(service),
            peer,
            client,
            program: tokio::sync::Mutex::new(program),
            observed,
            listening: std::sync::OnceLock::new(),
        }
    }

    /// Requests without limits of their own: lists.
    pub(crate) fn peer(&self) -> &rmcp::Peer<RoleClient> {
        &self.peer
    }

    /// Whether it can still be used.
    pub(crate) fn is_open(&self) -> bool {
        !self.peer.is_transport_closed() && !self.observed.is_too_large()
    }

    /// Whether the server has said since the last time that its lists are others now.
    pub(crate) fn take_changed(&self) -> bool {
        self.client.take_changed()
    }

    /// Asks to be told of changed lists: servers of the newest revision tell only those who asked.
    pub(crate) fn listen(&self) {
        let (peer, client) = (self.peer.clone(), self.client.clone());
        let filter = SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().build();
        let listening = tokio::spawn(async move {
            // A server that does not tell keeps the lists that it had.
            let Ok(mut news) = peer.listen(filter).await else { return };
            while let Ok(Some(_)) = news.next().await {
                client.note_change();
            }
        });
        let _ = self.listening.set(AbortOnDropHandle::new(listening));
    }

    /// The sentence for an answer of another kind than the one that was asked for.
    pub(crate) fn unsupported(&self, what: &str) -> Error {
        Error::Unsupported { server: self.name.clone(), tool: what.to_owned(), what: "another message".to_owned() }
    }

    /// Sends a request and waits for its answer. Each sign of progress is handed to `progress`, and gives it as much time
    /// again. `what` is named in errors. What the server asks back is asked of the user.
    ///
    /// # Errors
    /// What went wrong, as a sentence. The server is told if nobody waits any more.
    pub(crate) async fn request(
        &self,
        what: &str,
        request: impl Into<ClientRequest>,
        timeout: Duration,
        cancel: &CancellationToken,
        mut progress: impl FnMut(ProgressNotificationParam),
    ) -> Result<ServerResult, Error> {
        let mut request = request.into();
        let unsupported =
            |asked: String| Error::Unsupported { server: self.name.clone(), tool: what.to_owned(), what: asked };
        for round in 0..MOST_ROUNDS {
            let asked = match self.round(what, request.clone(), timeout, cancel, &mut progress).await? {
                ServerResult::InputRequiredResult(asked) => asked,
                result => return Ok(result),
            };
            // Without questions the server wants time.
            let pause = if asked.input_requests.is_none() { ROUND_PAUSE * round } else { Duration::ZERO };
            let _request = self.client.begin_request();
            let again = async {
                tokio::time::sleep(pause).await;
                rounds::answered(&self.client, request, asked).await
            };
            request = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(Error::Cancelled),
                again = again => again.map_err(unsupported)?,
            };
        }
        Err(unsupported("one question after the other".to_owned()))
    }

    async fn round(
        &self,
        what: &str,
        request: ClientRequest,
        timeout: Duration,
        cancel: &CancellationToken,
        progress: &mut impl FnMut(ProgressNotificationParam),
    ) -> Result<ServerResult, Error> {
        let _request = self.client.begin_request();
        // Time is told here: that of the user does not count.
        let handle = match self.peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await {
            Ok(handle) => handle,
            Err(error) => return Err(self.failure(what, timeout, error).await),
        };
        let id = handle.id.clone();
        let mut signs = self.client.progress.subscribe(handle.progress_token.clone()).await;
        let (answer, silence) = (handle.await_response(), self.client.silence(timeout));
        tokio::pin!(answer, silence);
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => {
                    self.call_off(id, "the user aborted").await;
                    return Err(Error::Cancelled);
                }
                answer = &mut answer => return match answer {
                    Ok(result) => Ok(result),
                    Err(error) => Err(self.refusal(what, timeout, cancel, error).await),
                },
                Some(sign) = signs.next() => {
                    progress(sign);
                    silence.set(self.client.silence(timeout));
                }
                () = &mut silence => {
                    self.call_off(id, "no answer in time").await;
                    return Err(self.failure(what, timeout, ServiceError::Timeout { timeout }).await);
                }
            }
        }
    }

    /// Tells the server that nobody waits for the answer any more. One that is gone, or that takes nothing in, needs no word.
    async fn call_off(&self, id: RequestId, reason: &str) {
        let params = CancelledNotificationParam::new(Some(id), Some(reason.to_owned()));
        let told = self.peer.send_notification(CancelledNotification::new(params).into());
        let _ = tokio::time::timeout(CALL_OFF_TIME, told).await;
    }

    /// The sentence for a request that was answered with an error, which may ask for the user.
    async fn refusal(&self, what: &str, after: Duration, cancel: &CancellationToken, error: ServiceError) -> Error {
        let wanted = tokio::select! {
            biased;
            () = cancel.cancelled() => return Error::Cancelled,
            wanted = rounds::wants_pages(&self.client, &error) => wanted,
        };
        match wanted {
            Some(message) => Error::Refused { server: self.name.clone(), tool: what.to_owned(), message },
            None => self.failure(what, after, error).await,
        }
    }

    /// The sentence for a request that failed.
    pub(crate) async fn failure(&self, what: &str, after: Duration, error: ServiceError) -> Error {
        let (server, tool) = (self.name.clone(), what.to_owned());
        if error.is_authorization_required() {
            return Error::Login { server };
        }
        match error {
            ServiceError::McpError(error) => Error::Refused { server, tool, message: error.message.into_owned() },
            ServiceError::Timeout { .. } => Error::Timeout { server, tool, after, hint: self.observed.hint() },
            ServiceError::UnexpectedResponse => self.unsupported(what),
            ServiceError::TransportSend(error) if self.program.lock().await.is_none() => {
                http::failed(&server, what, &error)
            }
            _ => ended(&self.name, self.program.lock().await.as_mut(), &self.observed).await,
        }
    }

    /// Ends it, and the program behind it.
    pub(crate) async fn close(&self) {
        let program = self.program.lock().await.take();
        let close = async {
            // Whatever becomes of it, the program ends.
            let _ = self.service.lock().await.close_with_timeout(END_GRACE).await;
        };
        match program {
            Some(program) => {
                tokio::join!(close, program.end(END_GRACE));
            }
            None => close.await,
        }
    }
}

/// Shakes hands in the time that a start may take. From then on `rmcp` serves the connection in a task of its own.
async fn shake_hands(
    client: &Client,
    transport: ServerTransport,
    mode: ClientLifecycleMode,
) -> Result<Result<RunningService<RoleClient, Client>, ClientInitializeError>, Elapsed> {
    tokio::time::timeout(START_TIME, client.clone().serve_with_lifecycle(transport, mode)).await
}

/// What is wrong with a server that speaks a revision which nobody here knows.
fn unknown_version(entry: &ServerEntry, service: &RunningService<RoleClient, Client>) -> Option<Error> {
    let version = service.peer().peer_info()?.protocol_version.clone();
    if ProtocolVersion::KNOWN_VERSIONS.contains(&version) {
        return None;
    }
    let detail = format!("it wants to speak revision {version} of MCP, which pi does not know; is there a newer pi?");
    Some(Error::Handshake { server: entry.name.clone(), detail })
}

fn version_of(text: &str) -> Option<ProtocolVersion> {
    serde_json::from_value(Value::String(text.to_owned())).ok()
}
