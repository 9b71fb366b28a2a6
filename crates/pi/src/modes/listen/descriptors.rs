//! Descriptors on their way through a socket.

use std::io::{self, IoSlice, IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

/// So many come with a message at most.
const MOST: usize = 2;

/// Sends these bytes, and descriptors with the first of them.
pub(crate) fn send(mut stream: &UnixStream, bytes: &[u8], descriptors: &[BorrowedFd<'_>; MOST]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(descriptors));
    let sent = loop {
        match sendmsg(stream, &[IoSlice::new(bytes)], &mut control, SendFlags::empty()) {
            Err(Errno::INTR) => {}
            sent => break sent?,
        }
    };
    stream.write_all(bytes.get(sent..).unwrap_or_default())
}

/// Receives what is there; how many bytes, and the descriptors that came along. Nothing at the end.
pub(super) fn receive(stream: &UnixStream, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        match recvmsg(stream, &mut [IoSliceMut::new(buffer)], &mut control, flags()) {
            Err(Errno::INTR) => {}
            received => break received?,
        }
    };
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights);
        }
    }
    // Where it cannot be had at once: programs that tools start shall not have them.
    #[cfg(target_vendor = "apple")]
    for descriptor in &descriptors {
        rustix::io::fcntl_setfd(descriptor, rustix::io::FdFlags::CLOEXEC)?;
    }
    Ok((received.bytes, descriptors))
}

#[cfg(not(target_vendor = "apple"))]
fn flags() -> RecvFlags {
    RecvFlags::CMSG_CLOEXEC
}

#[cfg(target_vendor = "apple")]
fn flags() -> RecvFlags {
    RecvFlags::empty()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read;
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn descriptors_arrive_with_the_first_bytes() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "read through the other end").unwrap();
        let (first, second) = (File::open(file.path()).unwrap(), File::open(file.path()).unwrap());
        send(&ours, b"hello", &[first.as_fd(), second.as_fd()]).unwrap();
        drop((first, second));
        let mut buffer = [0; 64];
        let (count, mut descriptors) = receive(&theirs, &mut buffer).unwrap();
        assert_eq!((&buffer[..count], descriptors.len()), (&b"hello"[..], 2));
        let mut text = String::new();
        File::from(descriptors.remove(1)).read_to_string(&mut text).unwrap();
        assert_eq!(text, "read through the other end");
        drop(ours);
        assert_eq!(receive(&theirs, &mut buffer).unwrap().0, 0);
    }
}
