//! A hand-written HTTP/1.1 server on loopback that misbehaves on demand.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What the server does after it has read a request.
#[derive(Debug, Clone)]
enum Step {
    Write(Vec<u8>),
    Sleep(Duration),
    /// Ends the connection in the middle of whatever was promised.
    Cut,
    /// Waits until the client closes the connection.
    AwaitClose,
}

/// The answer to one request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reply(Vec<Step>);

impl Reply {
    /// A whole response with a length.
    pub(crate) fn plain(status: u16, headers: &str, body: &str) -> Self {
        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
        Self(vec![Step::Write([head.as_bytes(), body.as_bytes()].concat())])
    }

    /// The head of an event stream; its body follows with [`Reply::chunk`].
    pub(crate) fn stream() -> Self {
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nx-id: 7\r\n\r\n";
        Self(vec![Step::Write(head.into())])
    }

    /// A complete event stream.
    pub(crate) fn events(body: &str) -> Self {
        Self::stream().chunk(body.as_bytes()).end()
    }

    /// Nothing yet: not even a status line.
    pub(crate) fn silent() -> Self {
        Self::default()
    }

    fn then(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }

    pub(crate) fn chunk(self, bytes: &[u8]) -> Self {
        let chunk = [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
        self.then(Step::Write(chunk))
    }

    pub(crate) fn end(self) -> Self {
        self.then(Step::Write(b"0\r\n\r\n".to_vec()))
    }

    pub(crate) fn sleep(self, milliseconds: u64) -> Self {
        self.then(Step::Sleep(Duration::from_millis(milliseconds)))
    }

    pub(crate) fn cut(self) -> Self {
        self.then(Step::Cut)
    }

    pub(crate) fn await_close(self) -> Self {
        self.then(Step::AwaitClose)
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// Request line and headers, names in lower case as the client sends them.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Received {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// A server with a list of replies.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct State {
    replies: Mutex<VecDeque<Reply>>,
    requests: watch::Sender<Vec<Received>>,
    closed: watch::Sender<usize>,
    connections: watch::Sender<usize>,
}

impl Server {
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback");
        let state = Arc::new(State {
            replies: Mutex::new(replies.into_iter().collect()),
            requests: watch::Sender::default(),
            closed: watch::Sender::default(),
            connections: watch::Sender::default(),
        });
        let address = listener.local_addr().expect("an address");
        let task = tokio::spawn(serve(listener, Arc::clone(&state)));
        Self { address, state, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.state.requests.borrow().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        *self.state.connections.borrow()
    }

    /// Waits until that many requests have arrived.
    pub(crate) async fn received(&self, count: usize) {
        let mut requests = self.state.requests.subscribe();
        requests.wait_for(|requests| requests.len() >= count).await.expect("a running server");
    }

    /// Waits until a client has closed a connection on which the server was waiting for that.
    pub(crate) async fn client_closed(&self) {
        self.state.closed.subscribe().wait_for(|count| *count > 0).await.expect("a running server");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, state: Arc<State>) {
    while let Ok((socket, _)) = listener.accept().await {
        state.connections.send_modify(|count| *count += 1);
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            // A client that goes away is what many tests are about.
            let _ = converse(socket, &state).await;
        });
    }
}

async fn converse(mut socket: TcpStream, state: &State) -> std::io::Result<()> {
    while let Some(request) = read_request(&mut socket).await? {
        state.requests.send_modify(|requests| requests.push(request));
        let reply = state.replies.lock().expect("no panic").pop_front();
        for step in reply.unwrap_or_else(|| Reply::plain(418, "", "no reply left")).0 {
            match step {
                Step::Write(bytes) => socket.write_all(&bytes).await?,
                Step::Sleep(time) => tokio::time::sleep(time).await,
                Step::Cut => return Ok(()),
                Step::AwaitClose => {
                    while socket.read(&mut [0; 64]).await.is_ok_and(|count| count > 0) {}
                    state.closed.send_modify(|count| *count += 1);
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

async fn read_request(socket: &mut TcpStream) -> std::io::Result<Option<Received>> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let request = Received { head: head.to_owned(), body: body.to_owned() };
            let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            if request.body.len() >= length {
                return Ok(Some(request));
            }
        }
        if socket.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
}
