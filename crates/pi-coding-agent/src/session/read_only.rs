//! Why a session takes no entries. Errors name it, so it stands below everything that can fail.

/// Why nothing can be appended to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadOnly {
    /// It was opened for reading.
    Asked,
    /// The file has a format version that this program does not know.
    NewerVersion(u64),
    /// The file has entries, but its first line is no session header.
    NoHeader,
}
