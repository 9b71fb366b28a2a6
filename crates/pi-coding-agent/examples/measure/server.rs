//! Answers every request with the same stream, in the form of the Anthropic API.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// A server on this machine.
pub(crate) struct Server {
    url: String,
    answer: Arc<Mutex<Arc<[u8]>>>,
}

impl Server {
    pub(crate) fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let answer: Arc<Mutex<Arc<[u8]>>> = Arc::new(Mutex::new(Arc::from([])));
        let current = Arc::clone(&answer);
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let current = Arc::clone(&current);
                std::thread::spawn(move || serve(&connection, &current));
            }
        });
        Ok(Self { url, answer })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// From now on, answers consist of `count` pieces of text.
    pub(crate) fn answer_with(&self, count: usize, piece: &str) {
        let mut stream = String::new();
        let mut event = |kind: &str, rest: &str| {
            stream.push_str(&format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n"));
        };
        event(
            "message_start",
            r#","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}"#,
        );
        event("content_block_start", r#","index":0,"content_block":{"type":"text","text":""}"#);
        let delta = format!(r#","index":0,"delta":{{"type":"text_delta","text":"{piece}"}}"#);
        (0..count).for_each(|_| event("content_block_delta", &delta));
        event("content_block_stop", r#","index":0"#);
        event("message_delta", r#","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}"#);
        event("message_stop", "");
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = stream.into_bytes().into();
    }
}

fn serve(connection: &TcpStream, answer: &Mutex<Arc<[u8]>>) {
    let mut reader = BufReader::new(connection);
    // A client that went away needs no answer.
    while let Ok(true) = read_request(&mut reader) {
        let body = Arc::clone(&answer.lock().unwrap_or_else(PoisonError::into_inner));
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
        let head = format!("{head}content-length: {}\r\n\r\n", body.len());
        let mut writer = connection;
        if writer.write_all(head.as_bytes()).and_then(|()| writer.write_all(&body)).is_err() {
            return;
        }
    }
}

/// Reads a request with its body; false at the end.
fn read_request(reader: &mut impl BufRead) -> io::Result<bool> {
    let (mut line, mut length) = (String::new(), 0_u64);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(false);
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or_default();
        }
    }
    io::copy(&mut reader.take(length), &mut io::sink())?;
    Ok(true)
}
