//! What a session beside the own one does, as scripts are told of it.

use std::sync::Arc;

use futures::FutureExt;
use pi_agent_core::AgentEvent;
use pi_guard::lock;
use pi_script::Data;
use serde_json::{Value, json};

use super::super::{Ops, ai};
use super::beside;
use crate::link::Link;
use pi_coding_agent::agent_session::SessionEvent;
use pi_coding_agent::rpc::EventJson;

pub(super) fn add(ops: &mut Ops<'_>) {
    // Calls the function for every event; the run waits for it.
    ops.sync("agents.listen", |host, _, mut args| {
        let beside = beside(host, &mut args)?;
        let (callback, link) = (args.callback(1)?, Link::to(host));
        let listening = beside.session.subscribe(Arc::new(move |event| {
            let (link, told) = (link.clone(), event_data(&event));
            async move {
                if let Some(told) = told {
                    // A script that stopped hears nothing any more; what its function throws it reports itself.
                    let _ = link.ask(callback, vec![told]).await;
                }
            }
            .boxed()
        }));
        if let Some(before) = lock(&beside.listening).replace(listening) {
            before.unsubscribe();
        }
        Ok(Data::Undefined)
    });
    ops.sync("agents.unlisten", |host, _, mut args| {
        let listening = host.state.agents.get(args.parse(0)?).and_then(|beside| lock(&beside.listening).take());
        if let Some(listening) = listening {
            listening.unsubscribe();
        }
        Ok(Data::Undefined)
    });
}

/// An event. Of a message that is arriving it says what is new; the script puts the rest together.
fn event_data(event: &SessionEvent) -> Option<Data> {
    match event {
        SessionEvent::ExtensionError(_) | SessionEvent::EntryAppended { .. } => None,
        SessionEvent::Agent(AgentEvent::MessageUpdate { event }) => {
            let told: Value = json!({"type": "message_update", "assistantMessageEvent": ai::event_json(event)});
            Some(told.into())
        }
        other => {
            let mut line = Vec::new();
            EventJson::default().write(other, &mut line);
            Some(Data::RawJson(String::from_utf8(line).ok()?))
        }
    }
}
