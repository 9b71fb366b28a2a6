//! The conversation behind a sign-in: what the provider says and asks, on its way to the dialog, and the answers back.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::auth::oauth::{AuthPage, DeviceCode, OAuthCallbacks, SelectPrompt, TextPrompt};
use pi_coding_agent::env::Env;
use pi_guard::Unpoisoned;
use tokio::sync::oneshot;

use crate::common::browser;

/// What there is to be seen, and what is asked.
#[derive(Default)]
pub(super) struct LoginState {
    /// The page, and whether a browser was started for it.
    pub(super) page: Option<(AuthPage, bool)>,
    /// The code, and when it expires.
    pub(super) code: Option<(DeviceCode, Option<Instant>)>,
    /// What the sign-in is busy with.
    pub(super) progress: Option<String>,
    pub(super) ask: Option<Ask>,
}

/// A question that waits for its answer.
pub(super) enum Ask {
    Text {
        prompt: TextPrompt,
        reply: oneshot::Sender<String>,
    },
    Select {
        prompt: SelectPrompt,
        reply: oneshot::Sender<String>,
    },
    /// The code or the address, while the browser may bring it, too.
    Paste {
        reply: oneshot::Sender<String>,
    },
}

/// The user's side.
#[derive(Clone)]
pub(super) struct LoginCallbacks {
    state: Arc<Mutex<LoginState>>,
    env: Env,
}

impl LoginCallbacks {
    pub(super) fn new(env: Env) -> Self {
        Self { state: Arc::default(), env }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, LoginState> {
        self.state.lock().unpoisoned()
    }

    async fn answer(&self, ask: impl FnOnce(oneshot::Sender<String>) -> Ask) -> Result<String, pi_ai::Error> {
        let (reply, answer) = oneshot::channel();
        self.state().ask = Some(ask(reply));
        answer.await.map_err(|_| pi_ai::LoginError::Cancelled.into())
    }
}

impl OAuthCallbacks for LoginCallbacks {
    fn on_auth(&self, page: AuthPage) {
        let is_opened = browser::open(&page.url, &self.env);
        self.state().page = Some((page, is_opened));
    }

    fn on_device_code(&self, code: DeviceCode) {
        let expires = code.expires_in.and_then(|time| Instant::now().checked_add(time));
        browser::open(&code.verification_uri, &self.env);
        self.state().code = Some((code, expires));
    }

    fn on_prompt(&self, prompt: TextPrompt) -> BoxFuture<'_, Result<String, pi_ai::Error>> {
        self.answer(|reply| Ask::Text { prompt, reply }).boxed()
    }

    fn on_select(&self, prompt: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, pi_ai::Error>> {
        async move { self.answer(|reply| Ask::Select { prompt, reply }).await.map(Some) }.boxed()
    }

    fn on_progress(&self, text: &str) {
        self.state().progress = Some(text.to_owned());
    }

    fn on_manual_code_input(&self) -> Option<BoxFuture<'_, Result<String, pi_ai::Error>>> {
        Some(self.answer(|reply| Ask::Paste { reply }).boxed())
    }
}
