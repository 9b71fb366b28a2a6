//! A server on loopback that answers with what it is given and keeps what it was asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A request as it arrived at a [`Server`].
#[derive(Debug, Clone)]
pub(super) struct Received {
    pub(super) line: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: String,
}

/// Answers one request after the other, the last answer again and again.
pub(super) struct Server {
    pub(super) url: String,
    requests: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    pub(super) fn start(answers: Vec<(u16, Vec<u8>)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Received>>> = Arc::default();
        let log = Arc::clone(&requests);
        std::thread::spawn(move || {
            for (count, socket) in listener.incoming().enumerate() {
                let mut socket = socket.unwrap();
                log.lock().unwrap().push(receive(&mut BufReader::new(&mut socket)));
                let (status, body) = &answers[count.min(answers.len() - 1)];
                let head =
                    format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
                socket.write_all(&[head.as_bytes(), body].concat()).unwrap();
            }
        });
        Self { url, requests }
    }

    pub(super) fn requests(&self) -> Vec<Received> {
        self.requests.lock().unwrap().clone()
    }
}

fn receive(socket: &mut impl BufRead) -> Received {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        socket.read_line(&mut line).unwrap();
        match line.trim() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers: BTreeMap<String, String> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    socket.read_exact(&mut body).unwrap();
    Received { line: lines[0].clone(), headers, body: String::from_utf8(body).unwrap() }
}
