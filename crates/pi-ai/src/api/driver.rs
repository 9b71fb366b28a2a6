//! Stand-in until the driver of the transport work is merged: a stream that fails at once.

use std::sync::Arc;

use futures::stream;

use crate::api::wire::WireFormat;
use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::partial::MessageBuilder;
use crate::stream::AssistantMessageStream;

#[expect(clippy::needless_pass_by_value, reason = "signature of the real driver")]
pub(crate) fn drive<W: WireFormat>(
    format: W,
    model: Arc<Model>,
    context: Context,
    options: StreamOptions,
) -> AssistantMessageStream {
    let error = match format.request(&model, &context, &options) {
        Ok(request) => Error::Connection { detail: format!("no transport to {}", request.url) },
        Err(error) => error,
    };
    let message = MessageBuilder::new(&model, options.clock.now_ms());
    AssistantMessageStream::new(stream::iter([message.fail(error)]))
}
