//! Tokens of the program, as signals of the script: each belongs to a call, and is watched as long as that goes on.

use rquickjs::{Ctx, Value};
use tokio_util::sync::CancellationToken;

use super::message::Message;
use super::worker::WorkerState;

/// The signals that a call was given.
#[derive(Default)]
pub(super) struct Signals {
    tokens: Vec<(u32, CancellationToken)>,
    /// Cancelled with the call: nobody watches any more. `None` until it is given a signal.
    over: Option<CancellationToken>,
}

impl Drop for Signals {
    fn drop(&mut self) {
        if let Some(over) = &self.over {
            over.cancel();
        }
    }
}

impl WorkerState {
    /// An `AbortSignal` that fires when `token` is cancelled, unless the call is over by then.
    pub(super) fn signal<'js>(
        &self,
        ctx: &Ctx<'js>,
        token: CancellationToken,
        call: u32,
    ) -> rquickjs::Result<Value<'js>> {
        let number = self.number();
        let signal = self.function(ctx, "signal")?.call((number, token.is_cancelled()))?;
        let over = self.over(call, number, &token);
        let engine = self.engine.clone();
        self.runtime.spawn(async move {
            tokio::select! {
                () = token.cancelled() => engine.send(Message::Abort { signal: number }),
                () = over.cancelled() => {}
            }
        });
        Ok(signal)
    }

    /// The signals whose tokens were cancelled, also those that the script has not been told of yet.
    pub(super) fn cancelled_signals(&self) -> Vec<u32> {
        let calls = self.calls.borrow();
        let tokens = calls.values().flat_map(|call| &call.signals.tokens);
        tokens.filter(|(_, token)| token.is_cancelled()).map(|(number, _)| *number).collect()
    }

    /// Notes a signal of a call. Returns what ends with the call.
    fn over(&self, call: u32, number: u32, token: &CancellationToken) -> CancellationToken {
        let mut calls = self.calls.borrow_mut();
        let Some(call) = calls.get_mut(&call) else { return CancellationToken::new() };
        call.signals.tokens.push((number, token.clone()));
        call.signals.over.get_or_insert_default().clone()
    }
}
