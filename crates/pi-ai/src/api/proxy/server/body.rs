//! The body of a response, in the form that HTTP servers take.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures::stream::{BoxStream, Stream, StreamExt};

/// The body of a response, in pieces. Dropping it aborts the call.
pub struct ProxyBody(BoxStream<'static, Bytes>);

impl ProxyBody {
    pub(super) fn new(pieces: impl Stream<Item = Bytes> + Send + 'static) -> Self {
        Self(pieces.boxed())
    }
}

impl Stream for ProxyBody {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(cx).map(|piece| piece.map(Ok))
    }
}

impl fmt::Debug for ProxyBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProxyBody")
    }
}
