//! `net.http.*`: an HTTP/1.1 server for scripts, such as those that wait for a browser to come back from a login.

use std::sync::{Arc, Mutex as StdMutex};

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{HeaderName, HeaderValue, UPGRADE};
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use pi_guard::Unpoisoned;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::handles::Handles;
use super::tcp::{self, Sockets};
use crate::engine::OpTable;
use crate::op::{Args, Data, OpError, OpResult};

type ServerResponse = Response<UnsyncBoxBody<Bytes, std::convert::Infallible>>;
type Servers = Handles<Server>;
type Exchanges = Handles<Exchange>;

struct Server {
    requests: Mutex<mpsc::Receiver<Value>>,
    /// No new connections; those that wait for a request end.
    closing: CancellationToken,
    /// The connections that there are end.
    aborting: Arc<StdMutex<CancellationToken>>,
}

/// A request and its answer.
struct Exchange {
    body: Mutex<Incoming>,
    answer: StdMutex<Option<oneshot::Sender<ServerResponse>>>,
    pieces: StdMutex<Option<mpsc::Sender<Bytes>>>,
    /// The connection itself, once an answer has said that it goes on in another protocol.
    upgrade: StdMutex<Option<OnUpgrade>>,
}

#[derive(Deserialize)]
struct Head {
    status: u16,
    headers: Vec<(String, String)>,
}

pub(super) fn add(ops: &mut OpTable, sockets: &Sockets) {
    let (servers, exchanges) = (Servers::default(), Exchanges::default());
    add_server(ops, &servers, &exchanges);
    add_exchange(ops, &exchanges);
    let sockets = sockets.clone();
    ops.add_async("net.http.upgrade", move |_, args| upgrade(args, exchanges.clone(), sockets.clone()));
}

fn add_server(ops: &mut OpTable, servers: &Servers, exchanges: &Exchanges) {
    let (shared, exchanges) = (servers.clone(), exchanges.clone());
    ops.add_async("net.http.listen", move |context, mut args| {
        let (servers, exchanges) = (shared.clone(), exchanges.clone());
        async move {
            let (listener, address) = tcp::listen(&args.text(0)?, args.parse(1)?).await?;
            let (sender, requests) = mpsc::channel(16);
            // The operation is over when it listens; what it started ends with the engine.
            let stop = context.engine.upgrade().map(|engine| engine.stop_token()).unwrap_or_default();
            let (closing, aborting) = (stop.child_token(), Arc::new(StdMutex::new(stop.child_token())));
            let server =
                Server { requests: Mutex::new(requests), closing: closing.clone(), aborting: aborting.clone() };
            tokio::spawn(accept(listener, Serving { sender, exchanges, closing, aborting }));
            Ok(json!({ "id": servers.add(server), "address": address }).into())
        }
    });
    let shared = servers.clone();
    ops.add_async("net.http.next", move |_, mut args| {
        let servers = shared.clone();
        async move {
            let server = servers.get(args.parse(0)?)?;
            let next = server.requests.lock().await.recv().await;
            Ok(next.map_or(Data::Undefined, Data::Json))
        }
    });
    let shared = servers.clone();
    ops.add_sync("net.http.close", move |context, mut args| {
        let (number, at_once) = (args.parse(0)?, args.parse(1)?);
        if let Ok(server) = shared.get(number) {
            if at_once {
                let mut aborting = server.aborting.lock().unpoisoned();
                aborting.cancel();
                // Those that come later have their own.
                *aborting = context.cancel.child_token();
            } else {
                server.closing.cancel();
            }
        }
        Ok(Data::Undefined)
    });
    let shared = servers.clone();
    ops.add_sync("net.http.drop", move |_, mut args| {
        shared.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
}

fn add_exchange(ops: &mut OpTable, exchanges: &Exchanges) {
    let shared = exchanges.clone();
    ops.add_async("net.http.read", move |_, mut args| {
        let exchanges = shared.clone();
        async move {
            let exchange = exchanges.get(args.parse(0)?)?;
            exchange.read().await
        }
    });
    let shared = exchanges.clone();
    ops.add_sync("net.http.answer", move |_, args| answer(args, &shared));
    let shared = exchanges.clone();
    ops.add_async("net.http.write", move |_, mut args| {
        let exchanges = shared.clone();
        async move {
            let exchange = exchanges.get(args.parse(0)?)?;
            let sender = exchange.pieces.lock().unpoisoned().clone();
            let Some(sender) = sender else { return Ok(false.into()) };
            Ok(sender.send(args.bytes(1)?.into()).await.is_ok().into())
        }
    });
    let shared = exchanges.clone();
    ops.add_sync("net.http.end", move |_, mut args| {
        shared.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
}

/// What connections of a server share.
#[derive(Clone)]
struct Serving {
    sender: mpsc::Sender<Value>,
    exchanges: Exchanges,
    closing: CancellationToken,
    aborting: Arc<StdMutex<CancellationToken>>,
}

async fn accept(listener: TcpListener, serving: Serving) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = serving.closing.cancelled() => return,
        };
        match accepted {
            Ok((stream, _)) => drop(tokio::spawn(connection(stream, serving.clone()))),
            // Out of file descriptors, say: others may become free.
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
        }
    }
}

async fn connection(stream: TcpStream, serving: Serving) {
    let remote = stream.peer_addr().map(|address| address.ip().to_string()).unwrap_or_default();
    let closing = serving.closing.clone();
    let aborting = serving.aborting.lock().unpoisoned().clone();
    let service = service_fn(move |request| exchange(request, remote.clone(), serving.clone()));
    let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection.with_upgrades());
    // A connection that breaks is the client's affair.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = closing.cancelled() => connection.as_mut().graceful_shutdown(),
        () = aborting.cancelled() => return,
    }
    tokio::select! {
        _ = connection => {}
        () = aborting.cancelled() => {}
    }
}

async fn exchange(mut request: Request<Incoming>, remote: String, serving: Serving) -> Result<ServerResponse, OpError> {
    let upgrade = request.headers().contains_key(UPGRADE).then(|| hyper::upgrade::on(&mut request));
    let asks_upgrade = upgrade.is_some();
    let (head, body) = request.into_parts();
    let (sender, answer) = oneshot::channel();
    let exchange = Exchange {
        body: Mutex::new(body),
        answer: StdMutex::new(Some(sender)),
        pieces: StdMutex::default(),
        upgrade: StdMutex::new(upgrade),
    };
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers: Vec<_> = head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    let number = serving.exchanges.add(exchange);
    let about = json!({
        "id": number, "method": head.method.as_str(), "url": head.uri.to_string(), "headers": headers, "remote": remote,
        "upgrade": asks_upgrade,
    });
    let mut guard = Leaving(Some((serving.exchanges.clone(), number)));
    serving.sender.send(about).await.map_err(|_| OpError::new("Nobody takes requests any more"))?;
    let answer = answer.await.map_err(|_| OpError::new("The script did not answer"));
    // From here on the script says when it is over.
    guard.0 = None;
    answer
}

/// Lets an exchange go whose client went.
struct Leaving(Option<(Exchanges, u32)>);

impl Drop for Leaving {
    fn drop(&mut self) {
        if let Some((exchanges, number)) = self.0.take() {
            exchanges.remove(number);
        }
    }
}

/// `(exchange, head, whole body or undefined)`; without a body, pieces follow.
fn answer(mut args: Args, exchanges: &Exchanges) -> OpResult {
    let number = args.parse(0)?;
    let head: Head = args.parse(1)?;
    // The client went: there is nobody to answer.
    let Ok(exchange) = exchanges.get(number) else { return Ok(false.into()) };
    let body = match args.take(2) {
        Data::Bytes(bytes) => {
            exchanges.remove(number);
            Full::new(bytes.into()).boxed_unsync()
        }
        _ => {
            let (sender, receiver) = mpsc::channel::<Bytes>(1);
            *exchange.pieces.lock().unpoisoned() = Some(sender);
            let pieces = futures::stream::unfold(receiver, |mut receiver| async {
                receiver.recv().await.map(|piece| (Ok(Frame::data(piece)), receiver))
            });
            StreamBody::new(pieces).boxed_unsync()
        }
    };
    let sender = exchange.answer.lock().unpoisoned().take();
    let response = response(head, body)?;
    Ok(sender.is_some_and(|sender| sender.send(response).is_ok()).into())
}

/// `(exchange, head)`: agrees to another protocol, and keeps the connection, whose number it returns.
async fn upgrade(mut args: Args, exchanges: Exchanges, sockets: Sockets) -> OpResult {
    let (number, head): (u32, Head) = (args.parse(0)?, args.parse(1)?);
    let gone = || OpError::new("The client went").with("code", "ECONNRESET");
    let exchange = exchanges.remove(number).ok_or_else(gone)?;
    let upgrade = exchange.upgrade.lock().unpoisoned().take().ok_or_else(gone)?;
    let sender = exchange.answer.lock().unpoisoned().take().ok_or_else(gone)?;
    sender.send(response(head, Full::default().boxed_unsync())?).map_err(|_| gone())?;
    let connection = upgrade.await.map_err(|_| gone())?;
    Ok(json!({ "id": tcp::keep_connection(TokioIo::new(connection), &sockets) }).into())
}

fn response(head: Head, body: UnsyncBoxBody<Bytes, std::convert::Infallible>) -> Result<ServerResponse, OpError> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(head.status).map_err(|_| {
        let message = format!("Invalid status code: {}", head.status);
        OpError { name: "RangeError".to_owned(), ..OpError::new(message) }.with("code", "ERR_HTTP_INVALID_STATUS_CODE")
    })?;
    for (name, value) in head.headers {
        let invalid = || {
            OpError::type_error(format!("Invalid character in header content [\"{name}\"]"))
                .with("code", "ERR_INVALID_CHAR")
        };
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid())?;
        let value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| invalid())?;
        response.headers_mut().append(key, value);
    }
    Ok(response)
}

impl Exchange {
    /// The next piece of the request's body; `undefined` at the end.
    async fn read(&self) -> OpResult {
        let mut body = self.body.lock().await;
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| OpError::new("aborted").with("code", "ECONNRESET"))?;
            if let Ok(piece) = frame.into_data()
                && !piece.is_empty()
            {
                return Ok(Data::Bytes(piece.into()));
            }
        }
        Ok(Data::Undefined)
    }
}
