//! At most so many commands at once; the others wait for their turn, in the order in which they came.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use pi_guard::Unpoisoned;
use tokio::sync::oneshot;

/// How many commands run at once unless somebody says otherwise.
pub(crate) const MAX_CONCURRENT_COMMANDS: usize = 64;

/// The commands of this process, whatever session they belong to: it is the machine that has to bear them.
pub(crate) static COMMANDS: FairSemaphore = FairSemaphore::new();

/// A count of what runs, and a queue.
#[derive(Debug)]
pub(crate) struct FairSemaphore(Mutex<State>);

#[derive(Debug)]
struct State {
    running: usize,
    waiting: VecDeque<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    limit: usize,
    call: oneshot::Sender<Turn>,
}

/// Somebody's turn, over when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn(&'static FairSemaphore);

impl FairSemaphore {
    const fn new() -> Self {
        Self(Mutex::new(State { running: 0, waiting: VecDeque::new() }))
    }

    /// Waits until fewer than `limit` run, and all who came before have had their turn. Dropping the future gives up the
    /// place in the queue.
    pub(crate) async fn take(&'static self, limit: usize) -> Turn {
        let called = {
            let mut state = self.state();
            let (call, called) = oneshot::channel();
            state.waiting.push_back(Waiter { limit: limit.max(1), call });
            called
        };
        self.call_next();
        match called.await {
            Ok(turn) => turn,
            // A call is only dropped by whoever has gone away.
            Err(_) => std::future::pending().await,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unpoisoned()
    }

    /// Calls all whose turn it is.
    fn call_next(&'static self) {
        loop {
            let next = {
                let mut state = self.state();
                match state.waiting.front() {
                    Some(first) if state.running < first.limit || first.call.is_closed() => {}
                    _ => return,
                }
                let next = state.waiting.pop_front();
                state.running += 1;
                next
            };
            // Nobody there any more: the turn is dropped at once.
            if let Some(next) = next
                && let Err(turn) = next.call.send(Turn(self))
            {
                turn.give_back();
            }
        }
    }
}

impl Turn {
    /// Ends without a call to the next: for somebody who calls already.
    fn give_back(self) {
        self.0.state().running -= 1;
        std::mem::forget(self);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.call_next();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn turns_come_in_order_and_those_who_went_away_are_passed_over() {
        static TURNS: FairSemaphore = FairSemaphore::new();
        let (first, second) = (TURNS.take(2).await, TURNS.take(2).await);
        let mut third = Box::pin(TURNS.take(2));
        let mut gone = Box::pin(TURNS.take(2));
        let mut fifth = Box::pin(TURNS.take(2));
        assert!((&mut third).now_or_never().is_none());
        assert!((&mut gone).now_or_never().is_none() && (&mut fifth).now_or_never().is_none());
        drop(gone);
        drop(first);
        let third = third.now_or_never().unwrap();
        assert!((&mut fifth).now_or_never().is_none());
        drop(second);
        let fifth = fifth.now_or_never().unwrap();
        assert_eq!(TURNS.state().running, 2);
        // A turn that was called and not taken is not lost.
        let mut late = Box::pin(TURNS.take(2));
        assert!((&mut late).now_or_never().is_none());
        drop((third, fifth));
        drop(late);
        assert_eq!(TURNS.state().running, 0);
        // Whoever allows more comes after those who wait, and then at once.
        let many: Vec<Turn> = futures::future::join_all((0..100).map(|_| TURNS.take(100))).await;
        assert!(TURNS.take(100).now_or_never().is_none());
        drop(many);
        assert_eq!(TURNS.state().running, 0);
    }
}
