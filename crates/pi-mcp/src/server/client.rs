//! What we answer to servers and take from them: roots, questions to the user, signs of progress, news of changed lists.
#![expect(deprecated, reason = "servers of earlier revisions ask for roots and for the model")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pi_coding_agent::extension::ExtensionContext;
use rmcp::handler::client::progress::ProgressDispatcher;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, CustomRequest, CustomResult,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, ErrorCode, FormElicitationCapability,
    Implementation, ListRootsResult, ProgressNotificationParam, ProtocolVersion, Root, RootsCapabilities,
    UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, ErrorData, RoleClient};
use tokio::sync::watch;
use url::Url;

use crate::elicitation;
use crate::pages::OpenPage;

/// What servers hear that want to use the model.
pub(super) const NO_SAMPLING: &str = "pi lends its model to no server: sampling is not supported";

/// The user whom servers may ask; there may be none.
#[derive(Debug, Clone, Default)]
pub(crate) struct User {
    session: Option<ExtensionContext>,
    pages: OpenPage,
}

impl User {
    /// The user of a session.
    pub(crate) fn of(session: ExtensionContext, pages: OpenPage) -> Self {
        Self { session: Some(session), pages }
    }

    /// The session, where somebody can answer.
    fn session(&self) -> Option<&ExtensionContext> {
        self.session.as_ref().filter(|session| session.has_ui())
    }
}

/// Our side of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    server: String,
    root: Option<String>,
    version: Option<ProtocolVersion>,
    user: User,
    pub(super) progress: ProgressDispatcher,
    /// Whether the server has said that its lists are others now.
    has_changed: Arc<AtomicBool>,
    /// Requests that wait for their answers.
    requests: watch::Sender<usize>,
    /// Questions that wait for the user.
    questions: watch::Sender<usize>,
}

impl Client {
    pub(super) fn new(server: &str, cwd: &std::path::Path, version: Option<ProtocolVersion>, user: User) -> Self {
        Self {
            server: server.to_owned(),
            root: Url::from_directory_path(cwd).ok().map(|url| url.as_str().trim_end_matches('/').to_owned()),
            version,
            user,
            progress: ProgressDispatcher::default(),
            has_changed: Arc::default(),
            requests: watch::Sender::new(0),
            questions: watch::Sender::new(0),
        }
    }

    /// Whether the server has said since the last time that its lists are others now.
    pub(super) fn take_changed(&self) -> bool {
        self.has_changed.swap(false, Ordering::AcqRel)
    }

    pub(super) fn note_change(&self) {
        self.has_changed.store(true, Ordering::Release);
    }

    /// A request waits for its answer, until this is dropped.
    pub(super) fn begin_request(&self) -> Pending {
        Pending::new(&self.requests)
    }

    /// Waits until a server has been silent for so long; the time that the user takes for an answer does not count.
    pub(super) async fn silence(&self, timeout: Duration) {
        let mut questions = self.questions.subscribe();
        loop {
            // The sender lives as long as this.
            let _ = questions.wait_for(|count| *count == 0).await;
            tokio::select! {
                () = tokio::time::sleep(timeout) => return,
                _ = questions.changed() => {}
            }
        }
    }

    /// Asks the user. A question goes with the request that it belongs to; where no user is, the answer is no.
    pub(super) async fn ask(&self, request: ElicitRequestParams) -> ElicitResult {
        let Some(session) = self.user.session() else { return ElicitResult::new(ElicitationAction::Decline) };
        let _question = Pending::new(&self.questions);
        let ui = session.ui();
        tokio::select! {
            biased;
            () = self.requests_ended() => ElicitResult::new(ElicitationAction::Cancel),
            answer = elicitation::ask(&*ui, &self.server, request, &self.user.pages) => answer,
        }
    }

    /// Waits until nobody waits for this server any more; for ever if nobody does now.
    async fn requests_ended(&self) {
        let mut requests = self.requests.subscribe();
        if *requests.borrow_and_update() == 0 {
            std::future::pending::<()>().await;
        }
        let _ = requests.wait_for(|count| *count == 0).await;
    }

    /// The directory that we work in.
    pub(super) fn roots(&self) -> ListRootsResult {
        ListRootsResult::new(self.root.iter().map(Root::new).collect())
    }
}

/// One more, until it is dropped.
#[derive(Debug)]
pub(super) struct Pending(watch::Sender<usize>);

impl Pending {
    fn new(count: &watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count.clone())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// The error for a request that cannot be read: its method may be known, and its parameters bad.
pub(crate) fn unreadable(method: &str, known: &[&str]) -> ErrorData {
    if known.contains(&method) {
        return ErrorData::invalid_params(format!("the parameters of {method} cannot be read"), None);
    }
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None)
}

impl ClientHandler for Client {
    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.handle_notification(params).await;
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.note_change();
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.note_change();
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(self.roots())
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, NO_SAMPLING, None))
    }

    /// What `rmcp` cannot read as a request that it knows.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        const KNOWN: [&str; 3] = ["elicitation/create", "sampling/createMessage", "roots/list"];
        Err(unreadable(&request.method, &KNOWN))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        tokio::select! {
            biased;
            () = context.ct.cancelled() => Ok(ElicitResult::new(ElicitationAction::Cancel)),
            answer = self.ask(request) => Ok(answer),
        }
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = Some(RootsCapabilities::default());
        if self.user.session().is_some() {
            let forms = ElicitationCapability::new().with_form(FormElicitationCapability::default());
            capabilities.elicitation = Some(forms.with_url(UrlElicitationCapability::default()));
        }
        let info = ClientConfig::new(capabilities, Implementation::new("pi", env!("CARGO_PKG_VERSION")));
        match &self.version {
            Some(version) => info.with_protocol_version(version.clone()),
            None => info,
        }
    }
}
