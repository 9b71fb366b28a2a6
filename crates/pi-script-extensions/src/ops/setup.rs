//! Setting a new session up: the script writes its first entries before it runs.
//!
//! The session's manager stays where it is, on a thread on which blocking is fine; what the script asks of it is carried
//! there. So neither the script nor the runtime ever holds it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::{Duration, Instant};

use pi_script::{Args, Callback, Data, OpError};
use serde_json::Value;

use super::{Ops, sessions};
use crate::host::{ScriptHost, number};
use crate::link::Link;
use crate::state::Step;
use pi_coding_agent::extension::SetupFn;
use pi_coding_agent::session::SessionManager;
use pi_coding_agent::{Error, ExtensionCallError};

/// How long it may take. Meanwhile there is no session to talk to.
const LIMIT: Duration = Duration::from_secs(60);

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("setup.call", |host, _, mut args| {
        let over = || OpError::new("The session is set up; write to it through the context that withSession is given");
        let (writer, method) = (args.parse::<u32>(0)?, args.text(1)?);
        let args = Args(args.parse::<Vec<Value>>(2)?.into_iter().map(Data::Json).collect());
        let sender = host.state.writers.get(writer).ok_or_else(over)?;
        let (reply, answer) = sync_channel(1);
        sender.send(Step::Call { method, args, reply }).map_err(|_| over())?;
        answer.recv().map_err(|_| over())?
    });
}

/// Lets a function of the script write.
pub(super) fn set_up(host: &Arc<ScriptHost>, callback: Callback) -> Result<Box<SetupFn>, OpError> {
    let (host, link, runtime) = (Arc::downgrade(host), Link::to(host), host.runtime()?.clone());
    Ok(Box::new(move |manager| {
        let Some(host) = host.upgrade() else { return Err(failure("its extension is not used any more")) };
        let (sender, steps) = channel();
        let writer = host.state.writers.open(sender.clone());
        let entry = number(writer.number());
        runtime.spawn(async move {
            let outcome = link.invoke(callback, vec![entry]).await;
            // Whoever waited may have given up.
            let _ = sender.send(Step::Done(outcome.map(drop).map_err(|error| error.to_string())));
        });
        serve(manager, &steps)
    }))
}

/// Does what the script asks until it is done.
fn serve(manager: &mut SessionManager, steps: &Receiver<Step>) -> Result<(), Error> {
    let end = Instant::now() + LIMIT;
    loop {
        match steps.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Step::Call { method, mut args, reply }) => {
                // The engine may have been stopped meanwhile.
                let _ = reply.send(sessions::call(manager, &method, &mut args));
            }
            Ok(Step::Done(outcome)) => return outcome.map_err(|error| failure(&error)),
            Err(RecvTimeoutError::Timeout) => return Err(failure(&format!("no end within {} s", LIMIT.as_secs()))),
            Err(RecvTimeoutError::Disconnected) => return Err(failure("its extension was stopped")),
        }
    }
}

fn failure(reason: &str) -> Error {
    ExtensionCallError::SetUp { reason: reason.to_owned() }.into()
}
