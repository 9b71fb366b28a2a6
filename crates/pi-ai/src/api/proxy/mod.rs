//! Model calls through a server of one's own, which keeps the keys: the format of such calls, and what the server needs.
//!
//! [`ProxyApi`] is the client, an [`Api`] like every other. The server half, [`ProxyServer`], turns the body of a request
//! into the body of a response, for whatever HTTP server a program has. Neither opens a socket. Nothing here knows a
//! provider: the model in a request stays what it is.
//!
//! | File | What is in it |
//! |---|---|
//! | `options.rs` | where the proxy is, and which options of a call travel |
//! | `request.rs` | the request, and the words for a refused one |
//! | `lines.rs`, `wire.rs` | the format: lines of bytes, events without partial messages |
//! | `decode.rs`, `rebuild.rs` | lines back into events, events back into a message |
//! | `server/` | a request on the server, and the events of a call as lines |

mod decode;
mod lines;
mod options;
mod rebuild;
mod request;
mod server;
mod wire;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::registry::Api;
use crate::stream::AssistantMessageStream;

use self::decode::ProxyDecoder;
use self::lines::Lines;
pub use self::options::{ProxyCallOptions, ProxyOptions};
pub use self::server::{
    ProxyBody, ProxyError, ProxyRequest, ProxyServer, RequestedModel, ResolveFn, bearer_token, encode_events,
    error_response,
};
use super::driver::drive;
use super::wire::{WireFormat, WireRequest};

/// The name that models carry in `api` when a registry shall ask a proxy for them.
const NAME: &str = "pi-proxy";

/// What clients show for a call that they cancelled themselves.
const ABORTED: &str = "Request aborted by user";

/// Model calls that a proxy makes.
///
/// Of the options of a call those of [`ProxyCallOptions`] travel; `cancel`, `timeout`, `stall_timeout`, `clock` and
/// `http` apply on this side; keys, retries and hooks are the server's affair. A `timeout` of [`Duration::MAX`] and no
/// `stall_timeout` mean that no clock is read, for platforms that have none.
#[derive(Debug, Clone)]
pub struct ProxyApi {
    proxy: Arc<ProxyOptions>,
}

impl ProxyApi {
    /// Calls through the proxy that the options name.
    pub fn new(options: ProxyOptions) -> Self {
        Self { proxy: Arc::new(options) }
    }
}

impl Api for ProxyApi {
    fn name(&self) -> &str {
        NAME
    }

    /// Asks the proxy for a model, whatever wire format the model names.
    fn stream(&self, model: Arc<Model>, context: Context, mut options: StreamOptions) -> AssistantMessageStream {
        options.http.get_or_insert_with(|| Arc::clone(&self.proxy.http));
        let format = Format { proxy: Arc::clone(&self.proxy), told_abort: Arc::default() };
        drive(Arc::new(format), model, context, options)
    }
}

/// One call as the driver sees it.
#[derive(Debug)]
struct Format {
    proxy: Arc<ProxyOptions>,
    /// The words of the proxy, once it said that the call was aborted.
    told_abort: Arc<OnceLock<String>>,
}

impl WireFormat for Format {
    type Frames = Lines;
    type Decoder = ProxyDecoder;

    fn requires_api_key(&self) -> bool {
        false
    }

    fn asks_a_provider(&self) -> bool {
        false
    }

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        request::build(&self.proxy, model, context, options)
    }

    fn max_retries(&self, _: &StreamOptions) -> u32 {
        0
    }

    fn error_body_timeout(&self, options: &StreamOptions, usual: Duration) -> Duration {
        // A call that reads no clock reads none here either.
        if options.timeout == Duration::MAX { Duration::MAX } else { usual }
    }

    fn decoder(&self, _: &Arc<Model>, _: &Context, _: &StreamOptions) -> ProxyDecoder {
        ProxyDecoder::new(Arc::clone(&self.told_abort))
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        request::refusal(status, body)
    }

    fn failure_text(&self, cause: &Error) -> Option<String> {
        let aborted = || self.told_abort.get().map_or(ABORTED, String::as_str).to_owned();
        cause.is_aborted().then(aborted)
    }
}
