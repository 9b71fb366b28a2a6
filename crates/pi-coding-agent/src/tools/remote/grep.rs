//! Searching over there: with ripgrep where it is, else with what every system has.

use futures::future::FutureExt;

use super::frames::Frame;
use super::machine::RemoteMachine;
use super::rg_json::RgEvents;
use super::script::Script;
use super::transfer::check;
use crate::tools::operations::{GrepOperations, GrepReport, GrepRequest, OperationError, OperationResult};

/// What ripgrep answers with when it found nothing, and that is no error.
const FOUND_OR_NOT: [&str; 2] = ["0", "1"];

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
        let mut session = self.start(rg(request)).await?;
        let mut is_directory = false;
        let mut events = RgEvents::new(request);
        while let Some(frame) = session.next().await {
            match frame {
                Frame::Data(bytes) => {
                    if events.feed(&bytes)? {
                        // As many as were asked for: dropping the session ends the search.
                        return Ok(events.report(is_directory));
                    }
                }
                Frame::Record(record) => match record.split_once(' ').unwrap_or((&record, "")) {
                    ("kind", kind) => is_directory = kind == "d",
                    ("none", _) => return self.search_plainly(request, is_directory).await,
                    // Files that could not be read make it fail, too; what was found elsewhere counts.
                    ("rg", code) if FOUND_OR_NOT.contains(&code) || events.found() => {
                        return Ok(events.report(is_directory));
                    }
                    ("rg", code) => return Err(complaint(&session.said().await, code)),
                    _ => check(&record, &request.path)?,
                },
            }
        }
        Err(session.lost().await)
    }
}

fn complaint(said: &str, code: &str) -> OperationError {
    OperationError::new(match said.trim() {
        "" => format!("ripgrep exited with code {code}"),
        said => said.to_owned(),
    })
}

/// The call of ripgrep: in order of paths, because the first ones are kept.
fn rg(request: &GrepRequest) -> Script {
    let mut script = Script::on_paths(include_str!("scripts/rg.sh")).arg(&request.path);
    for option in ["--no-config", "--json", "--line-number", "--color=never", "--hidden", "--sort=path"] {
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
        script = script.arg("--context").arg(request.context.to_string());
    }
    script.arg("--").arg(&request.pattern).arg(&request.path)
}
