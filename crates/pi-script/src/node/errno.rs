//! Errors of the system as Node words them: `ENOENT: no such file or directory, open '/x'`.

use std::io;

use crate::op::OpError;

/// Name, number, words. The numbers are those of Linux where the systems differ; what is read is the system's own.
const KNOWN: &[(rustix::io::Errno, &str, &str)] = {
    use rustix::io::Errno as E;
    &[
        (E::PERM, "EPERM", "operation not permitted"),
        (E::NOENT, "ENOENT", "no such file or directory"),
        (E::SRCH, "ESRCH", "no such process"),
        (E::INTR, "EINTR", "interrupted system call"),
        (E::IO, "EIO", "i/o error"),
        (E::NXIO, "ENXIO", "no such device or address"),
        (E::TOOBIG, "E2BIG", "argument list too long"),
        (E::NOEXEC, "ENOEXEC", "exec format error"),
        (E::BADF, "EBADF", "bad file descriptor"),
        (E::AGAIN, "EAGAIN", "resource temporarily unavailable"),
        (E::NOMEM, "ENOMEM", "not enough memory"),
        (E::ACCESS, "EACCES", "permission denied"),
        (E::BUSY, "EBUSY", "resource busy or locked"),
        (E::EXIST, "EEXIST", "file already exists"),
        (E::XDEV, "EXDEV", "cross-device link not permitted"),
        (E::NOTDIR, "ENOTDIR", "not a directory"),
        (E::ISDIR, "EISDIR", "illegal operation on a directory"),
        (E::INVAL, "EINVAL", "invalid argument"),
        (E::NFILE, "ENFILE", "file table overflow"),
        (E::MFILE, "EMFILE", "too many open files"),
        (E::TXTBSY, "ETXTBSY", "text file is busy"),
        (E::FBIG, "EFBIG", "file too large"),
        (E::NOSPC, "ENOSPC", "no space left on device"),
        (E::SPIPE, "ESPIPE", "invalid seek"),
        (E::ROFS, "EROFS", "read-only file system"),
        (E::MLINK, "EMLINK", "too many links"),
        (E::PIPE, "EPIPE", "broken pipe"),
        (E::NAMETOOLONG, "ENAMETOOLONG", "name too long"),
        (E::NOTEMPTY, "ENOTEMPTY", "directory not empty"),
        (E::LOOP, "ELOOP", "too many symbolic links encountered"),
        (E::NOSYS, "ENOSYS", "function not implemented"),
        (E::NOTSUP, "ENOTSUP", "operation not supported on socket"),
        (E::ADDRINUSE, "EADDRINUSE", "address already in use"),
        (E::ADDRNOTAVAIL, "EADDRNOTAVAIL", "address not available"),
        (E::NETUNREACH, "ENETUNREACH", "network is unreachable"),
        (E::CONNABORTED, "ECONNABORTED", "software caused connection abort"),
        (E::CONNRESET, "ECONNRESET", "connection reset by peer"),
        (E::NOTCONN, "ENOTCONN", "socket is not connected"),
        (E::TIMEDOUT, "ETIMEDOUT", "connection timed out"),
        (E::CONNREFUSED, "ECONNREFUSED", "connection refused"),
        (E::HOSTUNREACH, "EHOSTUNREACH", "host is unreachable"),
    ]
};

/// The names and numbers, for `os.constants.errno`.
pub(super) fn numbers() -> impl Iterator<Item = (&'static str, i32)> {
    KNOWN.iter().map(|(errno, name, _)| (*name, errno.raw_os_error()))
}

/// An error of `syscall`, with the paths that it was given, as they were given.
pub(super) fn error(error: &io::Error, syscall: &str, paths: &[&str]) -> OpError {
    let number = error.raw_os_error().or_else(|| number_of(error.kind()));
    let known = number.and_then(|number| KNOWN.iter().find(|(errno, ..)| errno.raw_os_error() == number));
    let (code, words) = match known {
        Some((_, code, words)) => (*code, (*words).to_owned()),
        None => ("UNKNOWN", error.to_string()),
    };
    let mut message = format!("{code}: {words}, {syscall}");
    for (place, path) in paths.iter().enumerate() {
        message.push_str(&format!("{} '{path}'", if place == 0 { "" } else { " ->" }));
    }
    let mut error = OpError::new(message).with("errno", -number.unwrap_or(4094)).with("code", code);
    error = error.with("syscall", syscall);
    for (key, path) in ["path", "dest"].into_iter().zip(paths) {
        error = error.with(key, *path);
    }
    error
}

/// For errors that were not the system's.
fn number_of(kind: io::ErrorKind) -> Option<i32> {
    use rustix::io::Errno as E;
    let errno = match kind {
        io::ErrorKind::NotFound => E::NOENT,
        io::ErrorKind::PermissionDenied => E::ACCESS,
        io::ErrorKind::AlreadyExists => E::EXIST,
        io::ErrorKind::InvalidInput => E::INVAL,
        io::ErrorKind::NotADirectory => E::NOTDIR,
        io::ErrorKind::IsADirectory => E::ISDIR,
        io::ErrorKind::DirectoryNotEmpty => E::NOTEMPTY,
        _ => return None,
    };
    Some(errno.raw_os_error())
}
