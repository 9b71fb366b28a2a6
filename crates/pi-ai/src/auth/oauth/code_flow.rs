//! From a page in the browser to an authorization code: the callback and the user's own hands race for it.

use futures::future::BoxFuture;

use super::callback_server::CallbackServer;
use super::callbacks::{AuthPage, OAuthCallbacks, TextPrompt};
use super::pasted_code::{PastedCode, Tie};
use super::provider::OAuthContext;
use crate::error::{Error, LoginError};

const INSTRUCTIONS: &str = "Complete the login in your browser. If the browser is on another machine, paste the address \
    it ends up at, or the code it shows.";
const PASTE_PROMPT: &str = "Paste the authorization code or full redirect URL:";

/// One browser login.
pub(super) struct CodeFlow<'a> {
    /// Where the provider redirects to on this machine; port 0 lets the system choose.
    pub(super) host: &'a str,
    pub(super) port: u16,
    pub(super) path: &'a str,
    pub(super) tie: Tie<'a>,
}

/// What the provider granted. Not `Debug`: the code is a secret.
pub(super) struct Grant {
    pub(super) code: String,
    /// The exchange must repeat it.
    pub(super) redirect_uri: String,
}

impl CodeFlow<'_> {
    /// Sends the user to the page that `url` makes of the redirect address, and waits for the code. Without a free port
    /// the user has to carry it.
    ///
    /// # Errors
    /// [`LoginError::Cancelled`], [`LoginError::StateMismatch`], [`LoginError::Refused`],
    /// [`LoginError::MissingCode`].
    pub(super) async fn run(
        &self,
        callbacks: &dyn OAuthCallbacks,
        context: &OAuthContext,
        url: impl FnOnce(&str) -> String,
    ) -> Result<Grant, Error> {
        let server = CallbackServer::bind(&context.callback_host, self.port, self.path, self.tie).await.ok();
        let port = server.as_ref().map_or(self.port, CallbackServer::port);
        let redirect_uri = format!("http://{}:{port}{}", self.host, self.path);
        if server.is_none() {
            callbacks.on_progress(&format!("Port {port} is in use: the code has to be pasted."));
        }
        let page = AuthPage { url: url(&redirect_uri), instructions: Some(INSTRUCTIONS.to_owned()) };
        callbacks.on_auth(page);
        let waiting = self.race(server, callbacks.on_manual_code_input());
        let code = match context.cancellable(waiting).await? {
            Some(code) => code,
            None => context.cancellable(self.ask(callbacks)).await?,
        };
        Ok(Grant { code, redirect_uri })
    }

    /// The first of browser and user; `None` when there is neither, or the user entered nothing.
    async fn race(
        &self,
        server: Option<CallbackServer<'_>>,
        manual: Option<BoxFuture<'_, Result<String, Error>>>,
    ) -> Result<Option<String>, Error> {
        match (server, manual) {
            (None, None) => Ok(None),
            (Some(server), None) => server.code().await.map(Some),
            (None, Some(manual)) => self.pasted(&manual.await?),
            (Some(server), Some(manual)) => tokio::select! {
                code = server.code() => code.map(Some),
                pasted = manual => self.pasted(&pasted?),
            },
        }
    }

    async fn ask(&self, callbacks: &dyn OAuthCallbacks) -> Result<String, Error> {
        let prompt = TextPrompt { message: PASTE_PROMPT.to_owned(), placeholder: None, allow_empty: false };
        let text = callbacks.on_prompt(prompt).await?;
        self.pasted(&text)?.ok_or(Error::Login(LoginError::MissingCode))
    }

    fn pasted(&self, text: &str) -> Result<Option<String>, Error> {
        PastedCode::from_pasted(text).into_code(self.tie)
    }
}
