//! Finding files over there: with fd where it is, else with `find` and the patterns read here.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use futures::future::FutureExt;

use super::machine::RemoteMachine;
use super::script::Script;
use super::transfer::check;
use crate::tools::operations::{FindOperations, FindReport, FindRequest, FoundPath, OperationError, OperationResult};
use crate::tools::search::NamePattern;

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
        let pattern = NamePattern::new(&request.pattern)?;
        let mut session = self.start(script(request, &pattern)).await?;
        let (listing, record) = session.data_and_record().await?;
        let found = found(&listing, request, &pattern);
        match record.split_once(' ').unwrap_or((&record, "")) {
            // Directories that cannot be read make it fail, too; what was found elsewhere counts.
            ("fd", end) if found.is_empty() => complaint(end).map_or_else(|| Ok(FindReport::default()), Err),
            ("fd", _) => Ok(FindReport { found, note: None }),
            ("find", _) => {
                let name = self.shell.name();
                let note = format!(
                    "There is no fd on {name}: this comes from find, and ignore files such as .gitignore had no effect"
                );
                Ok(FindReport { found, note: Some(note) })
            }
            _ => check(&record, &request.path).map(|()| FindReport::default()),
        }
    }
}

/// What fd complains about, given `{exit code} {standard error}`.
fn complaint(end: &str) -> Option<OperationError> {
    let (code, said) = end.split_once(' ')?;
    (code == "2" && !said.trim().is_empty()).then(|| OperationError::new(said.trim()))
}

fn script(request: &FindRequest, pattern: &NamePattern) -> Script {
    let mut script = Script::on_paths(include_str!("scripts/find.sh")).arg(&request.path);
    for option in ["--color=never", "--hidden", "--print0"] {
        script = script.arg(option);
    }
    let (glob, whole_path) = pattern.for_fd().unwrap_or(("*", false));
    if whole_path {
        script = script.arg("--full-path");
    }
    script.arg("--glob").arg("--").arg(glob).arg(&request.path)
}

/// The first of the listed paths that match, in order.
fn found(listing: &[u8], request: &FindRequest, pattern: &NamePattern) -> Vec<FoundPath> {
    let entries = listing.split(|byte| *byte == 0).filter_map(|entry| entry.split_first());
    let found = entries.map(|(kind, path)| {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        FoundPath { path: Path::new(OsStr::from_bytes(path)).to_owned(), is_directory: *kind == b'd' }
    });
    let mut found: Vec<_> = found.filter(|found| found.path != request.path && pattern.matches(&found.path)).collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.truncate(request.limit.unwrap_or(usize::MAX));
    found
}
