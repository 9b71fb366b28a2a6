//! Model calls of an agent through a server that keeps the keys. Client, server and format are [`pi_ai::proxy`].

use std::sync::Arc;

use futures::FutureExt;
use pi_ai::Api;
use pi_ai::proxy::{ProxyApi, ProxyOptions};

use crate::hooks::StreamFn;

/// A stream function that lets a proxy make the model calls.
///
/// What of a call travels and what counts on this side is said at [`ProxyApi`].
pub fn proxy_stream_fn(options: ProxyOptions) -> Arc<StreamFn> {
    let proxy = ProxyApi::new(options);
    Arc::new(move |model, context, options| {
        let stream = proxy.stream(model, context, options);
        std::future::ready(Ok(stream)).boxed()
    })
}
