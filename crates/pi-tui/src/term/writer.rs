//! One thread that writes frames.
//!
//! A terminal may read slowly, or not at all for a while. Keys must not wait for that, so a frame is given to a thread; while
//! it is under way no other is drawn. What was to be seen in between is in the next one.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use pi_guard::Unpoisoned;

use super::tty::write_all;

/// Writes to the terminal without waiting for it.
#[derive(Clone)]
pub struct Writer {
    shared: Arc<Shared>,
    /// However the program ends, it must be known whether the alternate screen is to be left.
    is_alternate: Arc<AtomicBool>,
}

struct Shared {
    state: Mutex<WriterState>,
    changed: Condvar,
}

#[derive(Default)]
struct WriterState {
    /// What comes after what is being written.
    next: String,
    is_writing: bool,
    is_closed: bool,
    /// Why nothing can be written any more.
    error: Option<io::ErrorKind>,
}

impl Writer {
    /// `on_free` is called on the writer's thread whenever everything is written, and when writing has failed.
    pub(super) fn start(output: OwnedFd, on_free: impl Fn() + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new() });
        let writer = Self { shared: Arc::clone(&shared), is_alternate: Arc::default() };
        thread::Builder::new().name("terminal output".to_owned()).spawn(move || write(&output, &shared, on_free))?;
        Ok(writer)
    }

    /// Whether everything is written, so that a frame may be drawn.
    pub fn is_free(&self) -> bool {
        self.lock().is_free()
    }

    /// Writes soon, after everything before. Frames are for a writer that is free; short sequences may come at any time.
    pub fn send(&self, text: &str) {
        if let Some((_, after)) = text.rsplit_once("\x1b[?1049") {
            self.is_alternate.store(after.starts_with('h'), Ordering::Relaxed);
        }
        let mut state = self.lock();
        if state.error.is_none() {
            state.next.push_str(text);
        }
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Waits until everything is written, or so long. Returns whether everything is.
    pub fn flush(&self, patience: Duration) -> bool {
        let end = Instant::now() + patience;
        let mut state = self.lock();
        while !state.is_free() && state.error.is_none() {
            let Some(left) = end.checked_duration_since(Instant::now()) else {
                return false;
            };
            state = self.shared.changed.wait_timeout(state, left).unpoisoned().0;
        }
        state.error.is_none()
    }

    /// Why nothing can be written any more: the terminal is gone.
    pub fn error(&self) -> Option<io::ErrorKind> {
        self.lock().error
    }

    /// Whether the alternate screen is shown, as far as everything that was sent says.
    pub(super) fn is_alternate(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_alternate)
    }

    /// Ends the thread after what is being written.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.shared.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, WriterState> {
        self.shared.lock()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, WriterState> {
        self.state.lock().unpoisoned()
    }

    /// Waits for something to write and takes it.
    fn take(&self, buffer: &mut String) -> bool {
        let mut state = self.lock();
        while state.next.is_empty() {
            if state.is_closed {
                return false;
            }
            state = self.changed.wait(state).unpoisoned();
        }
        std::mem::swap(&mut state.next, buffer);
        state.is_writing = true;
        true
    }
}

impl WriterState {
    fn is_free(&self) -> bool {
        !self.is_writing && self.next.is_empty()
    }
}

fn write(output: &OwnedFd, shared: &Shared, on_free: impl Fn()) {
    let mut buffer = String::new();
    while shared.take(&mut buffer) {
        let result = write_all(output, buffer.as_bytes(), None);
        buffer.clear();
        let mut state = shared.lock();
        state.is_writing = false;
        state.error = result.err().map(|error| error.kind());
        let (is_free, has_failed) = (state.is_free(), state.error.is_some());
        drop(state);
        shared.changed.notify_all();
        if is_free || has_failed {
            on_free();
        }
        if has_failed {
            return;
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Writer").field("is_free", &self.is_free()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn one_thing_at_a_time_and_nothing_waits() {
        let (reading, writing) = rustix::pipe::pipe().unwrap();
        let (freed, is_freed) = mpsc::channel();
        let writer = Writer::start(writing, move || freed.send(()).unwrap_or_default()).unwrap();
        assert!(writer.is_free());
        // More than the pipe takes.
        writer.send(&"x".repeat(1 << 20));
        assert!(!writer.is_free() && !writer.flush(Duration::from_millis(10)));
        writer.send("end");
        writer.close();
        let mut text = Vec::new();
        io::Read::read_to_end(&mut std::fs::File::from(reading), &mut text).unwrap();
        assert_eq!((text.len(), &text[1 << 20..]), ((1 << 20) + 3, &b"end"[..]));
        is_freed.recv().unwrap();
        assert!(writer.is_free() && writer.error().is_none());
    }

    #[test]
    fn a_terminal_that_is_gone_is_told() {
        let (reading, writing) = rustix::pipe::pipe().unwrap();
        let (freed, is_freed) = mpsc::channel();
        let writer = Writer::start(writing, move || freed.send(()).unwrap_or_default()).unwrap();
        drop(reading);
        writer.send("x");
        is_freed.recv().unwrap();
        assert_eq!(writer.error(), Some(io::ErrorKind::BrokenPipe));
        assert!(!writer.flush(Duration::from_secs(1)));
    }
}
