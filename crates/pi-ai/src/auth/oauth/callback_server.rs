//! The local end of a browser login: a small HTTP server that waits for one redirect.
//!
//! It lives in the future that waits for the code: dropping that closes the port. Requests that do not belong to this
//! login are answered and otherwise ignored, so that no web page can end or hijack it.

use std::convert::Infallible;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use futures::future::FutureExt;
use futures::stream::{FuturesUnordered, StreamExt};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use pi_guard::Unpoisoned;
use tokio::net::{TcpListener, TcpStream};
use tokio_stream::wrappers::TcpListenerStream;

use super::callback_page;
use super::exchange::clean;
use super::pasted_code::{PastedCode, Tie};
use crate::error::{Error, LoginError};

/// Whoever opens a connection must ask for something within this time.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// So many connections are looked after at once.
const MAX_CONNECTIONS: usize = 16;
/// The browser gets this long to fetch its page after the code has arrived.
const FAREWELL_TIME: Duration = Duration::from_secs(2);
/// When the system refuses a connection, the next try waits this long.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// A bound port that waits for one redirect.
pub(super) struct CallbackServer<'a> {
    listener: TcpListener,
    port: u16,
    responder: Responder<'a>,
}

impl<'a> CallbackServer<'a> {
    /// Binds the port; 0 lets the system choose. Redirects arrive at `path` and must carry the state that ties them.
    pub(super) async fn bind(host: &str, port: u16, path: &'a str, tie: Tie<'a>) -> std::io::Result<Self> {
        let listener = TcpListener::bind((host, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, responder: Responder { path, tie, outcome: Mutex::default() } })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Waits for the code.
    ///
    /// # Errors
    /// [`LoginError::Refused`] when the provider sends the browser back without one.
    pub(super) async fn code(self) -> Result<String, Error> {
        let Self { listener, responder, .. } = self;
        let mut incoming = TcpListenerStream::new(listener);
        let mut connections = FuturesUnordered::new();
        loop {
            tokio::select! {
                Some(accepted) = incoming.next(), if connections.len() < MAX_CONNECTIONS => match accepted {
                    Ok(stream) => connections.push(responder.serve(stream)),
                    Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
                },
                Some(()) = connections.next() => {}
            }
            if let Some(outcome) = responder.outcome() {
                drop(incoming);
                // The code is here; a browser that does not fetch its page changes nothing.
                let _ = tokio::time::timeout(FAREWELL_TIME, connections.collect::<Vec<_>>()).await;
                return outcome;
            }
        }
    }
}

/// Tells the redirect of this login from everything else.
struct Responder<'a> {
    path: &'a str,
    tie: Tie<'a>,
    outcome: Mutex<Option<Result<String, Error>>>,
}

impl Responder<'_> {
    /// One connection, one request.
    fn serve(&self, stream: TcpStream) -> impl Future<Output = ()> {
        let answer = move |request: Request<Incoming>| {
            let (status, html) = self.answer(&request);
            async move { Ok::<_, Infallible>(page(status, html)) }
        };
        let mut http = http1::Builder::new();
        http.keep_alive(false).timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
        // A client that goes away or talks nonsense is of no interest.
        http.serve_connection(TokioIo::new(stream), service_fn(answer)).map(drop)
    }

    fn answer<B>(&self, request: &Request<B>) -> (StatusCode, String) {
        if request.method() != Method::GET || request.uri().path() != self.path {
            return (StatusCode::NOT_FOUND, callback_page::not_found());
        }
        let answer = PastedCode::from_query(request.uri().query().unwrap_or_default());
        let foreign = match (self.tie, answer.state) {
            (Tie::State(_), None) => Some("Missing OAuth state".to_owned()),
            (Tie::State(own), Some(state)) if state != own => Some(LoginError::StateMismatch.to_string()),
            _ => None,
        };
        let reason = match (foreign, answer.refusal, answer.code) {
            (Some(reason), ..) => reason,
            (_, None, None) => LoginError::MissingCode.to_string(),
            (_, None, Some(code)) => {
                self.put(Ok(code));
                return (StatusCode::OK, callback_page::success());
            }
            (_, Some(refusal), _) => {
                let refused = LoginError::Refused { detail: clean(&refusal, &[]) };
                let reason = refused.to_string();
                self.put(Err(refused.into()));
                reason
            }
        };
        (StatusCode::BAD_REQUEST, callback_page::failure(&reason))
    }

    /// The first outcome counts. A poisoned lock only means that somebody panicked elsewhere.
    fn put(&self, result: Result<String, Error>) {
        self.outcome.lock().unpoisoned().get_or_insert(result);
    }

    fn outcome(&self) -> Option<Result<String, Error>> {
        self.outcome.lock().unpoisoned().take()
    }
}

fn page(status: StatusCode, html: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(html)));
    *response.status_mut() = status;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    ];
    response.headers_mut().extend(headers.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}
