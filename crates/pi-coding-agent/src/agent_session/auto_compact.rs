//! stub

use std::sync::atomic::{AtomicBool, Ordering};

use pi_ai::AssistantMessage;

use super::Inner;

/// How far automatic compaction is.
#[derive(Default)]
pub(crate) struct CompactionState {
    recovered: AtomicBool,
}

impl CompactionState {
    pub(super) fn new_user_message(&self) {
        self.recovered.store(false, Ordering::Relaxed);
    }
    pub(super) fn answered(&self) {
        self.recovered.store(false, Ordering::Relaxed);
    }
    pub(crate) fn is_active(&self) -> bool {
        false
    }
    pub(super) fn cancel(&self) {}
}

pub(super) async fn before_prompt(_session: &Inner) -> bool {
    false
}

pub(super) async fn after_run(_session: &Inner, _last: &AssistantMessage) -> bool {
    false
}
