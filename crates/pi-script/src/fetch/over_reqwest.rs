//! The trait over a client of reqwest.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::StreamExt;
use futures::future::{BoxFuture, FutureExt};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, StatusCode, redirect};

use super::{Fetch, FetchError, FetchRequest, FetchResponse, Upgraded, errors};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Sends requests with a client of reqwest.
#[derive(Debug, Clone)]
pub struct ReqwestFetch {
    client: Client,
    /// Speaks HTTP/1.1 only: a connection of HTTP/2 is shared, and cannot become something else.
    upgrading: Option<Client>,
}

impl ReqwestFetch {
    /// Uses a client of the program, with its connections and proxies. It must not follow redirects.
    pub fn new(client: Client) -> Self {
        Self { client, upgrading: None }
    }

    /// Uses another client for requests that ask for another protocol. It must speak HTTP/1.1 only.
    #[must_use]
    pub fn with_upgrades(mut self, client: Client) -> Self {
        self.upgrading = Some(client);
        self
    }

    /// A client that all engines share to which the program gives none. Proxies are those of the environment.
    ///
    /// # Errors
    /// When it cannot be built, for instance where the system has no certificates.
    pub(crate) fn shared() -> Result<Arc<dyn Fetch>, FetchError> {
        static SHARED: OnceLock<Result<Arc<ReqwestFetch>, FetchError>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| {
            let builder = || Client::builder().connect_timeout(CONNECT_TIMEOUT).redirect(redirect::Policy::none());
            let client = builder().build().map_err(|error| errors::describe(error, "setup", ""))?;
            let upgrading = builder().http1_only().build().map_err(|error| errors::describe(error, "setup", ""))?;
            Ok(Arc::new(Self::new(client).with_upgrades(upgrading)))
        });
        shared.clone().map(|shared| shared as Arc<dyn Fetch>)
    }
}

impl Fetch for ReqwestFetch {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        let client = self.client.clone();
        async move { Ok(answer(send(client, request).await?)) }.boxed()
    }

    fn upgrade(&self, request: FetchRequest) -> BoxFuture<'static, Result<Upgraded, FetchError>> {
        let client = self.upgrading.clone().unwrap_or_else(|| self.client.clone());
        upgrade(client, request).boxed()
    }
}

async fn upgrade(client: Client, request: FetchRequest) -> Result<Upgraded, FetchError> {
    let response = send(client, request).await?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Ok(Upgraded { response: answer(response), connection: None });
    }
    let (status, headers) = (response.status(), header_list(&response));
    let connection = response.upgrade().await.map_err(|error| errors::describe(error, "upgrade", ""))?;
    let response = FetchResponse {
        status: status.as_u16(),
        status_text: status.canonical_reason().unwrap_or_default().to_owned(),
        headers,
        body: futures::stream::empty().boxed(),
    };
    Ok(Upgraded { response, connection: Some(Box::new(connection)) })
}

async fn send(client: Client, request: FetchRequest) -> Result<Response, FetchError> {
    let method = Method::from_bytes(request.method.as_bytes());
    let method = method.map_err(|_| invalid(format!("'{}' is not an HTTP method", request.method)))?;
    let mut builder = client.request(method, &request.url).headers(headers(&request.headers)?);
    if let Some(body) = request.body {
        builder = builder.body(body);
    }
    builder.send().await.map_err(|error| errors::describe(error, "connect", &server(&request.url)))
}

/// Host and port, for error texts: the rest of a URL may hold secrets.
fn server(url: &str) -> String {
    let Ok(url) = reqwest::Url::parse(url) else { return String::new() };
    let port = url.port_or_known_default().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}

fn header_list(response: &Response) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

fn answer(response: Response) -> FetchResponse {
    let status = response.status();
    let headers = header_list(&response);
    FetchResponse {
        status: status.as_u16(),
        status_text: status.canonical_reason().unwrap_or_default().to_owned(),
        headers,
        body: response.bytes_stream().map(|chunk| chunk.map_err(|error| errors::describe(error, "read", ""))).boxed(),
    }
}

fn headers(list: &[(String, String)]) -> Result<HeaderMap, FetchError> {
    let mut headers = HeaderMap::with_capacity(list.len());
    for (name, value) in list {
        let key = HeaderName::from_bytes(name.as_bytes());
        let key = key.map_err(|_| invalid(format!("'{name}' is not a name of a header")))?;
        let value = HeaderValue::from_bytes(value.as_bytes());
        headers.append(key, value.map_err(|_| invalid(format!("The value of the header '{name}' is not allowed")))?);
    }
    Ok(headers)
}

fn invalid(message: String) -> FetchError {
    FetchError { message, code: Some("ERR_INVALID_ARG_VALUE".to_owned()) }
}
