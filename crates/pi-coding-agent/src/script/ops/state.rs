//! What lives between calls: tokens that scripts cancel, and where tools report their progress.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pi_agent_core::ToolUpdates;
use pi_script::{Args, Data, OpError};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::Ops;
use super::setup::Writers;
use crate::script::errors::failed;
use crate::script::tool::output;

/// Of one extension.
#[derive(Debug, Default)]
pub(in crate::script) struct State {
    pub(in crate::script) updates: Arc<Updates>,
    pub(super) writers: Writers,
    tokens: Numbered<CancellationToken>,
}

/// Things by number.
#[derive(Debug)]
struct Numbered<T>(Mutex<(u32, HashMap<u32, T>)>);

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self(Mutex::new((0, HashMap::new())))
    }
}

impl<T> Numbered<T> {
    fn add(&self, thing: T) -> u32 {
        let mut numbers = self.lock();
        numbers.0 += 1;
        let number = numbers.0;
        numbers.1.insert(number, thing);
        number
    }

    fn lock(&self) -> MutexGuard<'_, (u32, HashMap<u32, T>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The token behind an abort signal that a script gave along, as `js/bridge/signals.js` numbered it.
    pub(super) fn token(&self, args: &mut Args, place: usize) -> Result<Option<CancellationToken>, OpError> {
        let number: Option<u32> = args.parse(place)?;
        Ok(number.and_then(|number| self.tokens.lock().1.get(&number).cloned()))
    }
}

/// Where running calls of tools report their progress.
#[derive(Debug, Default)]
pub(in crate::script) struct Updates(Numbered<ToolUpdates>);

/// A call that reports; afterwards nothing is listened to.
#[derive(Debug)]
pub(in crate::script) struct Reports<'a>(&'a Updates, u32);

impl Updates {
    pub(in crate::script) fn open(&self, updates: ToolUpdates) -> Reports<'_> {
        Reports(self, self.0.add(updates))
    }
}

impl Reports<'_> {
    pub(in crate::script) fn number(&self) -> u32 {
        self.1
    }
}

impl Drop for Reports<'_> {
    fn drop(&mut self) {
        self.0.0.lock().1.remove(&self.1);
    }
}

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("token.new", |host, _, _| Ok(json!(host.state.tokens.add(CancellationToken::new())).into()));
    ops.sync("token.cancel", |host, _, mut args| {
        if let Some(token) = host.state.tokens.lock().1.get(&args.parse(0)?) {
            token.cancel();
        }
        Ok(Data::Undefined)
    });
    ops.sync("token.drop", |host, _, mut args| {
        host.state.tokens.lock().1.remove(&args.parse(0)?);
        Ok(Data::Undefined)
    });
    ops.sync("tool.update", |host, _, mut args| {
        let number: u32 = args.parse(0)?;
        let updates = host.state.updates.0.lock().1.get(&number).cloned();
        // A call that is over reports nothing any more.
        if let Some(updates) = updates {
            updates.send(output(args.json(1)).map_err(failed)?);
        }
        Ok(Data::Undefined)
    });
}
