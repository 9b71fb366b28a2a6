//! One run of a script, in an engine of its own that can touch nothing but the tools.

use std::sync::Arc;
use std::time::Duration;

use pi_agent_core::ToolError;
use pi_script::{Data, Engine, EngineOptions, Error, ModuleTable, OpTable, Permissions, ScriptError};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::calls::Calls;
use crate::console::Console;
use crate::limits::ENGINE;

/// The module that runs scripts.
const RUNNER: &str = "codemode:run";
/// Where the engine says that a script is: the name, and the lines above its first one.
const PLACE: &str = "<input>:";
const LINES_ABOVE: u32 = 2;

/// What the engine says of permissions, which here nobody set.
const BY_USER: &str = "; its permissions are set by the user";

/// What a run came to.
pub(crate) enum Ended {
    /// What it returned, as text; `None` for nothing.
    Returned(Option<String>),
    /// Why it failed, in a sentence, and the names of the calls that were cut off by that.
    Failed(String, Vec<String>),
}

/// Runs a script to its end.
///
/// # Errors
/// When it is aborted, or there is no engine.
pub(crate) async fn run(
    source: String,
    calls: &Arc<Calls>,
    console: &Arc<Console>,
    limit: Duration,
    cancel: &CancellationToken,
) -> Result<Ended, ToolError> {
    let engine = Engine::start(options(calls, console)).map_err(|error| ToolError::new(error.to_string()))?;
    let arguments = vec![Data::Text(source), json!(calls.names()).into()];
    let outcome = tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        outcome = tokio::time::timeout(limit, engine.call_export(RUNNER, "run", arguments)) => Some(outcome),
    };
    let cut_off = calls.running();
    engine.stop("its script is over");
    match outcome {
        None => Err(ToolError::aborted()),
        Some(Ok(Ok(value))) => Ok(Ended::Returned(value.into_text())),
        Some(Ok(Err(error))) => Ok(Ended::Failed(sentence(error), cut_off)),
        Some(Err(_)) => {
            let seconds = limit.as_secs();
            let why =
                format!("The script was stopped after {seconds} s. Give it more time with `timeout`, or less to do");
            Ok(Ended::Failed(why, cut_off))
        }
    }
}

fn options(calls: &Arc<Calls>, console: &Arc<Console>) -> EngineOptions {
    let mut options = EngineOptions::new("codemode");
    options.limits = ENGINE;
    options.permissions = Permissions::NONE;
    options.imports = false;
    options.modules = ModuleTable::default();
    options.modules.add_internal(RUNNER, include_str!("../js/run.js"));
    options.cwd = "/".into();
    options.ops = ops(calls);
    let console = Arc::clone(console);
    options.on_report = Arc::new(move |report| console.take(&report));
    options
}

fn ops(calls: &Arc<Calls>) -> OpTable {
    let mut ops = OpTable::default();
    let making = Arc::clone(calls);
    ops.add_async("codemode.call", move |_, mut args| {
        let calls = Arc::clone(&making);
        async move {
            let (name, arguments) = (args.text(0)?, args.json(1).unwrap_or_default());
            calls.call(name, arguments).await
        }
    });
    let naming = Arc::clone(calls);
    ops.add_sync("codemode.near", move |_, mut args| Ok(naming.near(&args.text(0)?).into()));
    ops
}

/// What a script threw, with the line where it did.
fn sentence(error: Error) -> String {
    match error {
        Error::Script(thrown) => {
            let name = if thrown.name.is_empty() || thrown.name == "Error" { "" } else { &thrown.name };
            let colon = if name.is_empty() { "" } else { ": " };
            let line = line(&thrown).map(|line| format!(" (line {line} of the script)")).unwrap_or_default();
            let message = thrown.message.replace(BY_USER, "");
            format!("{name}{colon}{message}{line}")
        }
        Error::Stopped { reason } => format!("The script was stopped: {reason}"),
        other => other.to_string(),
    }
}

fn line(thrown: &ScriptError) -> Option<u32> {
    let (_, place) = thrown.stack.as_deref()?.split_once(PLACE)?;
    let digits: String = place.chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().ok()?.checked_sub(LINES_ABOVE).filter(|line| *line > 0)
}
