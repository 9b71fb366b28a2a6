//! A model provider on loopback: a hand-written HTTP/1.1 server that answers as scripted and remembers what it was asked.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

/// Holds an answer up until the test opens it.
#[derive(Debug, Clone)]
pub struct Gate(Arc<Semaphore>);

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

impl Gate {
    /// A closed one.
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Lets the answer go on.
    pub fn open(&self) {
        self.0.close();
    }

    async fn pass(&self) {
        // The error is what says that the gate is open.
        let _ = self.0.acquire().await;
    }
}

#[derive(Debug, Clone)]
enum Step {
    Write(Vec<u8>),
    Wait(Gate),
    /// Waits until the client goes away.
    Hang,
}

/// The answer to one request.
#[derive(Debug, Clone)]
pub struct Reply(Vec<Step>);

impl Reply {
    /// A whole response.
    pub fn plain(status: u16, body: &str) -> Self {
        let head =
            format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
        Self(vec![Step::Write([head.as_bytes(), body.as_bytes()].concat())])
    }

    /// An event stream that begins with this text.
    pub fn stream(text: &str) -> Self {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        Self(vec![Step::Write(head.into())]).then(text)
    }

    /// More of the stream.
    pub fn then(mut self, text: &str) -> Self {
        // An empty chunk would be the end.
        if !text.is_empty() {
            self.0.push(Step::Write(format!("{:x}\r\n{text}\r\n", text.len()).into_bytes()));
        }
        self
    }

    /// Goes on when the gate is opened.
    pub fn wait(mut self, gate: &Gate) -> Self {
        self.0.push(Step::Wait(gate.clone()));
        self
    }

    /// Never ends.
    pub fn hang(mut self) -> Self {
        self.0.push(Step::Hang);
        self
    }

    /// Ends the stream.
    pub fn end(mut self) -> Self {
        self.0.push(Step::Write(b"0\r\n\r\n".to_vec()));
        self
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Received {
    /// Request line and headers, as they came.
    pub head: String,
    /// The body.
    pub body: Value,
}

impl Received {
    /// The text of the request's messages of a role, one item per message; works for both wire formats.
    pub fn texts(&self, role: &str) -> Vec<String> {
        let messages = self.body["messages"].as_array().unwrap();
        messages.iter().filter(|message| message["role"] == role).map(|message| text_of(&message["content"])).collect()
    }

    /// The system prompt of an Anthropic request.
    pub fn system(&self) -> String {
        text_of(&self.body["system"])
    }

    /// Names of the tools.
    pub fn tools(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        tools.filter_map(|tool| tool["name"].as_str().or(tool["function"]["name"].as_str())).collect()
    }
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        other => other.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str()).collect(),
    }
}

/// The provider.
#[derive(Debug)]
pub struct Provider {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct State {
    replies: Mutex<VecDeque<Reply>>,
    requests: watch::Sender<Vec<Received>>,
}

impl Provider {
    /// Starts a provider with these answers, one per request.
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State { replies: Mutex::new(replies.into_iter().collect()), ..State::default() });
        let task = tokio::spawn(serve(listener, Arc::clone(&state)));
        Self { address, state, task }
    }

    /// Adds answers, for tests that need to know the address first.
    pub fn answer_with(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.replies.lock().unwrap().extend(replies);
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Received> {
        self.state.requests.borrow().clone()
    }

    /// Waits until that many requests have arrived.
    pub async fn received(&self, count: usize) {
        let mut requests = self.state.requests.subscribe();
        let waiting = requests.wait_for(|requests| requests.len() >= count);
        tokio::time::timeout(crate::PATIENCE, waiting).await.expect("no request came").unwrap();
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, state: Arc<State>) {
    while let Ok((socket, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            // A client that goes away is what many tests are about.
            let _ = converse(socket, &state).await;
        });
    }
}

async fn converse(mut socket: TcpStream, state: &State) -> std::io::Result<()> {
    while let Some(request) = read_request(&mut socket).await? {
        let reply = state.replies.lock().unwrap().pop_front();
        state.requests.send_modify(|requests| requests.push(request));
        for step in reply.unwrap_or_else(|| Reply::plain(418, "the script has no further answer")).0 {
            match step {
                Step::Write(bytes) => socket.write_all(&bytes).await?,
                Step::Wait(gate) => gate.pass().await,
                Step::Hang => {
                    while socket.read(&mut [0; 64]).await.is_ok_and(|count| count > 0) {}
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

async fn read_request(socket: &mut TcpStream) -> std::io::Result<Option<Received>> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if socket.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let length = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: usize = length.map_or(0, |(_, length)| length.parse().unwrap());
    while bytes.len() < head_end + 4 + length {
        if socket.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
    let body = serde_json::from_slice(&bytes[head_end + 4..]).unwrap_or(Value::Null);
    Ok(Some(Received { head, body }))
}
