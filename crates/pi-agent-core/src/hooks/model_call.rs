//! Hooks around a model call: what is sent, with which key, and who makes the call.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_ai::{ApiRegistry, AssistantMessageStream, Context, Message, Model, StreamOptions};
use tokio_util::sync::CancellationToken;

use super::Hooks;
use crate::error::RunFailure;
use crate::tool_set::ToolSet;

/// Turns the transcript, custom roles included, into what the model sees. It must not block; what takes time belongs
/// into [`TransformFn`].
pub type ConvertFn = dyn Fn(&[Arc<Message>]) -> Result<Vec<Arc<Message>>, RunFailure> + Send + Sync;

/// Changes the transcript for one model call, for example to leave out what is old. The transcript itself stays.
pub type TransformFn = dyn Fn(Vec<Arc<Message>>, CancellationToken) -> BoxFuture<'static, Result<Vec<Arc<Message>>, RunFailure>>
    + Send
    + Sync;

/// The tools from this model call on, given those of the run; `None` keeps them. It must not block.
pub type ToolsFn = dyn Fn(&ToolSet) -> Option<ToolSet> + Send + Sync;

/// The API key of a provider id; `None` or a blank one means that the options of the call decide.
pub type ApiKeyFn = dyn Fn(String) -> BoxFuture<'static, Result<Option<String>, RunFailure>> + Send + Sync;

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

impl Hooks {
    /// What the model sees of the transcript: transformed, then converted.
    pub(crate) async fn messages_for_model(
        &self,
        transcript: &[Arc<Message>],
        cancel: &CancellationToken,
    ) -> Result<Vec<Arc<Message>>, RunFailure> {
        match &self.transform_context {
            Some(transform) => self.convert(&transform(transcript.to_vec(), cancel.clone()).await?),
            None => self.convert(transcript),
        }
    }

    fn convert(&self, messages: &[Arc<Message>]) -> Result<Vec<Arc<Message>>, RunFailure> {
        match &self.convert_to_llm {
            Some(convert) => convert(messages),
            None => Ok(messages.iter().filter(|m| !matches!(***m, Message::Other(_))).cloned().collect()),
        }
    }

    /// The key for a provider, if the hook knows one.
    pub(crate) async fn api_key(&self, provider: &str) -> Result<Option<String>, RunFailure> {
        let Some(get) = &self.get_api_key else { return Ok(None) };
        let key = get(provider.to_owned()).await?;
        Ok(key.filter(|key| !key.trim().is_empty()))
    }
}
