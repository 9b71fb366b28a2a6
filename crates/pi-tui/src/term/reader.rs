//! One thread that reads keys.
//!
//! It reads only when there is something, so that it can be stopped without having taken a byte that belongs to the program
//! which the terminal is handed over to.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

/// What the reader brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chunk<'a> {
    /// Bytes, cut anywhere.
    Bytes(&'a [u8]),
    /// The terminal is gone. Nothing follows.
    Closed,
}

/// Takes what the reader brings, on the reader's thread.
pub(super) type OnInput = Arc<dyn Fn(Chunk<'_>) + Send + Sync>;

/// The thread, while it reads.
pub(super) struct Reader {
    /// The thread stops when this is closed.
    stop: OwnedFd,
    thread: JoinHandle<()>,
}

impl Reader {
    pub(super) fn start(input: OwnedFd, on_input: OnInput) -> io::Result<Self> {
        let (stopped, stop) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let thread = thread::Builder::new()
            .name("terminal input".to_owned())
            .spawn(move || read(&input, &stopped, &*on_input))?;
        Ok(Self { stop, thread })
    }

    /// Stops reading; when this returns no byte is taken any more.
    pub(super) fn stop(self) {
        drop(self.stop);
        // The reader itself may have come here, through what it calls: then it ends by itself.
        if self.thread.thread().id() != thread::current().id() {
            let _ = self.thread.join();
        }
    }
}

fn read(input: &OwnedFd, stopped: &OwnedFd, on_input: &dyn Fn(Chunk<'_>)) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match wait(input, stopped) {
            Ok(true) => {}
            Ok(false) => return,
            Err(_) => return on_input(Chunk::Closed),
        }
        match rustix::io::read(input, &mut *buffer) {
            Ok(0) => return on_input(Chunk::Closed),
            Ok(count) => on_input(Chunk::Bytes(&buffer[..count])),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => return on_input(Chunk::Closed),
        }
    }
}

/// Waits for input; false when the reader is to stop.
fn wait(input: &OwnedFd, stopped: &OwnedFd) -> io::Result<bool> {
    loop {
        let mut fds = [
            PollFd::from_borrowed_fd(input.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(stopped.as_fd(), PollFlags::IN),
        ];
        match poll(&mut fds, None) {
            Ok(_) if !fds[1].revents().is_empty() => return Ok(false),
            Ok(_) if !fds[0].revents().is_empty() => return Ok(true),
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Reader").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_stopped_reader_takes_nothing() {
        let (input, keys) = rustix::pipe::pipe().unwrap();
        let (tell, told) = mpsc::channel();
        let on_input: OnInput = Arc::new(move |chunk| {
            let text = match chunk {
                Chunk::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Chunk::Closed => "closed".to_owned(),
            };
            drop(tell.send(text));
        });
        let reader = Reader::start(input.try_clone().unwrap(), Arc::clone(&on_input)).unwrap();
        rustix::io::write(&keys, b"one").unwrap();
        assert_eq!(told.recv().unwrap(), "one");
        reader.stop();
        rustix::io::write(&keys, b"for another program").unwrap();
        let mut buffer = [0; 19];
        rustix::io::read(&input, &mut buffer).unwrap();
        assert_eq!(&buffer, b"for another program");
        let reader = Reader::start(input, on_input).unwrap();
        rustix::io::write(&keys, b"two").unwrap();
        assert_eq!(told.recv().unwrap(), "two");
        drop(keys);
        assert_eq!(told.recv().unwrap(), "closed");
        reader.stop();
    }
}
