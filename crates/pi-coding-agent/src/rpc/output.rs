//! Standard output of the JSON and RPC modes: lines in order, with back-pressure, written by a thread of its own.
//!
//! A reader that goes away is not an error: the program ends quietly with exit code 0. Any other failure (a full disk) is
//! kept for the end of the program, which tells of it.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::Duration;

use pi_guard::Unpoisoned;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

/// Bytes that may wait for the reader before writers have to wait, too.
const BUDGET: usize = 1 << 20;
/// Written buffers that are kept for the next lines.
const SPARE_BUFFERS: usize = 8;
/// Larger buffers than this, in bytes, are not kept: one long line must not cost memory for ever.
const LARGEST_SPARE: usize = 4 << 20;
/// The system gets so many bytes at a time, so that a reader's progress can be seen within a long line.
const PORTION: usize = 1 << 16;

/// A handle to standard output. Clones write to the same stream.
#[derive(Debug, Clone)]
pub struct Output {
    queue: mpsc::UnboundedSender<OutputLine>,
    budget: Arc<Semaphore>,
    spare: Arc<Mutex<Vec<Vec<u8>>>>,
    end: OutputEnd,
    taken: Arc<AtomicU64>,
    hurry: watch::Sender<usize>,
}

/// That nothing can be written any more, and why.
#[derive(Debug, Clone, Default)]
struct OutputEnd {
    closed: CancellationToken,
    /// Empty where the reader went away.
    failure: Arc<OnceLock<io::Error>>,
}

impl OutputEnd {
    fn reached(&self, error: io::Error) {
        let reader_left = matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset);
        if !reader_left {
            // Only the first one counts; nothing is written after it.
            let _ = self.failure.set(error);
        }
        self.closed.cancel();
    }
}

#[derive(Debug)]
enum OutputLine {
    Line(Vec<u8>, Option<OwnedSemaphorePermit>),
    Flush(oneshot::Sender<()>),
}

/// The thread behind an [`Output`]; it ends when the last handle is gone.
#[derive(Debug)]
pub struct OutputThread(JoinHandle<()>);

impl OutputThread {
    /// Waits until everything was written. All handles must have been dropped.
    pub fn join(self) {
        // A panic in the writer leaves nothing to do here.
        let _ = self.0.join();
    }
}

impl Output {
    /// Starts writing to `sink`.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(sink: impl Write + Send + 'static) -> io::Result<(Self, OutputThread)> {
        let (queue, items) = mpsc::unbounded_channel();
        let output = Self {
            queue,
            budget: Arc::new(Semaphore::new(BUDGET)),
            spare: Arc::default(),
            end: OutputEnd::default(),
            taken: Arc::default(),
            hurry: watch::Sender::new(0),
        };
        let sink = Portions { sink, taken: Arc::clone(&output.taken) };
        let (spare, end) = (Arc::clone(&output.spare), output.end.clone());
        let thread =
            std::thread::Builder::new().name("stdout".to_owned()).spawn(move || drain(items, sink, &spare, &end))?;
        Ok((output, OutputThread(thread)))
    }

    /// Fires when the reader went away, or the output cannot be written.
    pub fn closed(&self) -> &CancellationToken {
        &self.end.closed
    }

    /// Why output was lost, such as a full disk. `None` as long as nothing was, and when the reader went away.
    pub fn failure(&self) -> Option<&io::Error> {
        self.end.failure.get()
    }

    /// An empty buffer for the next line, reused where possible.
    pub fn buffer(&self) -> Vec<u8> {
        self.spare.lock().unpoisoned().pop().unwrap_or_default()
    }

    /// Queues a line (or several) with its line end, waiting while the reader is behind.
    pub async fn write(&self, line: Vec<u8>) {
        // Where there is room, the line is there before anybody else's turn.
        if let Ok(permit) = Arc::clone(&self.budget).try_acquire_many_owned(size_of(&line)) {
            return self.queue(OutputLine::Line(line, Some(permit)));
        }
        let permit = tokio::select! {
            permit = Arc::clone(&self.budget).acquire_many_owned(size_of(&line)) => permit.ok(),
            () = self.end.closed.cancelled() => None,
        };
        self.queue(OutputLine::Line(line, permit));
    }

    /// Queues the line of an event. Unlike other lines it does not wait while somebody is in a hurry.
    pub async fn write_event(&self, line: Vec<u8>) {
        if let Ok(permit) = Arc::clone(&self.budget).try_acquire_many_owned(size_of(&line)) {
            return self.queue(OutputLine::Line(line, Some(permit)));
        }
        let mut hurry = self.hurry.subscribe();
        let permit = tokio::select! {
            permit = Arc::clone(&self.budget).acquire_many_owned(size_of(&line)) => permit.ok(),
            () = self.end.closed.cancelled() => None,
            // The sender lives in `self`. What room there is counts as taken, so that others wait all the more.
            _ = hurry.wait_for(|count| *count > 0) => {
                let left = u32::try_from(self.budget.available_permits()).unwrap_or_default();
                Arc::clone(&self.budget).try_acquire_many_owned(left).ok()
            }
        };
        self.queue(OutputLine::Line(line, permit));
    }

    /// Does something that has to wait for events, without their having to wait for the reader.
    pub(crate) async fn hurried<T>(&self, work: impl Future<Output = T>) -> T {
        struct Hurry<'a>(&'a watch::Sender<usize>);
        impl Drop for Hurry<'_> {
            fn drop(&mut self) {
                self.0.send_modify(|count| *count -= 1);
            }
        }
        self.hurry.send_modify(|count| *count += 1);
        let _hurry = Hurry(&self.hurry);
        work.await
    }

    /// Whether a short line could be written at once: nobody waits for the reader.
    pub(crate) fn has_room(&self) -> bool {
        self.budget.available_permits() > 0 || self.budget.is_closed()
    }

    /// Waits until whoever waits for the reader now has written.
    pub async fn room(&self) {
        tokio::select! {
            // Fails once nobody waits any more; then there is room, too.
            _ = self.budget.acquire() => {}
            () = self.end.closed.cancelled() => {}
        }
    }

    /// Ends when the reader has taken nothing for this long.
    pub async fn stalled(&self, patience: Duration) {
        loop {
            let before = self.taken.load(Ordering::Relaxed);
            tokio::time::sleep(patience).await;
            if self.taken.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }

    /// Waits until everything queued so far has been handed to the operating system.
    pub async fn flush(&self) {
        let (done, flushed) = oneshot::channel();
        self.queue(OutputLine::Flush(done));
        // The sender is dropped unanswered when the reader is gone.
        let _ = flushed.await;
    }

    /// From now on nobody waits for the reader: what is written is queued at once.
    pub fn stop_waiting(&self) {
        self.budget.close();
    }

    fn queue(&self, item: OutputLine) {
        // The thread outlives all handles; once the reader is gone it throws items away.
        let _ = self.queue.send(item);
    }
}

/// How much of the budget a line takes; a line longer than that takes all of it.
fn size_of(line: &[u8]) -> u32 {
    u32::try_from(line.len().min(BUDGET)).unwrap_or(1)
}

/// Hands on what it gets in portions, and counts what was taken.
struct Portions<W> {
    sink: W,
    taken: Arc<AtomicU64>,
}

impl<W: Write> Write for Portions<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let count = self.sink.write(&data[..data.len().min(PORTION)])?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

fn drain(
    mut items: mpsc::UnboundedReceiver<OutputLine>,
    sink: impl Write,
    spare: &Mutex<Vec<Vec<u8>>>,
    end: &OutputEnd,
) {
    let mut sink = io::BufWriter::with_capacity(1 << 16, sink);
    while let Some(item) = items.blocking_recv() {
        if end.closed.is_cancelled() {
            continue;
        }
        // Answered when the outcome is known.
        let mut asked = None;
        let mut result = match item {
            OutputLine::Line(line, _permit) => {
                let result = sink.write_all(&line);
                recycle(spare, line);
                result
            }
            OutputLine::Flush(done) => {
                asked = Some(done);
                sink.flush()
            }
        };
        if result.is_ok() && items.is_empty() {
            result = sink.flush();
        }
        if let Err(error) = result {
            end.reached(error);
        }
        // Whoever asked may have given up.
        let _ = asked.map(|done| done.send(()));
    }
}

fn recycle(spare: &Mutex<Vec<Vec<u8>>>, mut buffer: Vec<u8>) {
    let mut spare = spare.lock().unpoisoned();
    if spare.len() < SPARE_BUFFERS && buffer.capacity() <= LARGEST_SPARE {
        buffer.clear();
        spare.push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc as std_mpsc;

    use super::*;

    enum Pipe {
        Fast(std_mpsc::Sender<Vec<u8>>),
        /// Blocks until somebody reads.
        Slow(std_mpsc::SyncSender<Vec<u8>>),
    }

    impl Write for Pipe {
        fn write(&mut self, data: &[u8]) -> io::Result<usize> {
            let sent = match self {
                Self::Fast(sender) => sender.send(data.to_vec()),
                Self::Slow(sender) => sender.send(data.to_vec()),
            };
            sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(data.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn lines_arrive_in_order_and_whole() {
        let (sender, receiver) = std_mpsc::channel();
        let (output, thread) = Output::start(Pipe::Fast(sender)).unwrap();
        for n in 0..1000 {
            output.write(format!("{n}\n").into_bytes()).await;
        }
        output.flush().await;
        drop(output);
        thread.join();
        let text: Vec<u8> = receiver.try_iter().flatten().collect();
        let expected: String = (0..1000).map(|n| format!("{n}\n")).collect();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[tokio::test]
    async fn writers_can_be_released_from_a_reader_that_does_not_read() {
        let (sender, receiver) = std_mpsc::sync_channel(0);
        let (output, thread) = Output::start(Pipe::Slow(sender)).unwrap();
        output.write(vec![b'x'; BUDGET]).await;
        let mut waiting = Box::pin(output.write(vec![b'y'; BUDGET]));
        assert!(futures::poll!(&mut waiting).is_pending());
        output.stop_waiting();
        waiting.await;
        output.write(vec![b'z'; BUDGET]).await;
        drop(output);
        assert_eq!(receiver.iter().map(|bytes: Vec<u8>| bytes.len()).sum::<usize>(), 3 * BUDGET);
        thread.join();
    }

    #[tokio::test]
    async fn events_do_not_wait_for_the_reader_while_somebody_is_in_a_hurry() {
        let (sender, receiver) = std_mpsc::sync_channel(0);
        let (output, thread) = Output::start(Pipe::Slow(sender)).unwrap();
        output.write(vec![b'x'; BUDGET]).await;
        let mut event = Box::pin(output.write_event(vec![b'y'; 10]));
        assert!(futures::poll!(&mut event).is_pending());
        let mut response = Box::pin(output.write(vec![b'z'; 10]));
        output.hurried(event).await;
        assert!(futures::poll!(&mut response).is_pending());
        assert!(!output.has_room());
        let mut event = Box::pin(output.write_event(vec![b'y'; 10]));
        assert!(futures::poll!(&mut event).is_pending());
        drop((event, receiver));
        response.await;
        drop(output);
        thread.join();
    }

    #[tokio::test]
    async fn there_is_room_when_nobody_waits() {
        let (sender, receiver) = std_mpsc::sync_channel(0);
        let (output, thread) = Output::start(Pipe::Slow(sender)).unwrap();
        assert!(output.has_room());
        output.write(vec![b'x'; BUDGET]).await;
        let mut waiting = Box::pin(output.write(vec![b'y'; 10]));
        assert!(futures::poll!(&mut waiting).is_pending());
        assert!(!output.has_room());
        let mut room = Box::pin(output.room());
        assert!(futures::poll!(&mut room).is_pending());
        let reader = std::thread::spawn(move || receiver.iter().map(|bytes: Vec<u8>| bytes.len()).sum::<usize>());
        tokio::join!(waiting, room);
        output.flush().await;
        assert!(output.has_room());
        drop(output);
        thread.join();
        assert_eq!(reader.join().unwrap(), BUDGET + 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_is_stalled_when_it_takes_nothing() {
        let (sender, receiver) = std_mpsc::sync_channel(0);
        let (output, thread) = Output::start(Pipe::Slow(sender)).unwrap();
        output.write(vec![b'x'; BUDGET]).await;
        output.stalled(Duration::from_secs(60)).await;
        assert!(receiver.iter().map(|bytes: Vec<u8>| bytes.len()).take(BUDGET / PORTION).all(|size| size == PORTION));
        drop((output, receiver));
        thread.join();
    }

    #[tokio::test]
    async fn a_reader_that_goes_away_ends_the_output_without_blocking() {
        let (sender, receiver) = std_mpsc::channel();
        drop(receiver);
        let (output, thread) = Output::start(Pipe::Fast(sender)).unwrap();
        for _ in 0..20 {
            output.write(vec![b'x'; BUDGET]).await;
        }
        output.closed().cancelled().await;
        output.flush().await;
        assert!(output.failure().is_none());
        drop(output);
        thread.join();
    }

    /// A full disk, as seen when the last buffer goes out.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _data: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_failure_is_known_when_a_flush_is_answered() {
        let (output, thread) = Output::start(Full).unwrap();
        output.write(b"line\n".to_vec()).await;
        output.flush().await;
        assert_eq!(output.failure().map(io::Error::kind), Some(io::ErrorKind::StorageFull));
        assert!(output.closed().is_cancelled());
        drop(output);
        thread.join();
    }
}
