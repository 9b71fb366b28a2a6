//! Anything at any time: several tasks prompt, queue, abort, compact, fork, navigate, leave and close one session, in random
//! orders, while a scripted model answers, calls tools and fails. Whatever happens, the following holds:
//!
//! - a prompt that was accepted runs once or is given back, one that was refused never runs;
//! - events are well nested, and what they announce is in the session already;
//! - everything comes to an end, the session answers afterwards;
//! - nothing runs after the end of `dispose`.

mod ops;
mod script;
mod watcher;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::FutureExt;
use pi_ai::scripted::model;
use pi_coding_agent::agent_session::{Error, PromptOptions};
use pi_coding_agent::session::{NewSession, SessionManager};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::support::{Stage, host};
use ops::{Op, perform};
use pi_test_kit::scale;
use script::{Reply, replies};
use watcher::{Fate, Watcher};

/// As long as a case may take; it takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone)]
struct Case {
    tasks: Vec<Vec<Op>>,
    replies: Vec<Reply>,
    /// Whether the session is in a file.
    in_file: bool,
    /// Whether tasks run at the same time instead of in turns.
    parallel: bool,
}

fn any_case() -> impl Strategy<Value = Case> {
    let tasks = prop::collection::vec(prop::collection::vec(ops::any_op(), 1..8), 2..5);
    let replies = prop::collection::vec(script::any_reply(), 1..12);
    (tasks, replies, any::<bool>(), any::<bool>()).prop_map(|(tasks, replies, in_file, parallel)| Case {
        tasks,
        replies,
        in_file,
        parallel,
    })
}

#[test]
fn whatever_happens_at_once_prompts_run_once_and_events_are_nested() {
    let cases = u32::try_from(scale(200, 20_000)).unwrap();
    let config = Config { cases, max_shrink_iters: 2_000, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&any_case(), |case| play(&case).map_err(TestCaseError::fail)).unwrap();
}

/// Plays a case and says what is wrong.
fn play(case: &Case) -> Result<(), String> {
    let mut builder = match case.parallel {
        true => tokio::runtime::Builder::new_multi_thread(),
        false => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = builder.worker_threads(3).enable_all().build().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let outcome = runtime.block_on(async {
        let stage = stage(case, dir.path());
        let watcher = Watcher::on(&stage.session, case.parallel);
        let played = tokio::time::timeout(PATIENCE, play_on(case, &stage, &watcher)).await;
        played.map_err(|_| format!("stuck; heard: {:#?}", watcher.heard()))
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    outcome?
}

fn stage(case: &Case, dir: &std::path::Path) -> Stage {
    let settings = json!({
        "retry": {"baseDelayMs": 1, "maxRetries": 2},
        "compaction": {"enabled": true, "reserveTokens": 100, "keepRecentTokens": 10},
    });
    let stage = Stage::with_options(settings, vec![model("m")], |mut options| {
        if case.in_file {
            options.session_manager = Some(SessionManager::create(host(dir), dir, &NewSession::default()).unwrap());
        }
        options
    });
    stage.provider.set_steps(replies(&case.replies));
    stage
}

async fn play_on(case: &Case, stage: &Stage, watcher: &Arc<Watcher>) -> Result<(), String> {
    let numbers = Arc::new(AtomicUsize::new(0));
    let tasks = case.tasks.iter().cloned().map(|ops| {
        let (session, watcher, numbers) = (stage.session.clone(), Arc::clone(watcher), Arc::clone(&numbers));
        tokio::spawn(async move {
            for op in ops {
                perform(&session, &watcher, &numbers, op).await;
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.map_err(|panicked| panicked.to_string())?;
    }
    come_to_an_end(stage, watcher, &numbers).await?;
    watcher.verdict()
}

/// What is left is looked at; then the session answers once more, and is closed.
async fn come_to_an_end(stage: &Stage, watcher: &Arc<Watcher>, numbers: &AtomicUsize) -> Result<(), String> {
    let session = &stage.session;
    session.wait_for_idle().await;
    watcher.given_back(&session.queue().clear().await);
    let text = format!("prompt {}", numbers.fetch_add(1, Ordering::Relaxed));
    let last = ops::send(session, watcher, &text, None).await;
    match (watcher.is_closed(), last) {
        (true, Err(Error::SessionClosed)) => {}
        (true, other) => return Err(format!("a closed session said {other:?}")),
        (false, Ok(())) if watcher.fate(&text) == Some(Fate::Started) => {}
        (false, other) => return Err(format!("an idle session said {other:?}")),
    }
    if session.is_streaming()
        || session.compaction().is_running()
        || session.retry().is_waiting()
        || session.shell().is_running()
    {
        return Err("something goes on in an idle session".to_owned());
    }
    watcher.dispose(session).await;
    let calls = stage.provider.call_count();
    let refused = session.prompt("late", PromptOptions::default()).now_or_never();
    if !matches!(refused, Some(Err(Error::SessionClosed))) {
        return Err(format!("a closed session said {refused:?}"));
    }
    tokio::time::sleep(Duration::from_millis(2)).await;
    match stage.provider.call_count() == calls {
        true => Ok(()),
        false => Err("the model was called after the end".to_owned()),
    }
}
