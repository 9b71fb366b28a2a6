//! Follows a started command until it has ended and its output is complete.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::ExitStatus;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;

use super::output_pipe::OutputPipe;
use crate::host::processes::Child;
use crate::tools::operations::BashExit;

/// After the shell has ended, output is complete when nothing came for this long: a background job may keep the
/// pipe open for ever.
const DRAIN_IDLE: Duration = Duration::from_millis(100);
/// A background job that never stops writing is followed no longer than this.
const DRAIN_LIMIT: Duration = Duration::from_secs(5);

/// Forwards output and waits for the end: the shell's exit and the end of the pipe, or silence on it.
pub(super) async fn watch(
    child: &mut Child,
    pipe: &mut OutputPipe,
    output: mpsc::Sender<Bytes>,
) -> io::Result<BashExit> {
    let status = {
        let mut exit = pin!(child.wait());
        loop {
            tokio::select! {
                status = &mut exit => break status?,
                chunk = pipe.next(), if pipe.is_open() => forward(chunk?, &output).await,
            }
        }
    };
    tokio::time::timeout(DRAIN_LIMIT, drain(pipe, &output)).await.unwrap_or(Ok(()))?;
    Ok(exit_of(status))
}

async fn drain(pipe: &mut OutputPipe, output: &mpsc::Sender<Bytes>) -> io::Result<()> {
    while pipe.is_open() {
        match tokio::time::timeout(DRAIN_IDLE, pipe.next()).await {
            Ok(chunk) => forward(chunk?, output).await,
            Err(_) => break,
        }
    }
    Ok(())
}

async fn forward(chunk: Option<Bytes>, output: &mpsc::Sender<Bytes>) {
    if let Some(chunk) = chunk {
        // Output that nobody wants any more is still read, so that the command does not block on it.
        let _ = output.send(chunk).await;
    }
}

fn exit_of(status: ExitStatus) -> BashExit {
    match (status.code(), status.signal()) {
        (Some(code), _) => BashExit::Code(code),
        (None, Some(signal)) => BashExit::Signal(signal),
        (None, None) => BashExit::Unknown,
    }
}
