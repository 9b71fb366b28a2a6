//! Why a file is not opened, or not read to its end.

use std::io;
use std::path::PathBuf;

use super::sanitize::plain_path;

/// Why a file that is there is not read. It travels as the inner error of an [`io::Error`], so that callers say it as they
/// say what the system said.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Reading it could wait for ever or never end.
    #[error("it is {what}, not a regular file")]
    NotRegular {
        /// With its article.
        what: &'static str,
    },
    /// It is larger than a file of its kind may be.
    #[error("it has {}, more than the {} that {kind} may have", size_beyond(*.size, *.limit), shown_size(*.limit))]
    TooLarge {
        /// In bytes; the limit where the file has more than it says.
        size: u64,
        /// In bytes.
        limit: u64,
        /// With its article.
        kind: &'static str,
    },
    /// It lies outside of what its owner may speak for.
    #[error("it leads to {}, outside of {fence}", plain_path(.target))]
    LeadsOut {
        /// The real file.
        target: PathBuf,
        /// What it should be inside of, and what can be done.
        fence: String,
    },
    /// It was exchanged while it was opened.
    #[error("it changed while it was opened; try again")]
    Changed,
    /// A link to nothing.
    #[error("it is a link to {}, which does not exist", plain_path(.target))]
    Dangling {
        /// As the link names it.
        target: PathBuf,
    },
    /// A directory is not looked through.
    #[error("it has more than {limit} entries; it is not looked through")]
    TooManyEntries {
        /// Most entries.
        limit: usize,
    },
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        Self::other(refusal)
    }
}

/// The refusal in an error, if it is one.
pub(crate) fn refusal_in(error: &io::Error) -> Option<&Refusal> {
    error.get_ref()?.downcast_ref()
}

/// A number of bytes for people.
pub(crate) fn shown_size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        (value, unit) = (value / 1024.0, unit + 1);
    }
    // One digit behind the point, unless it says nothing.
    let digits = usize::from((value * 10.0).round() % 10.0 != 0.0 && value < 100.0);
    format!("{value:.digits$} {}", UNITS[unit])
}

/// A size that is shown beside a limit that it exceeds: to the byte, where both would look the same.
fn size_beyond(size: u64, limit: u64) -> String {
    let shown = shown_size(size);
    if size > limit && shown == shown_size(limit) { format!("{size} bytes") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_never_looks_like_the_limit_that_it_exceeds() {
        assert_eq!(size_beyond((1 << 20) + 1, 1 << 20), "1048577 bytes");
        assert_eq!(size_beyond(2 << 20, 1 << 20), "2 MB");
        assert_eq!(size_beyond(1 << 20, 1 << 20), "1 MB", "it has more than it says");
    }

    #[test]
    fn sizes_for_people() {
        for (bytes, shown) in [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1 KB"),
            (66_000, "64.5 KB"),
            (1 << 20, "1 MB"),
            (2 << 30, "2 GB"),
            (140_737_471_590_400, "128 TB"),
        ] {
            assert_eq!(shown_size(bytes), shown);
        }
    }
}
