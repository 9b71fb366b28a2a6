//! Operating-system error codes by name: one table, because clients and models match on `ENOENT` and the like.
//!
//! The sentences are those of libuv, which the reference's runtime prints. Nothing here knows a tool.

use std::io;

use rustix::io::Errno;

/// Errno, symbolic name, sentence.
const TABLE: &[(Errno, &str, &str)] = &[
    (Errno::TOOBIG, "E2BIG", "argument list too long"),
    (Errno::ACCESS, "EACCES", "permission denied"),
    (Errno::AGAIN, "EAGAIN", "resource temporarily unavailable"),
    (Errno::BADF, "EBADF", "bad file descriptor"),
    (Errno::BUSY, "EBUSY", "resource busy or locked"),
    (Errno::DQUOT, "EDQUOT", "disk quota exceeded"),
    (Errno::EXIST, "EEXIST", "file already exists"),
    (Errno::FBIG, "EFBIG", "file too large"),
    (Errno::INTR, "EINTR", "interrupted system call"),
    (Errno::INVAL, "EINVAL", "invalid argument"),
    (Errno::IO, "EIO", "i/o error"),
    (Errno::ISDIR, "EISDIR", "illegal operation on a directory"),
    (Errno::LOOP, "ELOOP", "too many symbolic links encountered"),
    (Errno::MFILE, "EMFILE", "too many open files"),
    (Errno::NAMETOOLONG, "ENAMETOOLONG", "name too long"),
    (Errno::NFILE, "ENFILE", "file table overflow"),
    (Errno::NODEV, "ENODEV", "no such device"),
    (Errno::NOENT, "ENOENT", "no such file or directory"),
    (Errno::NOEXEC, "ENOEXEC", "exec format error"),
    (Errno::NOMEM, "ENOMEM", "not enough memory"),
    (Errno::NOSPC, "ENOSPC", "no space left on device"),
    (Errno::NOTDIR, "ENOTDIR", "not a directory"),
    (Errno::NOTEMPTY, "ENOTEMPTY", "directory not empty"),
    (Errno::NXIO, "ENXIO", "no such device or address"),
    (Errno::PERM, "EPERM", "operation not permitted"),
    (Errno::PIPE, "EPIPE", "broken pipe"),
    (Errno::ROFS, "EROFS", "read-only file system"),
    (Errno::STALE, "ESTALE", "stale file handle"),
    (Errno::TIMEDOUT, "ETIMEDOUT", "connection timed out"),
    (Errno::TXTBSY, "ETXTBSY", "text file is busy"),
    (Errno::XDEV, "EXDEV", "cross-device link not permitted"),
];

/// Symbolic name and sentence of an error, when the operating system gave a code that the table knows.
pub(crate) fn describe(error: &io::Error) -> Option<(&'static str, &'static str)> {
    let errno = Errno::from_io_error(error)?;
    TABLE.iter().find(|(known, ..)| *known == errno).map(|(_, name, text)| (*name, *text))
}

/// Sentence of a code that the table knows.
#[cfg(any(feature = "container", feature = "ssh"))]
pub(crate) fn sentence(code: &str) -> Option<&'static str> {
    TABLE.iter().find(|(_, name, _)| *name == code).map(|(.., text)| *text)
}
