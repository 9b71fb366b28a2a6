//! Signals that end the program, and how it ends: tools killed, session closed, the conventional exit code.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Makes a limit of file sizes (`ulimit -f`) an error of the write, as a full disk is, where the system would end the
/// program: what was not written is told, and nothing is left half done. Commands of tools are not affected.
fn survive_file_size_limit() -> io::Result<()> {
    // The handler stays when the stream is dropped, and does nothing then.
    signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw())).map(drop)
}

/// The signals that end the program.
#[derive(Debug)]
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    /// Takes the signals over from the system's defaults, and the one about file sizes, which does nothing then.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn install() -> io::Result<Self> {
        survive_file_size_limit()?;
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// The exit code that belongs to Ctrl+C.
    pub(crate) const INTERRUPTED: u8 = 130;

    /// Waits for one; returns the exit code that belongs to it (128 + the signal's number).
    pub async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => Self::INTERRUPTED,
            _ = self.terminate.recv() => 143,
            _ = self.hang_up.recv() => 129,
        }
    }
}
