//! What the tests of this crate share: a real server on loopback and the smallest wire format. Compiled for tests only.

use std::sync::Arc;

use futures::stream::StreamExt;

use crate::error::Error;
use crate::event::AssistantMessageEvent as Event;
use crate::message::AssistantMessage;
use crate::stream::AssistantMessageStream;

#[cfg(feature = "http")]
mod format;
#[cfg(feature = "http")]
mod server;

#[cfg(feature = "http")]
pub(crate) use self::{
    format::{TinyFormat, tiny_model},
    server::{Reply, Server},
};

/// A call that ran to its end.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The `type` strings of all events.
    pub(crate) kinds: Vec<&'static str>,
    pub(crate) message: Arc<AssistantMessage>,
    pub(crate) cause: Option<Error>,
}

impl Ran {
    /// `errorMessage`, empty when there is none.
    pub(crate) fn error(&self) -> &str {
        self.message.error_message.as_deref().unwrap_or("")
    }
}

/// Runs a stream to its end.
pub(crate) async fn run(mut stream: AssistantMessageStream) -> Ran {
    let (mut kinds, mut cause) = (Vec::new(), None);
    while let Some(event) = stream.next().await {
        kinds.push(event.kind());
        if let Event::Error { cause: Some(error), .. } = event {
            cause = Some(error);
        }
    }
    let message = Arc::clone(stream.final_message().expect("a terminal event"));
    Ran { kinds, message, cause }
}
