//! The order in which messages are taken. Commands run beside each other, but prompts, steering and follow-ups reach the
//! session in the order of their lines, and those that arrive in one write are there before the run calls the model.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use pi_guard::lock;
use tokio::sync::{Notify, watch};

/// What arrived and has not been taken. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Intake(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    turns: Mutex<Turns>,
    /// A turn has ended.
    ended: Notify,
    /// Whether commands of the write that is being taken are still to come.
    more: watch::Sender<bool>,
}

/// Numbers of messages that have arrived and have not been taken.
#[derive(Debug, Default)]
struct Turns {
    next: u64,
    open: BTreeSet<u64>,
}

/// The place of a message among those that arrived. It is taken, or refused, when this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    intake: Intake,
    number: u64,
}

impl Intake {
    /// A message arrives.
    pub(super) fn arrive(&self) -> Turn {
        let mut turns = lock(&self.0.turns);
        let number = turns.next;
        turns.next += 1;
        turns.open.insert(number);
        Turn { intake: self.clone(), number }
    }

    /// Whether more commands of the same write are to be started before runs go on.
    pub(super) fn set_more(&self, more: bool) {
        self.0.more.send_if_modified(|old| std::mem::replace(old, more) != more);
    }

    /// Waits until all commands of the write that is being taken have been started.
    pub async fn taken(&self) {
        // The sender lives in `self`, so the channel cannot close.
        let _ = self.0.more.subscribe().wait_for(|more| !more).await;
    }
}

impl Turn {
    /// Waits until everything that arrived earlier has been taken.
    pub(super) async fn come(&self) {
        loop {
            let ended = self.intake.0.ended.notified();
            if lock(&self.intake.0.turns).open.first().is_none_or(|first| *first == self.number) {
                return;
            }
            ended.await;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        lock(&self.intake.0.turns).open.remove(&self.number);
        self.intake.0.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn turns_come_in_the_order_of_arrival_whatever_ends_first() {
        let intake = Intake::default();
        let [first, second, third] = [intake.arrive(), intake.arrive(), intake.arrive()];
        assert!(first.come().now_or_never().is_some());
        drop(second);
        assert!(third.come().now_or_never().is_none(), "the first one is still there");
        drop(first);
        third.come().await;
    }
}
