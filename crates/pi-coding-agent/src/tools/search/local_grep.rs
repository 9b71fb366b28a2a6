//! `grep` on this machine.

use std::fs::FileType;
use std::path::Path;

use futures::future::FutureExt;

use super::globs::file_filter;
use super::ignore_guard::IgnoreGuard;
use super::in_order::Search;
use super::lines::LineRequest;
use super::pattern::matcher;
use super::prefilter::FilePrefilter;
use super::ranked::{Bounds, Hit};
use super::rules;
use super::stop::{Stop, stoppable};
use super::text_file::FileSearch;
use crate::tools::local_files::LocalFiles;
use crate::tools::operations::{GrepMatch, GrepOperations, GrepReport, GrepRequest, OperationError, OperationResult};

/// Text of a report after which the search ends, in bytes: a model sees 50 KiB of it.
pub(in crate::tools) const REPORT: usize = 8 << 20;
/// Most lines of context; with more, a single match fills what a model sees.
pub(in crate::tools) const CONTEXT: usize = 2000;

impl GrepOperations for LocalFiles {
    fn grep(&self, request: GrepRequest) -> OperationResult<'_, GrepReport> {
        stoppable(request.cancel.clone(), move |stop| grep(&request, stop)).boxed()
    }
}

fn grep(request: &GrepRequest, stop: &Stop) -> Result<GrepReport, OperationError> {
    let failed = |e| OperationError::from_io(&e, "open", Some(&request.path));
    let kind = rules::kind_of(&request.path)?;
    let matcher = matcher(request)?;
    let sieve = FilePrefilter::new(request, matcher.clone());
    let wanted = LineRequest { limit: request.limit.max(1), context: request.context.min(CONTEXT), bytes: REPORT };
    let mut note = None;
    let mut matches = if kind.is_dir() {
        let bounds = Bounds { count: wanted.limit, bytes: wanted.bytes };
        let search = || FileSearch::new(matcher.clone(), sieve.clone(), wanted, stop);
        below(request, bounds, stop, &mut note, search)?
    } else {
        check_regular(&request.path, kind)?;
        FileSearch::new(matcher, sieve, wanted, stop).named(&request.path).map_err(failed)?
    };
    matches.truncate(wanted.limit);
    Ok(GrepReport { limit_reached: matches.len() >= wanted.limit, is_directory: kind.is_dir(), matches, note })
}

/// Searches the files below a directory. `note` gets what was left out.
fn below<'a>(
    request: &GrepRequest,
    bounds: Bounds,
    stop: &Stop,
    note: &mut Option<String>,
    search: impl Fn() -> FileSearch<'a> + Sync,
) -> Result<Vec<GrepMatch>, OperationError> {
    let mut walk = rules::for_grep(&request.path, &request.base, file_filter(request)?);
    let guard = IgnoreGuard::of(&mut walk, &request.path)?;
    let hits = Search::new(walk, bounds, stop).contents(|| {
        let mut search = search();
        move |entry: &ignore::DirEntry| {
            // Pipes, sockets and devices would block or never end, links lead elsewhere.
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                return None;
            }
            let (found, bytes) = search.met(entry.path()).ok()?;
            (!found.is_empty()).then_some(Hit { count: found.len(), bytes, value: found })
        }
    });
    let hits = hits.map_err(|e| rules::unreadable(&e, &request.path))?;
    *note = guard.note();
    Ok(hits.into_iter().flat_map(|(_, found)| found).collect())
}

fn check_regular(path: &Path, kind: FileType) -> Result<(), OperationError> {
    if kind.is_file() {
        return Ok(());
    }
    let path = path.display();
    Err(OperationError::new(format!("{path} is a pipe, socket or device. Use bash to work with it.")))
}
