//! `find` on this machine.

use futures::future::FutureExt;
use ignore::DirEntry;

use super::globs::NamePattern;
use super::ignore_guard::IgnoreGuard;
use super::in_order::Search;
use super::ranked::{Bounds, Hit};
use super::rules;
use super::stop::{Stop, stoppable};
use crate::tools::local_files::LocalFiles;
use crate::tools::operations::{FindOperations, FindReport, FindRequest, FoundPath, OperationError, OperationResult};

impl FindOperations for LocalFiles {
    fn find(&self, request: FindRequest) -> OperationResult<'_, FindReport> {
        stoppable(request.cancel.clone(), move |stop| find(&request, stop)).boxed()
    }
}

fn find(request: &FindRequest, stop: &Stop) -> Result<FindReport, OperationError> {
    rules::check_directory(&request.path)?;
    let pattern = &NamePattern::new(&request.pattern)?;
    let bounds = Bounds { count: request.limit.unwrap_or(usize::MAX), bytes: usize::MAX };
    let mut walk = rules::for_find(&request.path);
    let guard = IgnoreGuard::of(&mut walk, &request.path)?;
    let hits = Search::new(walk, bounds, stop).names(|| {
        |entry: &DirEntry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            pattern.matches(entry.path()).then_some(Hit { value: is_directory, count: 1, bytes: 0 })
        }
    });
    let hits = hits.map_err(|e| rules::unreadable(&e, &request.path))?;
    Ok(FindReport {
        found: hits.into_iter().map(|(path, is_directory)| FoundPath { path, is_directory }).collect(),
        note: guard.note(),
    })
}
