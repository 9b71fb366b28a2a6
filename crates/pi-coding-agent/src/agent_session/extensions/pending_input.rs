//! Prompts that extensions say without waiting for them, until they are where they go: handlers of `input` see them first.
//!
//! They arrive in the order in which they were said. A run waits for those said during it after each of its events, so that
//! it does not end before it has read what its handlers said.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// As long as a run, or a later prompt, waits. Whoever thinks longer about a prompt gets it into the next run.
const PATIENCE: Duration = Duration::from_secs(2);

/// The prompts on their way, by their numbers, and whether they were said during a run.
type Open = BTreeMap<u64, bool>;

/// The prompts on their way.
#[derive(Debug)]
pub(super) struct Placings(watch::Sender<Open>);

/// A prompt on its way.
#[derive(Debug)]
pub(super) struct PendingInput {
    open: watch::Sender<Open>,
    number: u64,
}

impl Default for Placings {
    fn default() -> Self {
        Self(watch::Sender::new(Open::new()))
    }
}

impl Placings {
    /// A prompt sets out; it has arrived when the value is dropped.
    pub(super) fn begin(&self, is_during_run: bool) -> PendingInput {
        let mut number = 0;
        self.0.send_modify(|open| {
            number = open.last_key_value().map_or(0, |(last, _)| last + 1);
            open.insert(number, is_during_run);
        });
        PendingInput { open: self.0.clone(), number }
    }

    /// Waits until those said during a run have arrived, the run is aborted, or the user is asked something.
    pub(super) async fn settled(&self, cancel: Option<&CancellationToken>, dialogs: watch::Receiver<usize>) {
        let is_settled = |open: &Open| !open.values().any(|is_during_run| *is_during_run);
        if is_settled(&self.0.borrow()) {
            return;
        }
        let aborted = async {
            match cancel {
                Some(cancel) => cancel.cancelled().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = wait(self.0.subscribe(), dialogs, is_settled) => {}
            () = aborted => {}
        }
    }
}

impl PendingInput {
    /// Waits until those that set out before have arrived, or the user is asked something.
    pub(super) fn turn(&self, dialogs: watch::Receiver<usize>) -> impl Future<Output = ()> + Send + 'static + use<> {
        let (open, number) = (self.open.subscribe(), self.number);
        wait(open, dialogs, move |open| open.first_key_value().is_none_or(|(first, _)| *first >= number))
    }
}

async fn wait(
    mut open: watch::Receiver<Open>,
    mut dialogs: watch::Receiver<usize>,
    is_enough: impl Fn(&Open) -> bool + Send + 'static,
) {
    tokio::select! {
        biased;
        _ = open.wait_for(is_enough) => {}
        _ = dialogs.wait_for(|open| *open > 0) => {}
        () = tokio::time::sleep(PATIENCE) => {}
    }
}

impl Drop for PendingInput {
    fn drop(&mut self) {
        self.open.send_modify(|open| {
            open.remove(&self.number);
        });
    }
}
