//! What the model does, call by call.

use std::time::Duration;

use pi_ai::scripted::ScriptedStep;
use proptest::prelude::*;

use crate::support::{fails, runs, says};

/// An answer of the model.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reply {
    /// A text.
    Text,
    /// A text that takes its time.
    Slow(u8),
    /// A call of a tool.
    Tool,
    /// A failure that is repeated.
    Overloaded,
    /// A failure that is answered with a compaction.
    TooLong,
    /// A failure for good.
    Broken,
}

pub(super) fn any_reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        4 => Just(Reply::Text),
        3 => (1..30_u8).prop_map(Reply::Slow),
        2 => Just(Reply::Tool),
        2 => Just(Reply::Overloaded),
        1 => Just(Reply::TooLong),
        1 => Just(Reply::Broken),
    ]
}

/// As many calls as a case can make. Whoever asks without tools wants a summary.
pub(super) fn replies(replies: &[Reply]) -> Vec<ScriptedStep> {
    let of = |at: usize| {
        // In the end there is a text, so that retries end.
        let reply = replies.get(at).copied().unwrap_or(Reply::Text);
        ScriptedStep::from_async(move |call| async move {
            if let Reply::Slow(yields) = reply {
                pause(yields).await;
            }
            Ok(match reply {
                _ if call.context.tools.is_empty() => says("SUMMARY"),
                Reply::Text | Reply::Slow(_) => says("well"),
                Reply::Tool => runs("true"),
                Reply::Overloaded => fails("overloaded_error"),
                Reply::TooLong => fails("prompt is too long: 210000 tokens > 200000 maximum"),
                Reply::Broken => fails("no such thing"),
            })
        })
    };
    (0..400).map(of).collect()
}

/// Lets others go on for a while.
pub(super) async fn pause(yields: u8) {
    if yields > 20 {
        tokio::time::sleep(Duration::from_millis(u64::from(yields) - 20)).await;
    }
    for _ in 0..yields {
        tokio::task::yield_now().await;
    }
}
