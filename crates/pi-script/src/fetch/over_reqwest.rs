//! The trait over a client of reqwest.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::StreamExt;
use futures::future::{BoxFuture, FutureExt};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, redirect};

use super::{Fetch, FetchError, FetchRequest, FetchResponse, errors};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Sends requests with a client of reqwest.
#[derive(Debug, Clone)]
pub struct ReqwestFetch(Client);

impl ReqwestFetch {
    /// Uses a client of the program, with its connections and proxies. It must not follow redirects.
    pub fn new(client: Client) -> Self {
        Self(client)
    }

    /// A client that all engines share to which the program gives none. Proxies are those of the environment.
    ///
    /// # Errors
    /// When it cannot be built, for instance where the system has no certificates.
    pub(crate) fn shared() -> Result<Arc<dyn Fetch>, FetchError> {
        static SHARED: OnceLock<Result<Arc<ReqwestFetch>, FetchError>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| {
            let client = Client::builder().connect_timeout(CONNECT_TIMEOUT).redirect(redirect::Policy::none()).build();
            client.map(|client| Arc::new(Self(client))).map_err(|error| errors::describe(error, "setup"))
        });
        shared.clone().map(|shared| shared as Arc<dyn Fetch>)
    }
}

impl Fetch for ReqwestFetch {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        send(self.0.clone(), request).boxed()
    }
}

async fn send(client: Client, request: FetchRequest) -> Result<FetchResponse, FetchError> {
    let method = Method::from_bytes(request.method.as_bytes());
    let method = method.map_err(|_| invalid(format!("'{}' is not an HTTP method", request.method)))?;
    let mut builder = client.request(method, &request.url).headers(headers(&request.headers)?);
    if let Some(body) = request.body {
        builder = builder.body(body);
    }
    let response = builder.send().await.map_err(|error| errors::describe(error, "connect"))?;
    Ok(answer(response))
}

fn answer(response: Response) -> FetchResponse {
    let status = response.status();
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    FetchResponse {
        status: status.as_u16(),
        status_text: status.canonical_reason().unwrap_or_default().to_owned(),
        headers,
        body: response.bytes_stream().map(|chunk| chunk.map_err(|error| errors::describe(error, "read"))).boxed(),
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
