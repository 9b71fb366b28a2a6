//! The event bus.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pi_script::Data;
use serde_json::{Value, json};

use super::{Ops, context_number};
use crate::extension::BusSubscription;
use crate::script::contexts::Entry;

pub(super) fn add(ops: &mut Ops<'_>) {
    let places: Arc<Mutex<HashMap<u32, BusSubscription>>> = Arc::default();
    let kept = Arc::clone(&places);
    ops.sync("bus.on", move |host, context, mut args| {
        // Not covered by the check for replaced sessions.
        let Entry::Activation(api) = host.contexts.get(context_number(&mut args)?)? else { return Ok(Data::Undefined) };
        let (channel, callback) = (args.text(1)?, args.callback(2)?);
        let engine = context.engine.clone();
        let place = api.events().on(&channel, move |message: &Value| {
            // An engine that stopped listens no more.
            let _ = engine.upgrade().map(|engine| engine.emit(callback, vec![message.clone().into()]));
        });
        kept.lock().unwrap_or_else(PoisonError::into_inner).insert(callback.0, place);
        Ok(json!(callback.0).into())
    });
    ops.sync("bus.off", move |_, _, mut args| {
        if let Some(place) = places.lock().unwrap_or_else(PoisonError::into_inner).remove(&args.parse(0)?) {
            place.cancel();
        }
        Ok(Data::Undefined)
    });
    ops.sync("bus.emit", |host, _, mut args| {
        let Entry::Activation(api) = host.contexts.get(context_number(&mut args)?)? else { return Ok(Data::Undefined) };
        let (channel, message) = (args.text(1)?, args.json(2).unwrap_or_default());
        api.events().emit(&channel, &message);
        Ok(Data::Undefined)
    });
}
