//! `net.fetch*`: requests, and their answers piece by piece.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use flate2::write::{GzDecoder, ZlibDecoder};
use futures::StreamExt;
use futures::stream::BoxStream;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::handles::Handles;
use super::tcp::{self, Sockets};
use crate::engine::OpTable;
use crate::fetch::{Fetch, FetchError, FetchRequest, FetchResponse, ReqwestFetch};
use crate::op::{Data, OpError, OpResult};

type Bodies = Handles<Mutex<Body>>;

/// A body that still arrives.
struct Body {
    pieces: BoxStream<'static, Result<Bytes, FetchError>>,
    decoder: Decoder,
}

#[derive(Deserialize)]
struct Head {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
}

pub(super) fn add(ops: &mut OpTable, fetch: Option<Arc<dyn Fetch>>, sockets: &Sockets) {
    let bodies = Bodies::default();
    let (shared, connections, client) = (bodies.clone(), sockets.clone(), fetch.clone());
    ops.add_async("net.upgrade", move |_, mut args| {
        let (fetch, bodies, sockets) = (client.clone(), shared.clone(), connections.clone());
        async move { upgrade(fetch, args.parse(0)?, &bodies, &sockets).await }
    });
    let shared = bodies.clone();
    ops.add_async("net.fetch", move |_, mut args| {
        let (fetch, bodies) = (fetch.clone(), shared.clone());
        async move {
            let head: Head = args.parse(0)?;
            let body = match args.take(1) {
                Data::Bytes(bytes) => Some(bytes.into()),
                _ => None,
            };
            send(fetch, head, body, &bodies).await
        }
    });
    let shared = bodies.clone();
    ops.add_async("net.fetch.read", move |_, mut args| {
        let bodies = shared.clone();
        async move {
            let number = args.parse(0)?;
            let body = bodies.get(number)?;
            let piece = body.lock().await.next().await;
            if !matches!(piece, Ok(Some(_))) {
                bodies.remove(number);
            }
            Ok(piece?.map_or(Data::Undefined, Data::Bytes))
        }
    });
    ops.add_sync("net.fetch.drop", move |_, mut args| {
        bodies.remove(args.parse(0)?);
        Ok(Data::Undefined)
    });
}

async fn send(fetch: Option<Arc<dyn Fetch>>, head: Head, body: Option<Bytes>, bodies: &Bodies) -> OpResult {
    let request = FetchRequest { method: head.method, url: head.url, headers: head.headers, body };
    let is_head = request.method == "HEAD";
    let response = client(fetch)?.fetch(request).await?;
    Ok(begun(response, is_head, bodies).into())
}

/// A request for another protocol: the answer, and the connection's number if there is one.
async fn upgrade(fetch: Option<Arc<dyn Fetch>>, head: Head, bodies: &Bodies, sockets: &Sockets) -> OpResult {
    let request = FetchRequest { method: head.method, url: head.url, headers: head.headers, body: None };
    let upgraded = client(fetch)?.upgrade(request).await?;
    let mut about = begun(upgraded.response, false, bodies);
    about["socket"] = json!(upgraded.connection.map(|connection| tcp::keep_connection(connection, sockets)));
    Ok(about.into())
}

fn client(fetch: Option<Arc<dyn Fetch>>) -> Result<Arc<dyn Fetch>, OpError> {
    fetch.map_or_else(|| ReqwestFetch::shared().map_err(OpError::from), Ok)
}

/// The head of an answer; its body is kept.
fn begun(response: FetchResponse, is_head: bool, bodies: &Bodies) -> Value {
    let encoding = response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-encoding"));
    let decoder =
        if is_head { Decoder::None } else { Decoder::for_encoding(encoding.map(|(_, value)| value.as_str())) };
    let number = bodies.add(Mutex::new(Body { pieces: response.body, decoder }));
    json!({
        "status": response.status, "statusText": response.status_text, "headers": response.headers, "body": number,
    })
}

impl Body {
    /// The next piece that is not empty; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, OpError> {
        while let Some(piece) = self.pieces.next().await {
            let piece = self.decoder.decode(piece?)?;
            if !piece.is_empty() {
                return Ok(Some(piece));
            }
        }
        let rest = self.decoder.finish()?;
        Ok((!rest.is_empty()).then_some(rest))
    }
}

/// Undoes `Content-Encoding`. Nothing asks servers for one, but some send one all the same.
enum Decoder {
    None,
    Gzip(GzDecoder<Vec<u8>>),
    Deflate(ZlibDecoder<Vec<u8>>),
}

impl Decoder {
    fn for_encoding(name: Option<&str>) -> Self {
        match name {
            Some("gzip" | "x-gzip") => Self::Gzip(GzDecoder::new(Vec::new())),
            Some("deflate") => Self::Deflate(ZlibDecoder::new(Vec::new())),
            _ => Self::None,
        }
    }

    fn decode(&mut self, piece: Bytes) -> Result<Vec<u8>, OpError> {
        let broken = |error: std::io::Error| OpError::new(format!("The body cannot be decompressed: {error}"));
        match self {
            Self::None => Ok(piece.into()),
            Self::Gzip(decoder) => {
                decoder.write_all(&piece).map_err(broken)?;
                Ok(std::mem::take(decoder.get_mut()))
            }
            Self::Deflate(decoder) => {
                decoder.write_all(&piece).map_err(broken)?;
                Ok(std::mem::take(decoder.get_mut()))
            }
        }
    }

    fn finish(&mut self) -> Result<Vec<u8>, OpError> {
        let broken = |error: std::io::Error| OpError::new(format!("The compressed body ends too early: {error}"));
        let mut taken = std::mem::replace(self, Self::None);
        match &mut taken {
            Self::None => Ok(Vec::new()),
            Self::Gzip(decoder) => {
                decoder.try_finish().map_err(broken)?;
                Ok(std::mem::take(decoder.get_mut()))
            }
            Self::Deflate(decoder) => {
                decoder.try_finish().map_err(broken)?;
                Ok(std::mem::take(decoder.get_mut()))
            }
        }
    }
}

impl From<FetchError> for OpError {
    fn from(error: FetchError) -> Self {
        match error.code {
            Some(code) => Self::new(error.message).with("code", code),
            None => Self::new(error.message),
        }
    }
}
