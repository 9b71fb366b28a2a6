//! Events on their way to handlers in a script.

use std::sync::Arc;

use pi_script::{Callback, Data, Later};
use serde_json::Value;

use super::errors::to_handler;
use super::link::Link;
use crate::extension::json::{JsonEvent, JsonHandler, JsonReply};
use crate::extension::{ExtensionContext, HandlerError};

/// Calls a function of the script for each event.
pub(super) fn handler(link: Link, callback: Callback) -> Arc<JsonHandler> {
    Arc::new(move |event, _context: ExtensionContext| {
        let link = link.clone();
        Box::pin(async move { call(&link, callback, event, Vec::new()).await })
    })
}

/// Calls a function of the script with an event, and reads what `js/bridge/events.js` makes of its answer.
pub(super) async fn call(
    link: &Link,
    callback: Callback,
    event: JsonEvent,
    more: Vec<Data>,
) -> Result<JsonReply, HandlerError> {
    let JsonEvent { name, brief, late, cancel } = event;
    // It was reported when it stopped. A guard that is gone must not let calls pass, though.
    if !link.is_open() && name != "tool_call" {
        return Ok(JsonReply::default());
    }
    let signal = cancel.map_or(Data::Undefined, Data::Signal);
    let late = late.map_or(Data::Undefined, |late| {
        // What cannot be said is absent.
        Data::Later(Later::new(move || late.json().map_or(Data::Undefined, Data::RawJson)))
    });
    let args = [Data::RawJson(brief), signal, late].into_iter().chain(more).collect();
    let reply = link.invoke(callback, args).await.map_err(|error| failure(name, error))?;
    Ok(read(reply, link))
}

/// What is thrown to block a call need not be an error.
fn failure(name: &str, error: pi_script::Error) -> HandlerError {
    match error {
        pi_script::Error::Script(thrown) if name == "tool_call" && !thrown.is_error => {
            HandlerError::new(format!("Extension failed, blocking execution: {}", thrown.message))
        }
        error => to_handler(error),
    }
}

fn read(reply: Data, link: &Link) -> JsonReply {
    let Some(Value::Object(mut fields)) = reply.into_json() else { return JsonReply::default() };
    // Only `user_bash` is answered with functions: one that runs commands.
    let exec = fields.remove("exec").and_then(|exec| serde_json::from_value(exec).ok()).map(Callback);
    let operations = exec.and_then(|callback| link.bash(callback));
    JsonReply { result: fields.remove("result"), event: fields.remove("event"), operations }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use tokio::sync::mpsc;
    use tokio_util::sync::CancellationToken;

    use crate::extension::events::{UserBashEvent, UserBashOutcome};
    use crate::extension::{LoadOptions, load_extensions};
    use crate::prompt::{Scope, SourceInfo, SourceOrigin};
    use crate::script::{ScriptExtension, ScriptOptions};
    use crate::tools::{BashExit, BashRequest, BashSpawn};

    const SCRIPT: &str = "export default (pi) => pi.on('user_bash', (event) => ({ operations: {
        exec: async (command, cwd, { onData, env }) => {
            onData(`${command} for ${event.command} in ${cwd}, `);
            onData(new Uint8Array([111, 107]));
            return { exitCode: Number(env.CODE) };
        },
    } }));";

    fn source_info(path: &str) -> SourceInfo {
        let (scope, origin) = (Scope::Temporary, SourceOrigin::TopLevel);
        SourceInfo { path: path.to_owned(), source: "cli".to_owned(), scope, origin, base_dir: None }
    }

    /// Nothing but a terminal asks `user_bash`, so this is seen from here only.
    #[tokio::test]
    async fn operations_in_an_answer_run_the_users_command() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("far.ts");
        std::fs::write(&file, SCRIPT).unwrap();
        let extension = ScriptExtension::new(&file, source_info("far.ts"), ScriptOptions::default());
        let report = load_extensions(&[Arc::clone(&extension)], LoadOptions::default()).await;
        assert!(report.errors.is_empty(), "{:?}", report.errors);
        let event = UserBashEvent { command: "ls".to_owned(), exclude_from_context: false, cwd: "/here".into() };
        let mut found = None;
        let asked = report.runner.fold(event, None, |_, outcome| {
            found = Some(outcome);
            ControlFlow::Break(())
        });
        asked.await;
        let Some(UserBashOutcome::Operations(operations)) = found else { panic!("no operations: {found:?}") };
        let (output, mut printed) = mpsc::channel(8);
        let spawn = BashSpawn { command: "run".into(), cwd: "/far".into(), env: vec![("CODE".into(), "3".into())] };
        let request = BashRequest { spawn, output, cancel: CancellationToken::new(), timeout: None };
        assert_eq!(operations.exec(request).await, Ok(BashExit::Code(3)));
        let mut text = Vec::new();
        while let Some(bytes) = printed.recv().await {
            text.extend_from_slice(&bytes);
        }
        assert_eq!(String::from_utf8(text).unwrap(), "run for ls in /far, ok");
    }
}
