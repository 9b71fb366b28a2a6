//! A server that sends what it is told to, byte by byte, and does not care about HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// How a response ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The connection is closed.
    Closed,
    /// The connection is reset.
    Reset,
    /// Nothing more comes, and the connection stays open.
    Silent,
}

/// What is sent.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// Written one after the other, each by itself.
    pub(super) pieces: Vec<Vec<u8>>,
    /// Written again and again behind them until the client goes away.
    pub(super) repeated: Vec<u8>,
    pub(super) ending: Ending,
}

/// The head of a response whose body ends with the connection.
pub(super) fn head(status: u16, content_type: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n").into_bytes()
}

impl Answer {
    /// A successful response that never ends.
    pub(super) fn endless(start: Vec<u8>, repeated: Vec<u8>) -> Self {
        let pieces = vec![head(200, "text/event-stream"), start];
        Self { pieces, repeated, ending: Ending::Closed }
    }
}

/// A server with one answer to every request.
pub(super) struct Server {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Server {
    pub(super) async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let task = tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let answer = answer.clone();
                // A client that goes away is the point of many of these tests.
                tokio::spawn(async move { drop(converse(socket, answer).await) });
            }
        });
        Self { address, task }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn converse(mut socket: TcpStream, answer: Answer) -> std::io::Result<()> {
    socket.set_nodelay(true)?;
    read_request(&mut socket).await?;
    for piece in &answer.pieces {
        socket.write_all(piece).await?;
    }
    while !answer.repeated.is_empty() {
        socket.write_all(&answer.repeated).await?;
    }
    match answer.ending {
        Ending::Closed => socket.shutdown().await,
        // Unread bytes and a zero linger make the system send RST.
        Ending::Reset =>
        {
            #[expect(deprecated, reason = "a linger of zero does not block")]
            socket.set_linger(Some(Duration::ZERO))
        }
        Ending::Silent => {
            while socket.read(&mut [0; 64]).await.is_ok_and(|count| count > 0) {}
            Ok(())
        }
    }
}

async fn read_request(socket: &mut TcpStream) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if bytes.len() >= end + 4 + length.unwrap_or(0) {
                return Ok(());
            }
        }
        if socket.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
    }
}

/// The most memory that this process has had, in MiB; 0 where the system does not say.
pub(super) fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}
