//! Finding files over there: with fd where it is, else with `find` and the patterns read here.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use futures::future::FutureExt;
use globset::{GlobBuilder, GlobMatcher};

use super::frames::Frame;
use super::machine::RemoteMachine;
use super::script::Script;
use super::transfer::check;
use crate::tools::operations::{FindOperations, FindReport, FindRequest, FoundPath, OperationError, OperationResult};

impl FindOperations for RemoteMachine {
    fn find(&self, request: FindRequest) -> OperationResult<'_, FindReport> {
        async move {
            let cancel = request.cancel.clone();
            tokio::select! {
                biased;
                () = cancel.cancelled() => Err(OperationError::aborted()),
                report = self.look(&request) => report,
            }
        }
        .boxed()
    }
}

impl RemoteMachine {
    async fn look(&self, request: &FindRequest) -> Result<FindReport, OperationError> {
        let pattern = full_pattern(&request.pattern);
        let matcher = matcher(&pattern)?;
        let mut session = self.start(script(request, &pattern)).await?;
        let mut listing = Vec::new();
        loop {
            let Some(frame) = session.next().await else { return Err(session.lost().await) };
            let record = match frame {
                Frame::Data(bytes) => {
                    listing.extend_from_slice(&bytes);
                    continue;
                }
                Frame::Record(record) => record,
            };
            match record.split_once(' ').unwrap_or((&record, "")) {
                ("fd", code) if code != "0" && listing.is_empty() => {
                    return Err(complaint(&session.said().await, code));
                }
                ("fd", _) => return Ok(report(&listing, request, |_| true, None)),
                ("find", _) => {
                    let note = format!(
                        "fd is not installed on {}: searched with find, without regard to ignore files such as .gitignore",
                        self.shell.name()
                    );
                    return Ok(report(&listing, request, |path| is_match(&matcher, &pattern, path), Some(note)));
                }
                _ => check(&record, &request.path)?,
            }
        }
    }
}

fn complaint(said: &str, code: &str) -> OperationError {
    OperationError::new(match said.trim() {
        "" => format!("fd exited with code {code}"),
        said => said.to_owned(),
    })
}

/// A pattern with a `/` is about the whole path, wherever it starts.
fn full_pattern(pattern: &str) -> String {
    let anchored = pattern.starts_with('/') || pattern.starts_with("**/") || !pattern.contains('/');
    if anchored { pattern.to_owned() } else { format!("**/{pattern}") }
}

fn script(request: &FindRequest, pattern: &str) -> Script {
    let mut script = Script::on_paths(include_str!("scripts/find.sh")).arg(&request.path);
    for option in ["--glob", "--color=never", "--hidden", "--print0"] {
        script = script.arg(option);
    }
    if pattern.contains('/') {
        script = script.arg("--full-path");
    }
    script.arg("--").arg(pattern).arg(&request.path)
}

/// The pattern as fd reads it: a name in lower case matches any case.
fn matcher(pattern: &str) -> Result<GlobMatcher, OperationError> {
    let mut glob = GlobBuilder::new(pattern);
    glob.literal_separator(true).case_insensitive(!pattern.chars().any(char::is_uppercase));
    let glob = glob.build().map_err(|e| OperationError::new(format!("The pattern cannot be used: {e}")))?;
    Ok(glob.compile_matcher())
}

fn is_match(matcher: &GlobMatcher, pattern: &str, path: &Path) -> bool {
    if pattern.contains('/') {
        matcher.is_match(path)
    } else {
        path.file_name().is_some_and(|name| matcher.is_match(name))
    }
}

/// The first of the listed paths that are chosen, in order.
fn report(listing: &[u8], request: &FindRequest, chosen: impl Fn(&Path) -> bool, note: Option<String>) -> FindReport {
    let entries = listing.split(|byte| *byte == 0).filter_map(|entry| entry.split_first());
    let found = entries.map(|(kind, path)| {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        FoundPath { path: Path::new(OsStr::from_bytes(path)).to_owned(), is_directory: *kind == b'd' }
    });
    let mut found: Vec<_> = found.filter(|found| found.path != request.path && chosen(&found.path)).collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.truncate(request.limit.unwrap_or(usize::MAX));
    FindReport { found, note }
}
