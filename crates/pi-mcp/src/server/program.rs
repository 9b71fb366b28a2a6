//! The program of a stdio server: how it is started, and what is seen of it besides its messages.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use pi_coding_agent::host::plain;
use pi_coding_agent::processes::{PipedProgram, start_piped};
use pi_guard::lock;
use tokio::io::{AsyncRead, AsyncReadExt, ReadBuf};
use tokio_util::sync::CancellationToken;

/// Bytes of standard error that are kept, the last ones.
const STDERR_TAIL: usize = 4 << 10;
/// Bytes that a message may have, in MB.
pub(crate) const MAX_MESSAGE_MB: usize = 16;
const MAX_MESSAGE: usize = MAX_MESSAGE_MB << 20;
/// Bytes of a line that is no message, for the user.
const EXCERPT: usize = 120;

/// Starts a program with these variables besides those of this process.
///
/// # Errors
/// Those of the system.
pub(crate) async fn start<'a>(
    program: &str,
    arguments: &[String],
    cwd: &Path,
    env: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> io::Result<PipedProgram> {
    start_piped(Command::new(program).args(arguments).current_dir(cwd).envs(env)).await
}

/// What was seen of a program: kept for the sentence about its end.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    stderr: Mutex<VecDeque<u8>>,
    noise: Mutex<Option<String>>,
    is_too_large: Mutex<bool>,
    /// Fires when standard error was read to its end.
    stderr_ended: CancellationToken,
}

impl Observed {
    /// Whether it sent a message that was longer than any may be.
    pub(crate) fn is_too_large(&self) -> bool {
        *lock(&self.is_too_large)
    }

    /// What may explain a failure, as the end of a sentence; empty if there is nothing.
    pub(crate) fn hint(&self) -> String {
        if let Some(noise) = &*lock(&self.noise) {
            return format!("; it printed what is no message of MCP: {noise}");
        }
        self.last_words().map_or_else(String::new, |words| format!("; its last words: {words}"))
    }

    /// The last lines of standard error, if there are any.
    pub(crate) fn last_words(&self) -> Option<String> {
        let stderr: Vec<u8> = lock(&self.stderr).iter().copied().collect();
        let text = String::from_utf8_lossy(&stderr);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(3)..];
        (!last.is_empty()).then(|| plain(&last.join(" / ")).to_string())
    }

    /// Reads standard error to its end, so that the program never waits for that.
    pub(crate) async fn drain(self: Arc<Self>, mut stderr: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 16 << 10];
        while let Ok(length @ 1..) = stderr.read(&mut buffer).await {
            let mut kept = lock(&self.stderr);
            kept.extend(&buffer[..length]);
            let surplus = kept.len().saturating_sub(STDERR_TAIL);
            kept.drain(..surplus);
        }
        self.stderr_ended.cancel();
    }

    /// Waits until all is known that a program has written to standard error.
    pub(crate) async fn stderr_ended(&self) {
        self.stderr_ended.cancelled().await;
    }
}

/// The standard output of a program. It ends where a message is too long, and lines that cannot be messages are noted.
#[derive(Debug)]
pub(crate) struct WatchedOutput<R> {
    inner: R,
    observed: Arc<Observed>,
    line: LineSoFar,
}

/// What is known of the line that is being read.
#[derive(Debug, Default)]
struct LineSoFar {
    length: usize,
    begin: Vec<u8>,
    last: u8,
}

impl<R> WatchedOutput<R> {
    pub(crate) fn new(inner: R, observed: Arc<Observed>) -> Self {
        Self { inner, observed, line: LineSoFar::default() }
    }

    /// Returns whether reading may go on.
    fn look(&mut self, bytes: &[u8]) -> bool {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.add(piece);
            if self.line.length > MAX_MESSAGE {
                *lock(&self.observed.is_too_large) = true;
                return false;
            }
            if piece.ends_with(b"\n")
                && let Some(noise) = std::mem::take(&mut self.line).noise()
            {
                *lock(&self.observed.noise) = Some(noise);
            }
        }
        true
    }
}

impl LineSoFar {
    fn add(&mut self, piece: &[u8]) {
        self.length += piece.len();
        let room = EXCERPT.saturating_sub(self.begin.len());
        self.begin.extend(piece.iter().take(room));
        if let Some(last) = piece.iter().rev().find(|byte| !byte.is_ascii_whitespace()) {
            self.last = *last;
        }
    }

    /// The line, if it cannot be a message.
    fn noise(self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.begin);
        let (text, last) = (text.trim(), self.last);
        let is_message = (text.starts_with('{') && last == b'}') || (text.starts_with('[') && last == b']');
        (!text.is_empty() && !is_message).then(|| plain(text).into_owned())
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for WatchedOutput<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.observed.is_too_large() {
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        if polled.is_ready() && !self.look(&buffer.filled()[before..]) {
            buffer.set_filled(before);
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(output: &[u8]) -> (Arc<Observed>, usize) {
        let observed = Arc::new(Observed::default());
        let mut watched = WatchedOutput::new(output, Arc::clone(&observed));
        let mut all = Vec::new();
        watched.read_to_end(&mut all).await.unwrap();
        (observed, all.len())
    }

    #[tokio::test]
    async fn lines_that_are_no_messages_are_noted() {
        for (output, hint) in [
            ("{\"a\": 1}\n[]\n\n", ""),
            ("{\"a\": 1}\nlistening on 80\n", "; it printed what is no message of MCP: listening on 80"),
            ("{\"a\": \n", "; it printed what is no message of MCP: {\"a\":"),
        ] {
            assert_eq!(read(output.as_bytes()).await.0.hint(), hint, "{output}");
        }
    }

    #[tokio::test]
    async fn a_message_without_end_ends_the_output() {
        let (observed, length) = read(&vec![b'x'; MAX_MESSAGE + 100]).await;
        assert!(observed.is_too_large() && length <= MAX_MESSAGE);
        let (observed, length) = read(&[vec![b'x'; MAX_MESSAGE - 1], vec![b'\n'], vec![b'y'; 10]].concat()).await;
        assert!(!observed.is_too_large() && length == MAX_MESSAGE + 10);
    }

    #[tokio::test]
    async fn the_last_words_are_kept_of_any_flood() {
        let observed = Arc::new(Observed::default());
        let flood = [vec![b'\n'; 5 << 20], b"one\ntwo\nthree\nfour\n".to_vec()].concat();
        Arc::clone(&observed).drain(flood.as_slice()).await;
        assert_eq!(observed.hint(), "; its last words: two / three / four");
        assert_eq!(lock(&observed.stderr).len(), STDERR_TAIL);
    }
}
