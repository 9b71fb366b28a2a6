//! An authorization server. It gives out codes and tokens, insists on PKCE, on the redirect address and on the newest
//! refresh token, and remembers what it was asked. Every secret that it makes has `secret` in it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::convert::Infallible;
use std::fmt::Write;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt};
use futures::stream::StreamExt;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use pi_ai::Error;
use pi_ai::transport::{HttpRequest, HttpResponse, HttpTransport};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::form_urlencoded;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Received {
    /// The fields of a form or of a JSON object.
    pub(crate) fn fields(&self) -> BTreeMap<String, String> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match serde_json::from_str::<Value>(&self.body) {
            Ok(Value::Object(object)) => object.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            _ => form_urlencoded::parse(self.body.as_bytes()).into_owned().collect(),
        }
    }

    /// What a snapshot shows: everything but what the HTTP client adds.
    fn outline(&self) -> String {
        let mut text = format!("{} {}\n", self.method, self.path);
        let own = |name: &str| !["host", "content-length", "accept-encoding"].contains(&name);
        for (name, value) in self.headers.iter().filter(|(name, _)| own(name.as_str())) {
            writeln!(text, "{name}: {}", value.to_str().unwrap()).unwrap();
        }
        if !self.body.is_empty() {
            writeln!(text, "{}", self.body).unwrap();
        }
        text
    }
}

/// Where the Copilot services are below the server's address.
pub(crate) struct CopilotPaths;

impl CopilotPaths {
    pub(crate) const GITHUB: &'static str = "/github/{domain}";
    pub(crate) const API: &'static str = "/api/{domain}";
    pub(crate) const COPILOT: &'static str = "/copilot";
}

/// A running server.
#[derive(Debug)]
pub(crate) struct AuthServer {
    desk: Arc<Desk>,
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl AuthServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, desk) = (listener.local_addr().unwrap(), Arc::new(Desk::default()));
        let task = tokio::spawn(serve(listener, Arc::clone(&desk)));
        Self { desk, address, task }
    }

    /// An address at this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Answers the next request for this path so, whatever it asks.
    pub(crate) fn answer(&self, path: &str, status: u16, body: Value) {
        self.desk.scripted.lock().unwrap().entry(path.to_owned()).or_default().push_back((status, body));
    }

    /// Never answers requests for this path.
    pub(crate) fn be_silent(&self, path: &str) {
        self.desk.silent.lock().unwrap().push(path.to_owned());
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.desk.received.lock().unwrap().clone()
    }

    /// The requests for this path.
    pub(crate) fn requests_for(&self, path: &str) -> Vec<Received> {
        self.requests().into_iter().filter(|request| request.path == path).collect()
    }

    /// All requests as text, without the server's own address.
    pub(crate) fn outline(&self) -> String {
        let text: Vec<_> = self.requests().iter().map(Received::outline).collect();
        text.join("\n").replace(&self.address.to_string(), "SERVER")
    }

    /// The same server without a socket, for tests that stop the time.
    pub(crate) fn in_process(&self) -> Arc<dyn HttpTransport> {
        Arc::new(InProcess(Arc::clone(&self.desk)))
    }
}

impl Drop for AuthServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What the server knows.
#[derive(Debug, Default)]
struct Desk {
    received: Mutex<Vec<Received>>,
    scripted: Mutex<HashMap<String, VecDeque<(u16, Value)>>>,
    silent: Mutex<Vec<String>>,
    /// Code → what its exchange must prove.
    codes: Mutex<HashMap<String, Code>>,
    /// The one refresh token that is good.
    refresh: Mutex<String>,
    issued: Mutex<usize>,
}

#[derive(Debug)]
struct Code {
    challenge: String,
    redirect_uri: String,
    state: Option<String>,
}

type Answer = (u16, HeaderMap, String);

impl Desk {
    async fn handle(&self, request: Received) -> Answer {
        let path = request.path.split('?').next().unwrap().to_owned();
        self.received.lock().unwrap().push(Received { path: path.clone(), ..request.clone() });
        if self.silent.lock().unwrap().contains(&path) {
            std::future::pending::<()>().await;
        }
        let scripted = self.scripted.lock().unwrap().get_mut(&path).and_then(VecDeque::pop_front);
        if let Some((status, body)) = scripted {
            return (status, HeaderMap::new(), body.to_string());
        }
        match path.as_str() {
            "/oauth/authorize" => self.authorize(&request.path),
            "/auth" => self.authorize_key(&request.path),
            path => {
                let (status, body) = self.json(path, &request);
                (status, HeaderMap::new(), body.to_string())
            }
        }
    }

    fn json(&self, path: &str, request: &Received) -> (u16, Value) {
        let fields = request.fields();
        match path {
            "/v1/oauth/token" | "/oauth/token" => self.token(&fields),
            "/auth/keys" => self.key(&fields),
            "/device" => {
                let user = json!({"device_code": "device-secret", "user_code": "ABCD-1234", "interval": 2,
                    "verification_uri": "https://login.example/device", "expires_in": 600,
                    "verification_uri_complete": "https://login.example/device?user_code=ABCD-1234"});
                (200, user)
            }
            "/device/token" => self.token(&fields),
            "/api/accounts/deviceauth/usercode" => {
                (200, json!({"device_auth_id": "device-secret", "user_code": "ABCD-1234", "interval": "1"}))
            }
            "/api/accounts/deviceauth/token" => {
                let verifier = "verifier-secret-of-the-server";
                let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
                let redirect_uri = format!("http://{}/deviceauth/callback", request.headers["host"].to_str().unwrap());
                let code = self.new_code(Code { challenge, redirect_uri, state: None });
                (200, json!({"authorization_code": code, "code_verifier": verifier}))
            }
            _ if path.ends_with("/login/device/code") => {
                let (code, uri) = ("device-secret", "https://github.com/login/device");
                let user = json!({"device_code": code, "user_code": "ABCD-1234", "verification_uri": uri,
                    "interval": 1, "expires_in": 900});
                (200, user)
            }
            _ if path.ends_with("/login/oauth/access_token") => (200, json!({"access_token": "gho_secret_github"})),
            _ if path.ends_with("/copilot_internal/v2/token") => match bearer(request) {
                Some("gho_secret_github") => (200, json!({"token": "tid=secret;x=1", "expires_at": 1_800_000_000})),
                other => (401, json!({"message": format!("Bad credentials {other:?}")})),
            },
            "/copilot/models" => (
                200,
                json!({"data": [
                    {"id": "gpt-5", "model_picker_enabled": true},
                    {"id": "hidden", "model_picker_enabled": false},
                ]}),
            ),
            _ if path.ends_with("/policy") => (200, json!({})),
            _ => (404, json!({"error": "no such page"})),
        }
    }

    /// The page on which the user agrees, and at once does.
    fn authorize(&self, path: &str) -> Answer {
        let query = path.split_once('?').map_or("", |(_, query)| query);
        let query: HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        assert_eq!((&*query["response_type"], &*query["code_challenge_method"]), ("code", "S256"));
        let (redirect_uri, state) = (query["redirect_uri"].clone(), query["state"].clone());
        let challenge = query["code_challenge"].clone();
        let code = self.new_code(Code { challenge, redirect_uri: redirect_uri.clone(), state: Some(state.clone()) });
        let back =
            form_urlencoded::Serializer::new(String::new()).extend_pairs([("code", code), ("state", state)]).finish();
        let headers =
            HeaderMap::from_iter([(http::header::LOCATION, format!("{redirect_uri}?{back}").parse().unwrap())]);
        (302, headers, String::new())
    }

    /// The same where a key is asked for: the page knows a callback and no state.
    fn authorize_key(&self, path: &str) -> Answer {
        let query = path.split_once('?').map_or("", |(_, query)| query);
        let query: HashMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        assert_eq!((&*query["code_challenge_method"], query.len()), ("S256", 3));
        let (callback, challenge) = (query["callback_url"].clone(), query["code_challenge"].clone());
        let code = self.new_code(Code { challenge, redirect_uri: callback.clone(), state: None });
        let headers =
            HeaderMap::from_iter([(http::header::LOCATION, format!("{callback}?code={code}").parse().unwrap())]);
        (302, headers, String::new())
    }

    /// A key for a code.
    fn key(&self, fields: &BTreeMap<String, String>) -> (u16, Value) {
        let code = self.codes.lock().unwrap().remove(fields.get("code").map_or("", String::as_str));
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&fields["code_verifier"]));
        match code.filter(|code| code.challenge == challenge && fields["code_challenge_method"] == "S256") {
            Some(_) => (200, json!({"key": format!("sk-or-v1-secret-{}", self.next()), "user_id": "u-1"})),
            None => (403, json!({"error": {"message": format!("not good: {fields:?}"), "code": 403}})),
        }
    }

    fn new_code(&self, code: Code) -> String {
        let name = format!("code-secret-{}", self.next());
        self.codes.lock().unwrap().insert(name.clone(), code);
        name
    }

    fn next(&self) -> usize {
        let mut issued = self.issued.lock().unwrap();
        *issued += 1;
        *issued
    }

    /// Codes and refresh tokens are good once. Whoever is refused hears what he sent, as some servers do.
    fn token(&self, fields: &BTreeMap<String, String>) -> (u16, Value) {
        let field = |name: &str| fields.get(name).map_or("", String::as_str);
        let is_good = match field("grant_type") {
            "authorization_code" => {
                let code = self.codes.lock().unwrap().remove(field("code"));
                code.is_some_and(|code| {
                    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier")));
                    let has_state = fields.get("state").is_none_or(|state| Some(state) == code.state.as_ref());
                    challenge == code.challenge && field("redirect_uri") == code.redirect_uri && has_state
                })
            }
            "urn:ietf:params:oauth:grant-type:device_code" => field("device_code") == "device-secret",
            "refresh_token" => *self.refresh.lock().unwrap() == field("refresh_token"),
            _ => false,
        };
        if !is_good {
            return (400, json!({"error": "invalid_grant", "error_description": format!("not good: {fields:?}")}));
        }
        let number = self.next();
        let refresh = format!("refresh-secret-{number}");
        self.refresh.lock().unwrap().clone_from(&refresh);
        let claims = json!({"https://api.openai.com/auth": {"chatgpt_account_id": "acc-7"}}).to_string();
        let access = format!("sk-ant-oat-secret-{number}.{}.signature", URL_SAFE_NO_PAD.encode(claims));
        (200, json!({"access_token": access, "refresh_token": refresh, "expires_in": 3600}))
    }
}

fn bearer(request: &Received) -> Option<&str> {
    request.headers.get("authorization")?.to_str().ok()?.strip_prefix("Bearer ")
}

async fn serve(listener: TcpListener, desk: Arc<Desk>) {
    while let Ok((stream, _)) = listener.accept().await {
        let desk = Arc::clone(&desk);
        tokio::spawn(async move {
            let service = service_fn(|request| answer(&desk, request));
            // A client that goes away is what some tests are about.
            let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(desk: &Desk, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let received = Received {
        method: head.method.to_string(),
        path: head.uri.to_string(),
        headers: head.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    };
    let (status, headers, body) = desk.handle(received).await;
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status.try_into().unwrap();
    *response.headers_mut() = headers;
    Ok(response)
}

/// The server's desk without the server.
#[derive(Debug)]
struct InProcess(Arc<Desk>);

impl HttpTransport for InProcess {
    fn send(&self, request: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, Error>> {
        let url = url::Url::parse(&request.url).unwrap();
        let mut headers = request.headers;
        headers.insert("host", url.authority().parse().unwrap());
        let received = Received {
            method: request.method.to_string(),
            path: url[url::Position::BeforePath..].to_owned(),
            headers,
            body: String::from_utf8(request.body.to_vec()).unwrap(),
        };
        async move {
            let (status, headers, body) = self.0.handle(received).await;
            let body = futures::stream::iter([Ok(Bytes::from(body))]).boxed();
            Ok(HttpResponse { status, headers, body })
        }
        .boxed()
    }
}
