//! Answers of wire formats that scripts implement, and who listens to them.

use std::sync::Arc;

use pi_ai::{Model, StreamOptions};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use super::numbered::Numbered;

/// One thing that a script says.
#[derive(Debug)]
pub(crate) enum Said {
    /// An event.
    Event(Value),
    /// That it failed.
    Failed(String),
}

/// Where answers go that scripts are giving, by number, with what their hooks belong to.
pub(crate) type Answers = Numbered<Listener>;

/// Who listens to an answer.
#[derive(Debug, Clone)]
pub(crate) struct Listener {
    pub(crate) said: UnboundedSender<Said>,
    pub(crate) model: Arc<Model>,
    pub(crate) options: StreamOptions,
}

impl Listener {
    /// Passes on an event. Nobody may listen any more.
    pub(crate) fn send(&self, event: Value) {
        let _ = self.said.send(Said::Event(event));
    }

    /// Lets whoever called see the request, and perhaps replace it.
    pub(crate) async fn payload(&self, payload: Value) -> Result<Option<Value>, String> {
        match &self.options.on_payload {
            Some(hook) => hook.call(payload, Arc::clone(&self.model)).await,
            None => Ok(None),
        }
    }

    /// Lets whoever called see the response.
    pub(crate) async fn response(&self, response: pi_ai::ResponseInfo) -> Result<(), String> {
        match &self.options.on_response {
            Some(hook) => (hook.0)(response, Arc::clone(&self.model)).await,
            None => Ok(()),
        }
    }
}
