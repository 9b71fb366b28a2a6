//! `net.*` for sockets: connections out, and listening ones.

use std::io;
use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::errno;
use super::handles::Handles;
use crate::engine::OpTable;
use crate::op::{Data, OpError, OpResult};

/// What is read at once.
const PIECE: usize = 64 << 10;

pub(super) struct Socket {
    reader: Mutex<Box<dyn AsyncRead + Send + Unpin>>,
    writer: Mutex<Box<dyn AsyncWrite + Send + Unpin>>,
    closed: CancellationToken,
}

struct Listener {
    listener: TcpListener,
    closed: CancellationToken,
}

pub(super) type Sockets = Handles<Socket>;
type Listeners = Handles<Listener>;

pub(super) fn add(ops: &mut OpTable, sockets: &Sockets) {
    add_sockets(ops, sockets);
    add_listeners(ops, sockets);
}

/// Keeps a connection that was not made here; under which number.
pub(super) fn keep_connection(connection: impl AsyncRead + AsyncWrite + Send + 'static, sockets: &Sockets) -> u32 {
    let (reader, writer) = tokio::io::split(connection);
    sockets.add(Socket::new(Box::new(reader), Box::new(writer)))
}

fn add_sockets(ops: &mut OpTable, sockets: &Sockets) {
    let shared = sockets.clone();
    ops.add_async("net.connect", move |_, mut args| {
        let sockets = shared.clone();
        async move {
            let (host, port): (String, u16) = (args.text(0)?, args.parse(1)?);
            let stream = TcpStream::connect((host.as_str(), port)).await;
            keep(stream.map_err(|error| failed(&error, "connect", &host, port))?, &sockets)
        }
    });
    let shared = sockets.clone();
    ops.add_async("net.connect_path", move |_, mut args| {
        let sockets = shared.clone();
        async move {
            let path = args.text(0)?;
            let stream = UnixStream::connect(&path).await.map_err(|error| errno::error(&error, "connect", &[&path]))?;
            let (reader, writer) = stream.into_split();
            let socket = Socket::new(Box::new(reader), Box::new(writer));
            Ok(json!({ "id": sockets.add(socket) }).into())
        }
    });
    let shared = sockets.clone();
    ops.add_async("net.read", move |_, mut args| {
        let sockets = shared.clone();
        async move {
            let socket = sockets.get(args.parse(0)?)?;
            socket.read().await
        }
    });
    let shared = sockets.clone();
    ops.add_async("net.write", move |_, mut args| {
        let sockets = shared.clone();
        async move {
            let (socket, bytes) = (sockets.get(args.parse(0)?)?, args.bytes(1)?);
            let written = socket.writer.lock().await.write_all(&bytes).await;
            written.map(|()| Data::Undefined).map_err(|error| errno::error(&error, "write", &[]))
        }
    });
    let shared = sockets.clone();
    ops.add_async("net.end", move |_, mut args| {
        let sockets = shared.clone();
        async move {
            let socket = sockets.get(args.parse(0)?)?;
            // Who closed first does not matter.
            let _ = socket.writer.lock().await.shutdown().await;
            Ok(Data::Undefined)
        }
    });
    let shared = sockets.clone();
    ops.add_sync("net.destroy", move |_, mut args| {
        if let Some(socket) = shared.remove(args.parse(0)?) {
            socket.closed.cancel();
        }
        Ok(Data::Undefined)
    });
}

fn add_listeners(ops: &mut OpTable, sockets: &Sockets) {
    let listeners = Listeners::default();
    let shared = listeners.clone();
    ops.add_async("net.listen", move |_, mut args| {
        let listeners = shared.clone();
        async move {
            let (listener, address) = listen(&args.text(0)?, args.parse(1)?).await?;
            let id = listeners.add(Listener { listener, closed: CancellationToken::new() });
            Ok(json!({ "id": id, "address": address }).into())
        }
    });
    let (shared, sockets) = (listeners.clone(), sockets.clone());
    ops.add_async("net.accept", move |_, mut args| {
        let (listeners, sockets) = (shared.clone(), sockets.clone());
        async move {
            let listener = listeners.get(args.parse(0)?)?;
            tokio::select! {
                accepted = listener.listener.accept() => {
                    keep(accepted.map_err(|error| errno::error(&error, "accept", &[]))?.0, &sockets)
                }
                () = listener.closed.cancelled() => Ok(Data::Undefined),
            }
        }
    });
    ops.add_sync("net.unlisten", move |_, mut args| {
        if let Some(listener) = listeners.remove(args.parse(0)?) {
            listener.closed.cancel();
        }
        Ok(Data::Undefined)
    });
}

/// Listens; also tells where.
pub(super) async fn listen(host: &str, port: u16) -> Result<(TcpListener, Value), OpError> {
    let listener = TcpListener::bind((host, port)).await.map_err(|error| failed(&error, "listen", host, port))?;
    let address = listener.local_addr().map_err(|error| failed(&error, "listen", host, port))?;
    Ok((listener, described(address)))
}

fn described(address: SocketAddr) -> Value {
    let family = if address.is_ipv4() { "IPv4" } else { "IPv6" };
    json!({ "address": address.ip().to_string(), "family": family, "port": address.port() })
}

/// `connect ECONNREFUSED 127.0.0.1:1`.
fn failed(error: &io::Error, syscall: &str, host: &str, port: u16) -> OpError {
    let mut error = errno::error(error, syscall, &[]).with("address", host).with("port", port);
    let code = error.properties.get("code").and_then(Value::as_str).unwrap_or_default();
    error.message = match syscall {
        "listen" => format!(
            "{} {host}:{port}",
            error.message.replacen(", listen", ":", 1).replacen(code, &format!("listen {code}"), 1)
        ),
        _ => format!("{syscall} {code} {host}:{port}"),
    };
    error
}

fn keep(stream: TcpStream, sockets: &Sockets) -> OpResult {
    // What is not sent at once is slower, and nothing else goes wrong.
    let _ = stream.set_nodelay(true);
    let local = stream.local_addr().map(described).ok();
    let remote = stream.peer_addr().map(described).ok();
    let (reader, writer) = stream.into_split();
    let id = sockets.add(Socket::new(Box::new(reader), Box::new(writer)));
    Ok(json!({ "id": id, "local": local, "remote": remote }).into())
}

impl Socket {
    fn new(reader: Box<dyn AsyncRead + Send + Unpin>, writer: Box<dyn AsyncWrite + Send + Unpin>) -> Self {
        Self { reader: Mutex::new(reader), writer: Mutex::new(writer), closed: CancellationToken::new() }
    }

    /// The next piece; `undefined` at the end.
    async fn read(&self) -> OpResult {
        let mut piece = Vec::with_capacity(PIECE);
        let mut reader = self.reader.lock().await;
        tokio::select! {
            read = reader.read_buf(&mut piece) => read.map_err(|error| errno::error(&error, "read", &[]))?,
            () = self.closed.cancelled() => 0,
        };
        piece.shrink_to_fit();
        Ok(if piece.is_empty() { Data::Undefined } else { Data::Bytes(piece) })
    }
}
