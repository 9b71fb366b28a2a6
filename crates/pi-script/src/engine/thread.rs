//! The thread: makes the engine, then takes messages and timers until it is told to stop.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use super::handle::{Stop, WeakEngine};
use super::message::Message;
use super::options::EngineOptions;
use super::report::{Report, ReportKind};
use super::spin;
use super::worker::Worker;
use crate::error::{Error, ScriptError};

/// Beyond the engine's own stack: what the program's side of a call needs.
const EXTRA_STACK: usize = 2 << 20;

pub(super) fn spawn(
    options: EngineOptions,
    runtime: Handle,
    receiver: Receiver<Message>,
    stop: Arc<Stop>,
    engine: WeakEngine,
) -> Result<(), Error> {
    let stack = options.limits.stack + EXTRA_STACK;
    // Of a path the file's name says most. Linux cuts names of threads at 15 bytes.
    let name = options.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = format!("js {name}").chars().take(15).collect();
    let thread = std::thread::Builder::new().name(name).stack_size(stack);
    let work = move || {
        let report = Arc::clone(&options.on_report);
        let name = options.name.clone();
        // Operations for which the script waits may start children and connections.
        let handle = runtime.clone();
        let _entered = handle.enter();
        spin::note_script_thread();
        match Worker::new(options, runtime, Arc::clone(&stop), engine) {
            Ok(worker) => run(&worker, &receiver, &stop),
            Err(error) => stop.request(&error.to_string()),
        }
        tracing::debug!(script = name, reason = stop.reason(), "script engine ended");
        report(Report { kind: ReportKind::Stopped, error: ScriptError::new(stop.reason()) });
    };
    thread.spawn(work).map(drop).map_err(Error::Thread)
}

fn run(worker: &Worker, receiver: &Receiver<Message>, stop: &Stop) {
    let mut patience = Duration::ZERO;
    while !stop.is_requested.load(Ordering::Acquire) {
        let began = Instant::now();
        let message = next(worker, receiver, patience);
        patience = match message {
            Ok(Message::Call { .. }) => spin::patience(began.elapsed()),
            _ => Duration::ZERO,
        };
        match message {
            Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(message) => worker.handle(message),
            Err(RecvTimeoutError::Timeout) => {}
        }
        worker.run_timers();
    }
    stop.request("nobody uses it any more");
}

/// The next message, or the time of the next timer.
fn next(worker: &Worker, receiver: &Receiver<Message>, patience: Duration) -> Result<Message, RecvTimeoutError> {
    let due = worker.next_timer();
    let pause = |due: Instant| due.saturating_duration_since(Instant::now());
    let patience = due.map_or(patience, |due| patience.min(pause(due)));
    if let Some(message) = spin::look(patience, || receiver.try_recv().ok()) {
        return Ok(message);
    }
    match due {
        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(due) => receiver.recv_timeout(pause(due)),
    }
}
