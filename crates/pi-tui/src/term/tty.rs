//! The terminal's two descriptors.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr};

use crate::screen::Size;

/// Where keys come from, and where frames go.
#[derive(Debug)]
pub(super) struct Tty {
    pub(super) input: OwnedFd,
    pub(super) output: OwnedFd,
}

impl Tty {
    /// Standard input and output if both are terminals, else the terminal that controls the process.
    pub(super) fn open() -> io::Result<Self> {
        let (input, output) = (rustix::stdio::stdin(), rustix::stdio::stdout());
        if isatty(input) && isatty(output) {
            return Ok(Self { input: input.try_clone_to_owned()?, output: output.try_clone_to_owned()? });
        }
        let file = std::fs::File::options().read(true).write(true).open("/dev/tty")?;
        Ok(Self { output: file.try_clone()?.into(), input: file.into() })
    }

    /// The terminal of another process, which has handed over its descriptors.
    pub(super) fn lent(descriptors: [OwnedFd; 2]) -> io::Result<Self> {
        let [input, output] = descriptors;
        if !isatty(&input) || !isatty(&output) {
            return Err(Errno::NOTTY.into());
        }
        Ok(Self { input, output })
    }

    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { input: self.input.try_clone()?, output: self.output.try_clone()? })
    }

    pub(super) fn size(&self) -> Option<Size> {
        tcgetwinsize(&self.output).ok().map(|size| Size::new(size.ws_col, size.ws_row))
    }

    /// How it is now.
    pub(super) fn get(&self) -> io::Result<Termios> {
        Ok(tcgetattr(&self.input)?)
    }

    /// Passes every byte on as it is, both ways. Returns how it was before.
    pub(super) fn make_raw(&self) -> io::Result<Termios> {
        let before = self.get()?;
        let mut raw = before.clone();
        raw.make_raw();
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        self.set(&raw)?;
        Ok(before)
    }

    pub(super) fn set(&self, termios: &Termios) -> io::Result<()> {
        // Not after draining: a terminal that does not read would keep us here.
        Ok(tcsetattr(&self.input, OptionalActions::Now, termios)?)
    }
}

/// Writes all of it, however slow the terminal is, unless it takes nothing for as long as is given.
pub(super) fn write_all(output: impl AsFd, mut bytes: &[u8], patience: Option<Timespec>) -> io::Result<()> {
    while !bytes.is_empty() {
        if patience.is_some() && !is_ready(output.as_fd(), PollFlags::OUT, patience)? {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match rustix::io::write(&output, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::INTR) => {}
            // Another program may have made the shared descriptor non-blocking.
            Err(Errno::AGAIN) => {
                is_ready(output.as_fd(), PollFlags::OUT, patience)?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Waits until a descriptor can be read or written.
pub(super) fn is_ready(fd: BorrowedFd<'_>, flags: PollFlags, patience: Option<Timespec>) -> io::Result<bool> {
    let mut fds = [PollFd::from_borrowed_fd(fd, flags)];
    match poll(&mut fds, patience.as_ref()) {
        Ok(count) => Ok(count > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A time for [`is_ready`].
pub(super) const fn milliseconds(count: u32) -> Timespec {
    Timespec { tv_sec: (count / 1000) as _, tv_nsec: (count % 1000 * 1_000_000) as _ }
}
