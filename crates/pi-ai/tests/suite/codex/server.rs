//! A server for WebSockets and POST requests on one port that misbehaves on demand.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use http::HeaderMap;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

/// What a WebSocket connection comes to.
#[derive(Debug, Clone)]
pub(crate) enum Script {
    /// An HTTP status instead of a handshake.
    Refuse(u16),
    /// No answer to the handshake.
    Mute,
    /// A handshake, then per request a list of acts.
    Serve(Vec<Vec<Act>>),
}

/// One step of an answer.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Send(String),
    Ping,
    Close(u16, &'static str),
    /// The connection ends without a goodbye.
    Cut,
    /// Nothing more until the client goes.
    AwaitClose,
}

/// A WebSocket as the server saw it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) headers: HeaderMap,
    pub(crate) requests: Vec<Value>,
    /// How it ended, once it has: `code reason` of the client's close frame, else `gone`.
    pub(crate) end: Option<String>,
}

/// A POST request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    pub(crate) head: String,
    pub(crate) body: Value,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    pub(crate) sockets: Vec<Seen>,
    pub(crate) posts: Vec<Post>,
}

#[derive(Debug)]
struct State {
    scripts: Mutex<VecDeque<Script>>,
    /// Status and body of the answers to POST requests; afterwards it is [`answer`].
    replies: Mutex<VecDeque<(u16, String)>>,
    log: watch::Sender<Log>,
}

#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

/// Events of a complete answer of one text.
pub(crate) fn events(id: &str, text: &str) -> Vec<Value> {
    let part = json!({"type": "output_text", "text": text, "annotations": []});
    let item = json!({"type": "message", "id": format!("msg_{id}"), "role": "assistant", "status": "completed",
        "content": [part]});
    let usage = json!({"input_tokens": 3, "output_tokens": 2, "total_tokens": 5});
    vec![
        json!({"type": "response.created", "response": {"id": id}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "message",
            "id": format!("msg_{id}"), "content": []}}),
        json!({"type": "response.content_part.added", "part": {"type": "output_text", "text": ""}}),
        json!({"type": "response.output_text.delta", "delta": text}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"id": id, "status": "completed", "usage": usage}}),
    ]
}

/// A complete answer over a WebSocket.
pub(crate) fn answer(id: &str, text: &str) -> Vec<Act> {
    events(id, text).iter().map(|event| Act::Send(event.to_string())).collect()
}

/// The beginning of an answer, up to the delta, then something else.
pub(crate) fn interrupted(text: &str, then: Act) -> Vec<Act> {
    answer("cut", text).into_iter().take(4).chain([then]).collect()
}

/// A complete answer as server-sent events.
pub(crate) fn sse(id: &str, text: &str) -> String {
    events(id, text).iter().map(|event| format!("data: {event}\n\n")).collect()
}

impl Server {
    /// A server whose WebSockets follow these scripts, in the order in which they are opened.
    pub(crate) async fn start(scripts: impl IntoIterator<Item = Script>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            scripts: Mutex::new(scripts.into_iter().collect()),
            replies: Mutex::default(),
            log: watch::Sender::default(),
        });
        let task = tokio::spawn(serve(listener, Arc::clone(&state)));
        Self { address, state, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers the next POST request like this.
    pub(crate) fn reply(&self, status: u16, body: &str) {
        self.state.replies.lock().unwrap().push_back((status, body.to_owned()));
    }

    pub(crate) fn log(&self) -> Log {
        self.state.log.borrow().clone()
    }

    /// Waits until the log is as wanted.
    pub(crate) async fn saw(&self, wanted: impl FnMut(&Log) -> bool) -> Log {
        let mut log = self.state.log.subscribe();
        let waiting = log.wait_for(wanted);
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("it happens within 20 s").unwrap().clone()
    }

    /// Waits until a WebSocket has ended, and says how.
    pub(crate) async fn end_of(&self, socket: usize) -> String {
        let log = self.saw(|log| log.sockets.get(socket).is_some_and(|seen| seen.end.is_some())).await;
        log.sockets[socket].end.clone().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, state: Arc<State>) {
    while let Ok((stream, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let mut first = [0; 3];
            // Peeking leaves the request line where the protocol's own code reads it.
            if stream.peek(&mut first).await.is_ok_and(|count| count > 0) && &first == b"GET" {
                let script = state.scripts.lock().unwrap().pop_front();
                websocket(stream, script.expect("a script for every WebSocket"), &state).await;
            } else {
                let _ = posts(stream, &state).await;
            }
        });
    }
}

async fn websocket(mut stream: TcpStream, script: Script, state: &State) {
    let turns = match script {
        Script::Refuse(status) => {
            let refusal = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(refusal.as_bytes()).await.unwrap();
            return;
        }
        Script::Mute => {
            let mut sink = Vec::new();
            let _ = stream.read_to_end(&mut sink).await;
            return;
        }
        Script::Serve(turns) => turns,
    };
    let mut index = 0;
    #[expect(clippy::result_large_err, reason = "the signature is the library's")]
    let note = |request: &Request, response: Response| {
        state.log.send_modify(|log| {
            index = log.sockets.len();
            log.sockets.push(Seen { headers: request.headers().clone(), ..Seen::default() });
        });
        Ok(response)
    };
    let mut socket = tokio_tungstenite::accept_hdr_async(stream, note).await.expect("a handshake");
    let mut turns = turns.into_iter();
    let end = loop {
        let request = match socket.next().await {
            Some(Ok(Message::Text(text))) => serde_json::from_str(&text).unwrap(),
            Some(Ok(Message::Close(Some(frame)))) => break format!("{} {}", u16::from(frame.code), frame.reason),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            _ => break "gone".to_owned(),
        };
        state.log.send_modify(|log| log.sockets[index].requests.push(request));
        for act in turns.next().expect("a turn for every request") {
            let sent = match act {
                Act::Send(text) => socket.send(Message::text(text)).await,
                Act::Ping => socket.send(Message::Ping("?".into())).await,
                Act::Close(code, reason) => {
                    socket.close(Some(CloseFrame { code: code.into(), reason: reason.into() })).await
                }
                Act::Cut => return,
                Act::AwaitClose => Ok(()),
            };
            sent.unwrap();
        }
    };
    state.log.send_modify(|log| log.sockets[index].end = Some(end));
}

async fn posts(mut stream: TcpStream, state: &State) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            if body.len() >= length.parse().unwrap() {
                let body = serde_json::from_str(body).unwrap();
                state.log.send_modify(|log| log.posts.push(Post { head, body }));
                let reply = state.replies.lock().unwrap().pop_front();
                let (status, body) = reply.unwrap_or_else(|| (200, sse("sse", "by events")));
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nx-try: 1\r\nretry-after-ms: 1\r\n\r\n",
                    body.len()
                );
                stream.write_all((head + &body).as_bytes()).await?;
                bytes.clear();
                continue;
            }
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
    }
}
