//! The real network: one pooled reqwest client, built at the first request.
//!
//! Nothing here retries, decodes or times out a response; only the connection attempt has a limit of its own.
//! Error texts name the host and the cause, never a query, a password or a header.

use std::error::Error as _;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt};
use futures::stream::StreamExt;
use reqwest::{Client, ClientBuilder, Response, StatusCode, Url, redirect};

use super::proxy::ProxySettings;
use super::{HttpRequest, HttpResponse, HttpTransport, Upgraded, without_query};
use crate::error::{Error, NetworkError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// Below the minute after which many load balancers close: a connection they are about to close fails a request.
const IDLE_TIMEOUT: Duration = Duration::from_secs(50);
const MAX_REDIRECTS: usize = 5;

/// HTTP over TCP and TLS: certificates checked by the platform, HTTP/2 where the server offers it, proxies from
/// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (never for loopback hosts), redirects within one origin.
#[derive(Debug)]
pub struct ReqwestTransport {
    proxies: ProxySettings,
    client: OnceLock<Result<Client, Error>>,
    /// A client without certificates, which can do nothing but `http://`: where the system has none, local servers work.
    plain: OnceLock<Result<Client, Error>>,
    /// A client without proxies, for this machine: a proxy that cannot be used is no reason not to reach it.
    local: OnceLock<Result<Client, Error>>,
    /// A client that never speaks HTTP/2, in which connections cannot switch protocols this way.
    upgrader: OnceLock<Result<Client, Error>>,
}

impl ReqwestTransport {
    /// A transport with a connection pool of its own; proxy variables are looked up in `env`.
    pub fn new(env: &dyn Fn(&str) -> Option<String>) -> Self {
        let proxies = ProxySettings::from_env(env);
        let [client, plain, local, upgrader] = [(); 4].map(|()| OnceLock::new());
        Self { proxies, client, plain, local, upgrader }
    }

    /// The transport that every call uses unless [`crate::StreamOptions::http`] names another.
    pub fn shared() -> Arc<dyn HttpTransport> {
        static SHARED: OnceLock<Arc<ReqwestTransport>> = OnceLock::new();
        #[expect(clippy::disallowed_methods, reason = "one pool for the process, with the proxies of the process")]
        let shared = SHARED.get_or_init(|| Arc::new(Self::new(&|name| std::env::var(name).ok())));
        Arc::clone(shared) as Arc<dyn HttpTransport>
    }

    /// Whether requests can be made at all: proxies and certificates are read, nothing is sent.
    ///
    /// # Errors
    /// [`NetworkError::Setup`] naming what is in the way.
    pub fn check(&self) -> Result<(), Error> {
        self.client().map(|_| ())
    }

    /// A client with the proxies of `env` and the certificates of the platform that follows no redirects, for programs
    /// that make requests of their own.
    ///
    /// # Errors
    /// [`NetworkError::Setup`] naming what is in the way.
    pub fn plain_client(env: &dyn Fn(&str) -> Option<String>) -> Result<Client, Error> {
        let builder = Client::builder().redirect(redirect::Policy::none());
        configured(&ProxySettings::from_env(env), builder)
    }

    /// The same for connections that go on in another protocol, such as WebSockets: HTTP/1.1 only.
    ///
    /// # Errors
    /// [`NetworkError::Setup`] naming what is in the way.
    pub fn plain_upgrading_client(env: &dyn Fn(&str) -> Option<String>) -> Result<Client, Error> {
        let builder = Client::builder().redirect(redirect::Policy::none()).http1_only();
        configured(&ProxySettings::from_env(env), builder)
    }

    fn client(&self) -> Result<&Client, Error> {
        self.client.get_or_init(|| build_client(&self.proxies, Client::builder())).as_ref().map_err(Error::clone)
    }

    fn client_for(&self, url: &str) -> Result<&Client, Error> {
        let encrypted = !url.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("http://"));
        let client = self.client();
        if client.is_ok() {
            return client;
        }
        if is_local(url) && self.proxies.build().is_err() {
            let with = |builder| build_client(&ProxySettings::default(), builder);
            let build = || with(Client::builder()).or_else(|_| with(Client::builder().tls_certs_only([])));
            return self.local.get_or_init(build).as_ref().map_err(Error::clone);
        }
        if encrypted {
            return client;
        }
        let build = || build_client(&self.proxies, Client::builder().tls_certs_only([]));
        self.plain.get_or_init(build).as_ref().map_err(Error::clone)
    }

    fn upgrader(&self) -> Result<&Client, Error> {
        let build = || build_client(&self.proxies, Client::builder().http1_only());
        self.upgrader.get_or_init(build).as_ref().map_err(Error::clone)
    }

    /// The host for error texts, with the variable that may send the request elsewhere.
    fn describe(&self, url: &Url) -> String {
        let host = url.host_str().unwrap_or("the server");
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        match self.proxies.variable(url.scheme()) {
            Some(variable) if !is_loopback(host) => format!("{host}{port} (proxy: see {variable})"),
            _ => format!("{host}{port}"),
        }
    }

    /// Sends a request; also returns the host for error texts.
    async fn request(&self, client: &Client, request: HttpRequest) -> Result<(Response, String), Error> {
        let url = Url::parse(&request.url).map_err(|error| {
            Error::Network(NetworkError::Connection {
                detail: format!("\"{}\" is not a URL: {error}.", without_query(&request.url)),
            })
        })?;
        let host = self.describe(&url);
        let sending = client.request(request.method, url).headers(request.headers).body(request.body).send();
        match sending.await {
            Ok(response) => Ok((response, host)),
            Err(error) => Err(Error::Network(NetworkError::Connection {
                detail: format!("{host}: {}", cause(error, "no response")),
            })),
        }
    }

    async fn exchange(&self, request: HttpRequest) -> Result<HttpResponse, Error> {
        let (response, _) = self.request(self.client_for(&request.url)?, request).await?;
        let body = |chunk: Result<_, _>| {
            chunk.map_err(|error| {
                Error::Network(NetworkError::Body { detail: cause(error, "the connection was closed") })
            })
        };
        Ok(HttpResponse {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes_stream().map(body).boxed(),
        })
    }

    async fn switch(&self, request: HttpRequest) -> Result<Upgraded, Error> {
        let (response, host) = self.request(self.upgrader()?, request).await?;
        let failed = |what: &str| Error::Network(NetworkError::Connection { detail: format!("{host}: {what}") });
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Err(failed(&format!("the server answered {} instead of switching protocols", response.status())));
        }
        let headers = response.headers().clone();
        let io = response.upgrade().await.map_err(|error| failed(&cause(error, "the connection was closed")))?;
        Ok(Upgraded { headers, io: Box::new(io) })
    }
}

impl HttpTransport for ReqwestTransport {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        self.exchange(request).boxed()
    }

    fn upgrade(&self, request: HttpRequest) -> Option<BoxFuture<'_, Result<Upgraded, Error>>> {
        Some(self.switch(request).boxed())
    }
}

fn build_client(proxies: &ProxySettings, builder: ClientBuilder) -> Result<Client, Error> {
    configured(proxies, builder.redirect(redirect::Policy::custom(within_one_origin)))
}

fn configured(proxies: &ProxySettings, builder: ClientBuilder) -> Result<Client, Error> {
    let builder = builder.connect_timeout(CONNECT_TIMEOUT).pool_idle_timeout(IDLE_TIMEOUT).tcp_nodelay(true);
    let builder = proxies.build()?.into_iter().fold(builder, ClientBuilder::proxy);
    builder.build().map_err(|error| Error::Network(NetworkError::Setup {
        detail: format!(
            "HTTPS cannot be used: {}. Install the system's CA certificates, or see SSL_CERT_FILE and SSL_CERT_DIR.",
            cause(error, "unknown reason")
        ),
    }))
}

/// Credentials travel in headers of many names, which must not follow a redirect to somebody else.
fn within_one_origin(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let is_own = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
    if is_own && attempt.previous().len() <= MAX_REDIRECTS { attempt.follow() } else { attempt.stop() }
}

fn is_local(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| url.host_str().is_some_and(is_loopback))
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// What the innermost layers said; the outer ones repeat the URL or say nothing.
fn cause(error: reqwest::Error, fallback: &str) -> String {
    let timed_out = error.is_timeout();
    let mut layers = Vec::new();
    let error = error.without_url();
    let mut next = error.source();
    while let Some(layer) = next {
        layers.push(layer.to_string());
        next = layer.source();
    }
    let inner = layers.len().saturating_sub(2);
    match &layers[inner..] {
        _ if timed_out => "timed out".to_owned(),
        [] => fallback.to_owned(),
        [only] => only.clone(),
        [outer, inner, ..] if outer.contains(inner.as_str()) => outer.clone(),
        [outer, inner, ..] => format!("{outer}: {inner}"),
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
