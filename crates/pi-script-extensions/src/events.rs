//! Events on their way to handlers in a script.

use std::sync::Arc;

use pi_script::{Callback, Data, Later};
use serde_json::Value;

use super::changes::changed;
use super::errors::to_handler;
use super::link::Link;
use super::operations::ScriptBash;
use pi_coding_agent::extension::events::EventInfo;
use pi_coding_agent::extension::json::{JsonEvent, JsonHandler, JsonReply};
use pi_coding_agent::extension::{ExtensionContext, HandlerError};

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
    if !link.is_open() && !fails_closed(name) {
        return Ok(JsonReply::default());
    }
    let signal = cancel.map_or(Data::Undefined, Data::Signal);
    let late = late.map_or(Data::Undefined, |late| {
        // What cannot be said is absent.
        Data::Later(Later::new(move || late.json().map_or(Data::Undefined, Data::RawJson)))
    });
    let mutable = EventInfo::of(name).map_or(&[][..], |event| event.mutable);
    let before = if mutable.is_empty() { String::new() } else { brief.clone() };
    let args = [Data::RawJson(brief), signal, late].into_iter().chain(more).collect();
    let reply = link.invoke(callback, args).await.map_err(|error| failure(name, error))?;
    let (reply, left) = match reply {
        Data::List(mut values) => {
            let left = values.split_off(1);
            (values.pop().unwrap_or_default(), left)
        }
        reply => (reply, Vec::new()),
    };
    let left = mutable.iter().copied().zip(left.into_iter().map(Data::into_text));
    let changed = changed(&before, left).map_err(|error| HandlerError::new(error.to_string()))?;
    Ok(JsonReply { event: changed, ..read(reply, link) })
}

fn fails_closed(name: &str) -> bool {
    EventInfo::of(name).is_some_and(|event| event.fails_closed)
}

/// What is thrown to block a call need not be an error.
fn failure(name: &str, error: pi_script::Error) -> HandlerError {
    match error {
        pi_script::Error::Script(thrown) if fails_closed(name) && !thrown.is_error => {
            HandlerError::new(format!("Extension failed, blocking execution: {}", thrown.message))
        }
        error => to_handler(error),
    }
}

fn read(reply: Data, link: &Link) -> JsonReply {
    let Some(Value::Object(mut fields)) = reply.into_json() else { return JsonReply::default() };
    // Only `user_bash` is answered with functions: one that runs commands.
    let exec = fields.remove("exec").and_then(|exec| serde_json::from_value(exec).ok()).map(Callback);
    let operations = exec.and_then(|callback| ScriptBash::of(link, callback));
    JsonReply { result: fields.remove("result"), event: None, operations }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::Arc;

    use bytes::Bytes;
    use tokio::sync::mpsc;
    use tokio_util::sync::CancellationToken;

    use crate::{ScriptExtension, ScriptOptions};
    use pi_coding_agent::env::Env;
    use pi_coding_agent::extension::events::{UserBashEvent, UserBashOutcome};
    use pi_coding_agent::extension::{LoadOptions, LoadReport, load_extensions};
    use pi_coding_agent::prompt::{Scope, SourceInfo, SourceOrigin};
    use pi_coding_agent::session::SessionHost;
    use pi_coding_agent::tools::{BashExit, BashOperations, BashRequest, BashSpawn};

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

    /// What the script of this source answers to a command of the user. Nothing but a terminal asks `user_bash`, so this is
    /// seen from here only. The report holds the extension.
    async fn operations(source: &str, dir: &Path) -> (LoadReport, Arc<dyn BashOperations>) {
        let file = dir.join("far.ts");
        std::fs::write(&file, source).unwrap();
        let extension =
            ScriptExtension::new(&file, source_info("far.ts"), ScriptOptions::new(SessionHost::new(Env::process())));
        let report = load_extensions(&[extension], LoadOptions::default()).await;
        assert!(report.errors.is_empty(), "{:?}", report.errors);
        let event = UserBashEvent { command: "ls".to_owned(), exclude_from_context: false, cwd: "/here".into() };
        let mut found = None;
        let asked = report.runner.fold(event, None, |_, outcome| {
            found = Some(outcome);
            ControlFlow::Break(())
        });
        asked.await;
        let Some(UserBashOutcome::Operations(operations)) = found else { panic!("no operations: {found:?}") };
        (report, operations)
    }

    fn request(env: &[(&str, &str)]) -> (BashRequest, mpsc::Receiver<Bytes>) {
        let (output, printed) = mpsc::channel(8);
        let env = env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let spawn = BashSpawn { command: "run".into(), cwd: "/far".into(), env };
        (BashRequest { spawn, output, cancel: CancellationToken::new(), timeout: None }, printed)
    }

    #[tokio::test]
    async fn operations_in_an_answer_run_the_users_command() {
        let dir = tempfile::tempdir().unwrap();
        let (_report, operations) = operations(SCRIPT, dir.path()).await;
        let (request, mut printed) = request(&[("CODE", "3")]);
        assert_eq!(operations.exec(request).await, Ok(BashExit::Code(3)));
        let mut text = Vec::new();
        while let Some(bytes) = printed.recv().await {
            text.extend_from_slice(&bytes);
        }
        assert_eq!(String::from_utf8(text).unwrap(), "run for ls in /far, ok");
    }

    const PATIENT: &str = "import fs from 'node:fs';
        export default (pi) => pi.on('user_bash', () => ({ operations: {
            exec: async (command, cwd, { onData, env }) => {
                onData('begun');
                while (!fs.existsSync(env.GO)) await new Promise((next) => setTimeout(next, 5));
                return { exitCode: 4 };
            },
        } }));";

    #[tokio::test]
    async fn a_call_that_is_under_way_keeps_its_extension_and_the_next_one_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (report, operations) = operations(PATIENT, dir.path()).await;
        let go = dir.path().join("go");
        let (begun, mut printed) = request(&[("GO", go.to_str().unwrap())]);
        let running = operations.exec(begun);
        let replaced = async {
            assert_eq!(printed.recv().await.unwrap(), "begun");
            // As after a reload: nobody holds the extension any more.
            drop(report);
            std::fs::write(&go, "").unwrap();
        };
        assert_eq!(tokio::join!(running, replaced).0, Ok(BashExit::Code(4)));
        let refused = operations.exec(request(&[]).0).await.unwrap_err();
        assert!(refused.to_string().contains("its extension is not used any more"), "{refused}");
    }
}
