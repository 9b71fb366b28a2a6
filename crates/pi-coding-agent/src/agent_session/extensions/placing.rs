//! Prompts that extensions say during a run, until they are in a queue: handlers of `input` see them first.
//!
//! A run waits for them after each of its events, so that it does not end before it has read what its handlers said.

use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// As long as a run waits. Whoever thinks longer about a prompt gets it into the next run.
const PATIENCE: Duration = Duration::from_secs(2);

/// The prompts on their way.
#[derive(Debug)]
pub(super) struct Placings(watch::Sender<usize>);

/// A prompt on its way.
#[derive(Debug)]
pub(super) struct Placing(watch::Sender<usize>);

impl Default for Placings {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl Placings {
    /// A prompt sets out; it has arrived when the value is dropped.
    pub(super) fn begin(&self) -> Placing {
        self.0.send_modify(|open| *open += 1);
        Placing(self.0.clone())
    }

    /// Waits until all have arrived, the run is aborted, or the user is asked something.
    pub(super) async fn settled(&self, cancel: Option<&CancellationToken>, mut dialogs: watch::Receiver<usize>) {
        if *self.0.borrow() == 0 {
            return;
        }
        let mut open = self.0.subscribe();
        let aborted = async {
            match cancel {
                Some(cancel) => cancel.cancelled().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = open.wait_for(|open| *open == 0) => {}
            _ = dialogs.wait_for(|open| *open > 0) => {}
            () = aborted => {}
            () = tokio::time::sleep(PATIENCE) => {}
        }
    }
}

impl Drop for Placing {
    fn drop(&mut self) {
        self.0.send_modify(|open| *open -= 1);
    }
}
