//! What a script draws: functions that give rows and take what is typed. The script's thread is never waited for.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{HandlerError, View, WindowSize};
use pi_script::{Callback, Data};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::errors::to_handler;
use crate::link::Link;

/// A component of a script, by its functions.
#[derive(Debug)]
pub(crate) struct ScriptView {
    pub(crate) link: Link,
    pub(crate) draw: Callback,
    pub(crate) input: Callback,
    pub(crate) set_text: Callback,
    pub(crate) invalidate: Callback,
    pub(crate) closed: Callback,
}

/// A view that a script has made, until it closes it.
#[derive(Clone)]
pub(crate) struct OpenView {
    pub(crate) view: Arc<dyn View>,
    /// Cancelled when the script closes it.
    pub(crate) closed: CancellationToken,
}

impl std::fmt::Debug for OpenView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenView").finish_non_exhaustive()
    }
}

impl View for ScriptView {
    fn rows(&self, columns: u16, window: WindowSize) -> BoxFuture<'static, Result<Option<Vec<String>>, HandlerError>> {
        let (link, draw) = (self.link.clone(), self.draw);
        async move {
            let args = [columns, window.columns, window.rows].map(|cells| json!(cells).into());
            let rows = link.ask(draw, args.into()).await.map_err(to_handler)?;
            let Some(rows) = rows.into_json() else { return Ok(None) };
            serde_json::from_value(rows).map_err(|error| HandlerError::new(format!("No rows: {error}")))
        }
        .boxed()
    }

    fn input(&self, raw: &str) {
        self.link.emit(self.input, vec![Data::Text(raw.to_owned())]);
    }

    fn set_text(&self, text: &str) {
        self.link.emit(self.set_text, vec![Data::Text(text.to_owned())]);
    }

    fn invalidate(&self) {
        self.link.emit(self.invalidate, Vec::new());
    }

    fn closed(&self) {
        self.link.emit(self.closed, Vec::new());
    }
}
