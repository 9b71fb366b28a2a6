//! Follows a started command until it has ended and its output is complete.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use process_wrap::tokio::ChildWrapper;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::sync::mpsc;

use super::operations::BashExit;

/// After the shell has ended, output is complete when nothing came for this long: a background job may keep the
/// pipe open for ever.
const DRAIN_IDLE: Duration = Duration::from_millis(100);
/// A background job that never stops writing is followed no longer than this.
const DRAIN_LIMIT: Duration = Duration::from_secs(5);
/// Largest piece of output.
const CHUNK_BYTES: usize = 64 * 1024;

/// Forwards output and waits for the end: the shell's exit and the end of the pipe, or silence on it.
pub(super) async fn watch(
    child: &mut dyn ChildWrapper,
    pipe: &mut pipe::Receiver,
    output: mpsc::Sender<Bytes>,
) -> io::Result<BashExit> {
    let mut reader = Forwarder { pipe, output, open: true };
    let status = {
        let mut exit = std::pin::pin!(child.wait());
        loop {
            tokio::select! {
                status = &mut exit => break status?,
                chunk = reader.next(), if reader.open => reader.forward(chunk?).await,
            }
        }
    };
    tokio::time::timeout(DRAIN_LIMIT, reader.drain()).await.unwrap_or(Ok(()))?;
    Ok(exit_of(status))
}

struct Forwarder<'a> {
    pipe: &'a mut pipe::Receiver,
    output: mpsc::Sender<Bytes>,
    /// Whether somebody may still write.
    open: bool,
}

impl Forwarder<'_> {
    /// The next piece of output; empty at the end. Nothing is lost if this is dropped.
    async fn next(&mut self) -> io::Result<Bytes> {
        let mut chunk = BytesMut::with_capacity(CHUNK_BYTES);
        self.pipe.read_buf(&mut chunk).await?;
        Ok(chunk.freeze())
    }

    async fn forward(&mut self, chunk: Bytes) {
        if chunk.is_empty() {
            self.open = false;
        } else {
            // Output that nobody wants any more is still read, so that the command does not block on it.
            let _ = self.output.send(chunk).await;
        }
    }

    async fn drain(&mut self) -> io::Result<()> {
        while self.open {
            match tokio::time::timeout(DRAIN_IDLE, self.next()).await {
                Ok(chunk) => self.forward(chunk?).await,
                Err(_) => break,
            }
        }
        Ok(())
    }
}

fn exit_of(status: ExitStatus) -> BashExit {
    match (status.code(), status.signal()) {
        (Some(code), _) => BashExit::Code(code),
        (None, Some(signal)) => BashExit::Signal(signal),
        (None, None) => BashExit::Unknown,
    }
}
