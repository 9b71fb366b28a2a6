//! The pipe into which a command and all its children write.

use std::io::{self, PipeReader};

use bytes::{Bytes, BytesMut};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

/// Largest piece of output.
const CHUNK_BYTES: usize = 64 * 1024;

/// The reading end.
#[derive(Debug)]
pub(super) struct OutputPipe {
    receiver: pipe::Receiver,
    /// Whether somebody may still write.
    open: bool,
}

impl OutputPipe {
    pub(super) fn new(reader: PipeReader) -> io::Result<Self> {
        Ok(Self { receiver: pipe::Receiver::from_owned_fd(reader.into())?, open: true })
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// The next piece of output; `None` when nobody can write any more. Nothing is lost if the future is dropped.
    pub(super) async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let mut chunk = BytesMut::with_capacity(CHUNK_BYTES);
        self.open = self.receiver.read_buf(&mut chunk).await? > 0;
        Ok(self.open.then(|| chunk.freeze()))
    }

    /// Reads what background jobs write after their command has ended, and throws it away: a closed pipe would kill
    /// them, a full one would block them.
    pub(super) fn discard(mut self) {
        if self.open {
            tokio::spawn(async move { while let Ok(Some(_)) = self.next().await {} });
        }
    }
}
