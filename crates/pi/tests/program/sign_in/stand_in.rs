//! The servers of several providers at once, on loopback: a proxy that answers itself instead of connecting. `pi` reaches it
//! with the addresses that are built into it, by `HTTPS_PROXY`, and believes its certificate, by `SSL_CERT_FILE`.
//!
//! `ca.pem` has signed `server.pem`, which names the hosts that are stood in for; the authority's key is thrown away, that of
//! the server protects nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pi_test_kit::Pi;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(super) struct Request {
    /// Host and path.
    pub(super) address: String,
    /// The fields of its form or of its JSON object.
    pub(super) fields: BTreeMap<String, String>,
}

impl Request {
    /// Whether it proves that whoever exchanges the code has begun the login with this challenge.
    pub(super) fn proves(&self, challenge: &str) -> bool {
        let verifier = self.fields.get("code_verifier").map_or("", String::as_str);
        URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)) == challenge
    }
}

/// Answers of one address, in their order; the last one stays.
type Answers = Vec<(u16, Value)>;

/// The servers.
pub(super) struct StandIn {
    port: u16,
    state: Arc<State>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    answers: Mutex<BTreeMap<String, Answers>>,
    requests: Mutex<Vec<Request>>,
}

impl StandIn {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        let (shared, acceptor) = (Arc::clone(&state), TlsAcceptor::from(Arc::new(config())));
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (state, acceptor) = (Arc::clone(&shared), acceptor.clone());
                // A client may go away at any time.
                tokio::spawn(async move { drop(connect(socket, &acceptor, &state).await) });
            }
        });
        Self { port, state, task }
    }

    /// Answers requests for this host and path so, one after the other.
    pub(super) fn answer(&self, address: &str, answers: impl IntoIterator<Item = (u16, Value)>) {
        self.state.answers.lock().unwrap().insert(address.to_owned(), answers.into_iter().collect());
    }

    /// The requests for this host and path.
    pub(super) fn requests(&self, address: &str) -> Vec<Request> {
        let requests = self.state.requests.lock().unwrap();
        requests.iter().filter(|request| request.address == address).cloned().collect()
    }

    /// Lets a program take it for the servers.
    pub(super) fn before<'a>(&self, pi: Pi<'a>) -> Pi<'a> {
        let authority = file("ca.pem").display().to_string();
        pi.env("HTTPS_PROXY", &format!("http://127.0.0.1:{}", self.port)).env("SSL_CERT_FILE", &authority)
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/program/sign_in").join(name)
}

fn config() -> ServerConfig {
    let chain = vec![CertificateDer::from_pem_file(file("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(file("server-key.pem")).unwrap();
    let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    builder.with_single_cert(chain, key).unwrap()
}

async fn connect(mut socket: TcpStream, acceptor: &TlsAcceptor, state: &State) -> std::io::Result<()> {
    let Some((head, _)) = read(&mut socket).await? else { return Ok(()) };
    let host = head.strip_prefix("CONNECT ").and_then(|rest| rest.split(':').next()).unwrap_or_default().to_owned();
    socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
    let mut stream = acceptor.accept(socket).await?;
    while let Some((head, body)) = read(&mut stream).await? {
        let target = head.split(' ').nth(1).unwrap_or_default();
        let address = format!("{host}{}", target.split('?').next().unwrap_or_default());
        let (status, answer) = state.take(&address);
        state.requests.lock().unwrap().push(Request { address, fields: fields(&body) });
        let answer = answer.to_string();
        let head = format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}", answer.len());
        stream.write_all(format!("{head}\r\n\r\n{answer}").as_bytes()).await?;
        stream.flush().await?;
    }
    Ok(())
}

impl State {
    fn take(&self, address: &str) -> (u16, Value) {
        let mut answers = self.answers.lock().unwrap();
        match answers.get_mut(address) {
            Some(answers) if answers.len() > 1 => answers.remove(0),
            Some(answers) if !answers.is_empty() => answers[0].clone(),
            _ => (404, json!({"error": "not_found"})),
        }
    }
}

/// Head and body of the next request; `None` at the end.
async fn read<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S) -> std::io::Result<Option<(String, String)>> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break String::from_utf8_lossy(&bytes[..end]).into_owned();
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let mut headers = head.lines().filter_map(|line| line.split_once(": "));
    let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let end = head.len() + 4 + length.map_or(0, |(_, length)| length.parse().unwrap());
    while bytes.len() < end {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
    Ok(Some((head.clone(), String::from_utf8_lossy(&bytes[head.len() + 4..end]).into_owned())))
}

/// Nothing that is looked at here is written with escapes.
fn fields(body: &str) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match serde_json::from_str(body) {
        Ok(Value::Object(object)) => object.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        _ => {
            let pairs = body.split('&').filter_map(|pair| pair.split_once('='));
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        }
    }
}
