//! One conversation: an agent, its session file, its settings. One small owner per concern.

mod event;

pub use event::{CompactionOutcome, CompactionReason, SessionEvent};
