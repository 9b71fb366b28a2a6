//! A user who logs in: with a browser that goes where it is sent, hands that paste, and a memory of what was shown.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::TryStreamExt;
use http::{HeaderMap, Method};
use pi_ai::Error;
use pi_ai::auth::oauth::{AuthPage, DeviceCode, OAuthCallbacks, SelectPrompt, TextPrompt};
use pi_ai::transport::{HttpRequest, ReqwestTransport};

/// What the browser does with the page it is sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Browser {
    /// Agrees, and follows the redirect back.
    Agrees,
    /// Stays closed.
    Closed,
}

type Typing = Arc<dyn Fn(String) -> BoxFuture<'static, Result<String, Error>> + Send + Sync>;

/// A user. The texts that are typed are made of the address of the page.
#[derive(Clone)]
pub(crate) struct User {
    browser: Browser,
    choice: Option<&'static str>,
    manual: Option<Typing>,
    prompt: Option<Typing>,
    log: Arc<Mutex<Vec<String>>>,
    page: Arc<Mutex<String>>,
    shown: Arc<Mutex<Option<(u16, String)>>>,
}

impl User {
    pub(crate) fn with(browser: Browser) -> Self {
        let (log, page, shown) = (Arc::default(), Arc::default(), Arc::default());
        Self { browser, choice: None, manual: None, prompt: None, log, page, shown }
    }

    /// Chooses this whenever there is a choice.
    pub(crate) fn choosing(self, id: &'static str) -> Self {
        Self { choice: Some(id), ..self }
    }

    /// Pastes this into the field for codes.
    pub(crate) fn pasting<F>(self, text: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<String, Error>> + Send + 'static,
    {
        Self { manual: Some(Arc::new(move |page| text(page).boxed())), ..self }
    }

    /// Answers questions so.
    pub(crate) fn answering<F>(self, text: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<String, Error>> + Send + 'static,
    {
        Self { prompt: Some(Arc::new(move |page| text(page).boxed())), ..self }
    }

    /// What the user was told and asked, one line each.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }

    /// The address of the page that the login sent the user to.
    pub(crate) fn page(&self) -> String {
        self.page.lock().unwrap().clone()
    }

    /// Waits for that address.
    pub(crate) async fn page_opened(&self) -> String {
        while self.page().is_empty() {
            tokio::task::yield_now().await;
        }
        self.page()
    }

    /// Waits for what the browser shows in the end: status and page.
    pub(crate) async fn browser_shows(&self) -> (u16, String) {
        loop {
            if let Some(shown) = self.shown.lock().unwrap().clone() {
                return shown;
            }
            tokio::task::yield_now().await;
        }
    }

    fn note(&self, text: String) {
        self.log.lock().unwrap().push(text);
    }
}

impl OAuthCallbacks for User {
    fn on_auth(&self, page: AuthPage) {
        self.note(format!("page {page:?}"));
        self.page.lock().unwrap().clone_from(&page.url);
        if self.browser == Browser::Agrees {
            let shown = Arc::clone(&self.shown);
            tokio::spawn(async move {
                let redirect = redirect_of(page.url).await.unwrap();
                *shown.lock().unwrap() = Some(fetch(&redirect).await);
            });
        }
    }

    fn on_device_code(&self, code: DeviceCode) {
        self.note(format!("{code:?}"));
    }

    fn on_prompt(&self, prompt: TextPrompt) -> BoxFuture<'_, Result<String, Error>> {
        self.note(format!("{prompt:?}"));
        self.prompt.as_ref().expect("nobody expected a question")(self.page())
    }

    fn on_select(&self, prompt: SelectPrompt) -> BoxFuture<'_, Result<Option<String>, Error>> {
        let options: Vec<_> = prompt.options.iter().map(|option| format!("{} = {}", option.id, option.label)).collect();
        self.note(format!("{} {}", prompt.message, options.join(", ")));
        async { Ok(self.choice.map(str::to_owned)) }.boxed()
    }

    fn on_progress(&self, text: &str) {
        self.note(text.to_owned());
    }

    fn on_manual_code_input(&self) -> Option<BoxFuture<'_, Result<String, Error>>> {
        Some(self.manual.as_ref()?(self.page()))
    }
}

/// GET: status and text.
pub(crate) async fn fetch(url: &str) -> (u16, String) {
    let response = get(url).await;
    let body: Vec<Bytes> = response.body.try_collect().await.unwrap();
    (response.status, String::from_utf8(body.concat()).unwrap())
}

/// Agrees on a provider's page and returns where it sends the browser.
pub(crate) async fn redirect_of(page: String) -> Result<String, Error> {
    let response = get(&page).await;
    assert_eq!(response.status, 302);
    Ok(response.headers["location"].to_str().unwrap().replace("localhost", "127.0.0.1"))
}

async fn get(url: &str) -> pi_ai::transport::HttpResponse {
    let request =
        HttpRequest { method: Method::GET, url: url.to_owned(), headers: HeaderMap::new(), body: Bytes::new() };
    ReqwestTransport::shared().send(request).await.unwrap()
}
