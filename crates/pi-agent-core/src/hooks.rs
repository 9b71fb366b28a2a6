//! Where a program changes what the loop does: closures, all optional.
//!
//! Context transformation, tool-call interception, stop and next-turn decisions belong here, too; they join when
//! something calls them.

use std::fmt;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::{ApiRegistry, AssistantMessageStream, Context, Message, Model, StreamOptions};

use crate::error::RunFailure;

/// Turns the transcript, custom roles included, into what the model sees.
pub type ConvertFn = dyn Fn(&[Arc<Message>]) -> Vec<Arc<Message>> + Send + Sync;

/// Starts a model call. An `Err` breaks the run off; a failed request is a stream that ends in an error.
pub type StreamFn = dyn Fn(Arc<Model>, Context, StreamOptions) -> BoxFuture<'static, Result<AssistantMessageStream, RunFailure>>
    + Send
    + Sync;

/// A stream function that finds the wire format of each model in `apis`. Keys come from the options of the agent,
/// else from the environment.
pub fn api_stream_fn(apis: Arc<ApiRegistry>) -> Arc<StreamFn> {
    Arc::new(move |model, context, options| {
        let stream = apis.stream(model, context, options).map_err(|error| RunFailure::new(error.to_string()));
        std::future::ready(stream).boxed()
    })
}

/// Hooks of a run.
#[derive(Clone, Default)]
pub struct Hooks {
    /// Converts the transcript before each model call. Absent: keeps user, assistant and tool-result messages.
    pub convert_to_llm: Option<Arc<ConvertFn>>,
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks").field("convert_to_llm", &self.convert_to_llm.is_some()).finish()
    }
}

impl Hooks {
    pub(crate) fn convert(&self, messages: &[Arc<Message>]) -> Vec<Arc<Message>> {
        match &self.convert_to_llm {
            Some(convert) => convert(messages),
            None => messages.iter().filter(|m| !matches!(***m, Message::Other(_))).cloned().collect(),
        }
    }
}
