//! What happens around the loop besides keys and the session: signals, another size of the window, other clients.

use std::io;
use std::sync::Arc;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::modes::Signals;

/// Where that comes from.
#[derive(Debug)]
pub(super) enum Outside {
    /// The process of the terminal is this one.
    Process {
        signals: Signals,
        resized: Signal,
    },
    Client(ClientSide),
}

/// What a client of a session tells of its terminal, and the session of its other clients.
#[derive(Debug)]
pub(crate) struct ClientSide {
    /// The window has another size.
    pub(crate) resized: Arc<Notify>,
    /// The client is gone.
    pub(crate) gone: CancellationToken,
    /// The session ends.
    pub(crate) ended: CancellationToken,
    /// How often another session, or another place in it, has taken the place of what was shown.
    pub(crate) replaced: watch::Receiver<u64>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Happened {
    /// The mode is to end.
    Ended,
    /// So is it, unless Ctrl+C was meant for a program that uses the terminal.
    Interrupted,
    /// So is it, since the terminal is gone.
    Gone,
    /// The window has another size.
    Resized,
    /// Another session, or another place in it, has taken the place of what is shown.
    Replaced,
}

impl Outside {
    /// That of this process.
    ///
    /// # Errors
    /// When the system refuses signals.
    pub(super) fn process() -> io::Result<Self> {
        Ok(Self::Process { signals: Signals::install()?, resized: signal(SignalKind::window_change())? })
    }

    /// Waits for the next. Nothing is lost when the future is dropped.
    pub(super) async fn next(&mut self) -> Happened {
        match self {
            Self::Process { signals, resized } => tokio::select! {
                code = signals.next() => if code == Signals::INTERRUPTED { Happened::Interrupted } else { Happened::Ended },
                _ = resized.recv() => Happened::Resized,
            },
            Self::Client(client) => client.next().await,
        }
    }
}

impl ClientSide {
    async fn next(&mut self) -> Happened {
        tokio::select! {
            () = self.gone.cancelled() => Happened::Gone,
            () = self.ended.cancelled() => Happened::Ended,
            () = self.resized.notified() => Happened::Resized,
            Ok(()) = self.replaced.changed() => Happened::Replaced,
        }
    }
}
