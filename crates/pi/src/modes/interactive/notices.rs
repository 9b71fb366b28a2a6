//! What else goes wrong, in sentences: on its way to the loop, since standard error is the screen.

use std::sync::{Arc, Mutex};

use pi_guard::Unpoisoned;
use tokio::sync::Notify;

/// Sentences that wait to be shown. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Notices(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    texts: Mutex<Vec<String>>,
    arrived: Notify,
}

impl Notices {
    /// Adds one.
    pub fn put(&self, text: &str) {
        self.0.texts.lock().unpoisoned().push(text.to_owned());
        self.0.arrived.notify_one();
    }

    pub(super) async fn arrived(&self) {
        self.0.arrived.notified().await;
    }

    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.texts.lock().unpoisoned())
    }
}
