//! What tasks do with the session.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt;
use pi_coding_agent::agent_session::{
    AgentSession, BashOptions, Error, ForkPosition, NavigateOptions, PromptOptions, Replacement, StreamingBehavior,
};
use proptest::prelude::*;

use super::script::pause;
use super::watcher::{Fate, Watcher};

/// A thing to do. Numbers choose among the entries that there are at that time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    /// Sends a prompt and waits for its run.
    Prompt(Option<StreamingBehavior>),
    /// Sends a prompt and goes away after a while.
    Drop(u8),
    /// Queues a text.
    Queue(StreamingBehavior),
    /// Takes everything out of the queues.
    ClearQueue,
    /// Stops the run.
    Abort,
    /// Ends the pause before a retry.
    AbortRetry,
    /// Summarises history.
    Compact,
    /// Stops that.
    AbortCompaction,
    /// Leaves for a new session.
    NewSession,
    /// Leaves for a copy of the branch.
    Clone,
    /// Leaves for a copy of a part of it.
    Fork(u8),
    /// Goes elsewhere in the tree.
    Navigate(u8, bool),
    /// Runs a command.
    Command,
    /// Reads settings and extensions anew.
    Reload,
    /// Lets others go on for a while.
    Pause(u8),
    /// Closes the session.
    Dispose,
}

fn any_behavior() -> impl Strategy<Value = StreamingBehavior> {
    prop_oneof![Just(StreamingBehavior::Steer), Just(StreamingBehavior::FollowUp)]
}

pub(super) fn any_op() -> impl Strategy<Value = Op> {
    prop_oneof![
        30 => prop::option::of(any_behavior()).prop_map(Op::Prompt),
        4 => (0..40_u8).prop_map(Op::Drop),
        8 => any_behavior().prop_map(Op::Queue),
        3 => Just(Op::ClearQueue),
        8 => Just(Op::Abort),
        3 => Just(Op::AbortRetry),
        8 => Just(Op::Compact),
        3 => Just(Op::AbortCompaction),
        4 => Just(Op::NewSession),
        2 => Just(Op::Clone),
        4 => any::<u8>().prop_map(Op::Fork),
        6 => (any::<u8>(), any::<bool>()).prop_map(|(entry, summarize)| Op::Navigate(entry, summarize)),
        2 => Just(Op::Command),
        1 => Just(Op::Reload),
        14 => (0..30_u8).prop_map(Op::Pause),
        1 => Just(Op::Dispose),
    ]
}

/// Does it. What is refused is refused.
pub(super) async fn perform(session: &AgentSession, watcher: &Arc<Watcher>, numbers: &AtomicUsize, op: Op) {
    let text = || format!("prompt {}", numbers.fetch_add(1, Ordering::Relaxed));
    match op {
        Op::Prompt(behavior) => drop(send(session, watcher, &text(), behavior).await),
        Op::Drop(yields) => {
            let text = text();
            watcher.may_be_dropped(&text);
            let sent = send(session, watcher, &text, None);
            tokio::select! {
                _ = sent => {}
                () = pause(yields) => {}
            }
        }
        Op::Queue(behavior) => {
            let text = text();
            watcher.accept(&text, Fate::Queued);
            match behavior {
                StreamingBehavior::Steer => session.queue().steer(&text, Vec::new()).await.unwrap(),
                StreamingBehavior::FollowUp => session.queue().follow_up(&text, Vec::new()).await.unwrap(),
            }
        }
        Op::ClearQueue => watcher.given_back(&session.queue().clear().await),
        Op::Abort => session.abort().await,
        Op::AbortRetry => session.retry().abort(),
        Op::Compact => drop(session.compaction().run(None).await),
        Op::AbortCompaction => session.compaction().abort(),
        Op::NewSession => leave(watcher, session.switch().to_new(None)).await,
        Op::Clone => leave(watcher, session.tree().clone_branch()).await,
        Op::Fork(number) => {
            if let Some(entry) = entry(session, number) {
                leave(watcher, session.tree().fork(&entry, ForkPosition::At)).await;
            }
        }
        Op::Navigate(number, summarize) => {
            if let Some(entry) = entry(session, number) {
                let options = NavigateOptions { summarize, ..NavigateOptions::default() };
                drop(session.tree().navigate(&entry, options).await);
            }
        }
        Op::Command => drop(session.shell().run("true", BashOptions::default()).await),
        Op::Reload => drop(session.reload().await),
        Op::Pause(yields) => pause(yields).await,
        Op::Dispose => watcher.dispose(session).await,
    }
}

/// Sends a prompt and notes what became of it.
pub(super) async fn send(
    session: &AgentSession,
    watcher: &Arc<Watcher>,
    text: &str,
    streaming_behavior: Option<StreamingBehavior>,
) -> Result<(), Error> {
    let (noting, noted) = (Arc::clone(watcher), text.to_owned());
    let on_accepted = Box::new(move |disposition| {
        noting.accept(&noted, Fate::from(disposition));
        std::future::ready(()).boxed()
    });
    let options = PromptOptions { streaming_behavior, on_accepted: Some(on_accepted), ..PromptOptions::default() };
    let sent = session.prompt(text, options).await;
    if sent.is_ok() != watcher.fate(text).is_some() {
        watcher.complain(format!("{text} was answered with {sent:?}, and before with {:?}", watcher.fate(text)));
    }
    sent
}

async fn leave(watcher: &Watcher, left: impl Future<Output = Result<Replacement, Error>>) {
    // What waits in the queues is dropped from some moment on.
    watcher.leaves();
    drop(left.await);
}

fn entry(session: &AgentSession, number: u8) -> Option<String> {
    session.store().read(|manager| {
        let ids: Vec<String> =
            manager.entries().iter().filter_map(Result::ok).map(|entry| entry.id().to_owned()).collect();
        ids.get(usize::from(number) % ids.len().max(1)).cloned()
    })
}
