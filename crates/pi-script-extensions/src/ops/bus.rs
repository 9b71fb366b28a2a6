//! The event bus.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pi_script::Data;
use serde_json::{Value, json};

use super::{Ops, context_number, lock};
use crate::contexts::Entry;
use crate::link::Link;
use pi_coding_agent::extension::BusSubscription;

pub(super) fn add(ops: &mut Ops<'_>) {
    let places: Arc<Mutex<HashMap<u32, BusSubscription>>> = Arc::default();
    let kept = Arc::clone(&places);
    ops.sync("bus.on", move |host, _, mut args| {
        // Not covered by the check for replaced sessions.
        let Ok(Entry::Activation(api)) = host.contexts.get(context_number(&mut args)?) else {
            return Ok(Data::Undefined);
        };
        let (channel, callback) = (args.text(1)?, args.callback(2)?);
        // What the script sends itself it hands over itself, as it is. This is the script's thread.
        let (link, home) = (Link::to(host), std::thread::current().id());
        let place = api.events().on(&channel, move |message: &Value| {
            if std::thread::current().id() != home {
                link.emit(callback, vec![message.clone().into()]);
            }
        });
        lock(&kept).insert(callback.0, place);
        Ok(json!(callback.0).into())
    });
    ops.sync("bus.off", move |_, _, mut args| {
        if let Some(place) = lock(&places).remove(&args.parse(0)?) {
            place.cancel();
        }
        Ok(Data::Undefined)
    });
    ops.sync("bus.emit", |host, _, mut args| {
        // Nobody else listens to the bus of a session that was replaced.
        let Ok(Entry::Activation(api)) = host.contexts.get(context_number(&mut args)?) else {
            return Ok(Data::Undefined);
        };
        let (channel, message) = (args.text(1)?, args.json(2).unwrap_or_default());
        api.events().emit(&channel, &message);
        Ok(Data::Undefined)
    });
}
