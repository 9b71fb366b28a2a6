//! What a script says without waiting for it: done as far as possible at once, and in the order in which it was said.

use std::task::{Context, Poll, Waker};

use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};

/// Work that the script does not wait for.
pub(super) type Work = BoxFuture<'static, ()>;

/// Of one extension. Only its script's thread puts something in.
#[derive(Debug)]
pub(super) struct Outbox {
    /// How much is waiting or under way.
    open: watch::Sender<usize>,
    sender: std::sync::OnceLock<mpsc::UnboundedSender<Work>>,
}

impl Default for Outbox {
    fn default() -> Self {
        Self { open: watch::Sender::new(0), sender: std::sync::OnceLock::new() }
    }
}

impl Outbox {
    /// Does the work if nothing is before it and it need not wait; else it follows, on the runtime, in its turn.
    /// To be called inside that runtime.
    pub(super) fn put(&self, runtime: &Handle, mut work: Work) {
        if *self.open.borrow() == 0 && work.as_mut().poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(()) {
            return;
        }
        self.open.send_modify(|open| *open += 1);
        let sender = self.sender.get_or_init(|| self.start(runtime));
        // The task that receives lives as long as the sender.
        let _ = sender.send(work);
    }

    /// Waits until everything has been said.
    pub(super) async fn emptied(&self) {
        if *self.open.borrow() > 0 {
            // The sender lives in this value.
            let _ = self.open.subscribe().wait_for(|open| *open == 0).await;
        }
    }

    fn start(&self, runtime: &Handle) -> mpsc::UnboundedSender<Work> {
        let (sender, mut receiver) = mpsc::unbounded_channel::<Work>();
        let open = self.open.clone();
        runtime.spawn(async move {
            while let Some(work) = receiver.recv().await {
                work.await;
                open.send_modify(|open| *open -= 1);
            }
        });
        sender
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn what_waits_holds_up_what_follows_and_nothing_else_waits() {
        let (outbox, said) = (Outbox::default(), Arc::new(Mutex::new(Vec::new())));
        let say = |what: &'static str, delay: u64| -> Work {
            let said = Arc::clone(&said);
            Box::pin(async move {
                if delay > 0 {
                    tokio::time::sleep(Duration::from_millis(delay)).await;
                }
                said.lock().unwrap().push(what);
            })
        };
        outbox.put(&Handle::current(), say("at once", 0));
        assert_eq!(*said.lock().unwrap(), ["at once"]);
        outbox.put(&Handle::current(), say("slow", 20));
        outbox.put(&Handle::current(), say("in turn", 0));
        assert_eq!(*said.lock().unwrap(), ["at once"]);
        outbox.emptied().await;
        outbox.put(&Handle::current(), say("at once again", 0));
        assert_eq!(*said.lock().unwrap(), ["at once", "slow", "in turn", "at once again"]);
    }
}
