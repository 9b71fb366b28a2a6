//! Searching over there: with ripgrep where it is, else with what every system has.

use futures::future::FutureExt;

use super::frames::Frame;
use super::grep_fallback::Judge;
use super::grep_lines::context;
use super::machine::RemoteMachine;
use super::rg_json::RgEvents;
use super::script::Script;
use super::transfer::check;
use crate::tools::operations::{GrepOperations, GrepReport, GrepRequest, OperationError, OperationResult};

impl GrepOperations for RemoteMachine {
    fn grep(&self, request: GrepRequest) -> OperationResult<'_, GrepReport> {
        async move {
            let cancel = request.cancel.clone();
            tokio::select! {
                biased;
                () = cancel.cancelled() => Err(OperationError::aborted()),
                report = self.search(&request) => report,
            }
        }
        .boxed()
    }
}

impl RemoteMachine {
    async fn search(&self, request: &GrepRequest) -> Result<GrepReport, OperationError> {
        // What is wrong with a pattern is told in the same words everywhere.
        let judge = Judge::new(request)?;
        let mut session = self.start(rg(request)).await?;
        let mut is_directory = false;
        let mut events = RgEvents::new(request);
        while let Some(frame) = session.next().await {
            let record = match frame {
                Frame::Data(bytes) if events.feed(&bytes)? => {
                    // As many as were asked for: dropping the session ends the search.
                    return Ok(events.report(is_directory));
                }
                Frame::Data(_) => continue,
                Frame::Record(record) => record,
            };
            match record.split_once(' ').unwrap_or((&record, "")) {
                ("kind", kind) => is_directory = kind == "d",
                ("none", _) => return self.search_plainly(request, is_directory, judge).await,
                ("rg", end) => return complaint(end).map_or_else(|| Ok(events.report(is_directory)), Err),
                _ => check(&record, &request.path)?,
            }
        }
        Err(session.lost().await)
    }
}

/// What ripgrep complains about, given `{exit code} {standard error}`. Files that cannot be read make it fail, too, but
/// nothing is said of them.
fn complaint(end: &str) -> Option<OperationError> {
    let (_, said) = end.split_once(' ')?;
    (!said.trim().is_empty()).then(|| OperationError::new(said.trim()))
}

/// The call of ripgrep: in order of paths, because the first ones are kept.
fn rg(request: &GrepRequest) -> Script {
    let base = if request.path.starts_with(&request.base) { &request.base } else { &request.path };
    let mut script = Script::on_paths(include_str!("scripts/rg.sh")).arg(&request.path).arg(base);
    for option in
        ["--no-config", "--no-messages", "--json", "--line-number", "--color=never", "--hidden", "--sort=path"]
    {
        script = script.arg(option);
    }
    if request.ignore_case {
        script = script.arg("--ignore-case");
    }
    if request.literal {
        script = script.arg("--fixed-strings");
    }
    if let Some(glob) = &request.glob {
        script = script.arg("--glob").arg(glob);
    }
    if request.context > 0 {
        script = script.arg("--context").arg(context(request).to_string());
    }
    script.arg("--").arg(&request.pattern).arg(&request.path)
}
