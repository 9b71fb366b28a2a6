//! A token endpoint on loopback that gives each refresh token one renewal, as real ones do.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// Called with each request's body before it is answered.
type Hook = Box<dyn Fn(&Value) + Send>;

/// A running endpoint. Its thread ends with the test process.
pub(crate) struct TokenServer {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    /// The one refresh token that is good; empty when none is.
    good: Mutex<String>,
    requests: Mutex<Vec<Value>>,
    hook: Mutex<Hook>,
}

impl TokenServer {
    /// An endpoint that begins with this refresh token.
    pub(crate) fn start(good: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (good, requests) = (Mutex::new(good.to_owned()), Mutex::default());
        let state = Arc::new(State { good, requests, hook: Mutex::new(Box::new(|_| {})) });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                thread::spawn(move || state.converse(&stream));
            }
        });
        Self { address, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1/oauth/token", self.address)
    }

    /// What was asked so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.state.requests.lock().unwrap().clone()
    }

    /// Does this at each request, before it is answered.
    pub(crate) fn on_request(&self, hook: impl Fn(&Value) + Send + 'static) {
        *self.state.hook.lock().unwrap() = Box::new(hook);
    }

    /// From now on only this refresh token is good.
    pub(crate) fn accept(&self, token: &str) {
        self.state.good.lock().unwrap().replace_range(.., token);
    }
}

impl State {
    fn converse(&self, mut stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        while let Some(body) = read_body(&mut reader) {
            self.requests.lock().unwrap().push(body.clone());
            self.hook.lock().unwrap()(&body);
            let (status, answer) = self.answer(&body);
            let answer = answer.to_string();
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", answer.len());
            stream.write_all([head, answer].concat().as_bytes()).unwrap();
        }
    }

    fn answer(&self, body: &Value) -> (u16, Value) {
        let mut good = self.good.lock().unwrap();
        let token = body["refresh_token"].as_str().or(body["code"].as_str()).unwrap();
        if token != *good {
            let description = format!("refresh token {token} is not valid");
            return (400, json!({"error": "invalid_grant", "error_description": description}));
        }
        let number = self.requests.lock().unwrap().len();
        good.replace_range(.., &format!("refresh-secret-{number}"));
        (200, json!({"access_token": format!("access-secret-{number}"), "refresh_token": *good, "expires_in": 3600}))
    }
}

fn read_body(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
