//! Reads many files at once.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::SessionInfo;
use super::files::SessionFile;
use super::summary::summarize;

/// Never more files than this are open at once.
const MOST_IN_FLIGHT: usize = 10;

/// How many threads are worth starting for so many files.
pub(in crate::session) fn thread_count(files: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    cores.min(MOST_IN_FLIGHT).min(files)
}

/// Summaries of the files that are sessions, in no order. Files are begun in the order given. When `progress` breaks,
/// what is known by then is returned.
pub(super) fn read_all(
    files: &[SessionFile],
    only_of: Option<&Path>,
    mut progress: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Vec<SessionInfo> {
    let queue = Queue { files, only_of, next: AtomicUsize::new(0), stop: AtomicBool::new(false) };
    let (results, received) = channel();
    let mut sessions = Vec::new();
    thread::scope(|scope| {
        for _ in 0..thread_count(files.len()) {
            let (queue, results) = (&queue, results.clone());
            scope.spawn(move || queue.work(&results));
        }
        drop(results);
        for (done, session) in received.iter().enumerate() {
            sessions.extend(session);
            if progress(done + 1, files.len()).is_break() {
                queue.stop.store(true, Ordering::Relaxed);
                break;
            }
        }
    });
    sessions
}

struct Queue<'a> {
    files: &'a [SessionFile],
    only_of: Option<&'a Path>,
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Queue<'_> {
    fn work(&self, results: &Sender<Option<SessionInfo>>) {
        let mut buffer = Vec::new();
        while let Some(file) = self.files.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            let session = summarize(file, self.only_of, &mut buffer, &self.stop);
            if self.stop.load(Ordering::Relaxed) || results.send(session).is_err() {
                return;
            }
        }
    }
}
