//! What scripts report, in the terms of the operations.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use crate::tools::operations::OperationError;

/// The path that these bytes are.
pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    OsString::from_vec(bytes).into()
}

/// Success, or the error that a report about `path` stands for.
pub(super) fn check(report: &str, path: &Path) -> Result<(), OperationError> {
    let (kind, rest) = report.split_once(' ').unwrap_or((report, ""));
    match kind {
        "ok" => Ok(()),
        "fail" => Err(failure(rest, path)),
        "special" => Err(OperationError::new(format!(
            "{} is {rest}, not a regular file. Use bash to work with it.",
            path.display()
        ))),
        _ => {
            Err(OperationError::new(format!("Not understood: the script for {} reported {report:?}.", path.display())))
        }
    }
}

/// `{CODE} {call}`, or `{CODE} {call} -` for a call on an open file.
fn failure(report: &str, path: &Path) -> OperationError {
    let mut words = report.split(' ');
    let (code, call) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    OperationError::from_code(code, call, words.next().is_none().then_some(path))
}
