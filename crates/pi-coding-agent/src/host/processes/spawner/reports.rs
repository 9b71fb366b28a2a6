//! What the spawner reports about one command, as it arrives.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

use super::client::Link;
use super::packet::{REPORT, Report};

/// After so long without a report the spawner is woken: somebody may have stopped it.
const NUDGE: Duration = Duration::from_secs(1);

/// The reading end of a command's pipe.
#[derive(Debug)]
pub(in crate::host::processes) struct Reports {
    receiver: pipe::Receiver,
    bytes: [u8; REPORT],
    filled: usize,
}

impl Reports {
    pub(super) fn new(reader: OwnedFd) -> io::Result<Self> {
        Ok(Self { receiver: pipe::Receiver::from_owned_fd(reader)?, bytes: [0; REPORT], filled: 0 })
    }

    /// The next report; `None` when there will be none because the spawner is gone. Nothing is lost if the future is
    /// dropped.
    pub(in crate::host::processes) async fn next(&mut self, link: Option<&Link>) -> io::Result<Option<Report>> {
        while self.filled < REPORT {
            match tokio::time::timeout(NUDGE, self.receiver.read(&mut self.bytes[self.filled..])).await {
                Ok(Ok(0)) => return Ok(None),
                Ok(read) => self.filled += read?,
                Err(_) => link.into_iter().for_each(Link::nudge),
            }
        }
        self.filled = 0;
        Ok(Report::from_bytes(self.bytes))
    }
}
