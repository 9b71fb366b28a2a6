//! The wire format `bedrock-converse-stream`: Amazon Bedrock's Converse API.
//!
//! `endpoint.rs` says where a request goes, `request.rs` puts it together from `convert.rs` (messages), `tools.rs` and
//! `thinking.rs`; `family.rs` tells models apart, `shape.rs` orders the body. `access.rs` signs. `decode.rs` reads the
//! stream, `errors.rs` words what went wrong.

mod access;
mod convert;
mod decode;
mod endpoint;
mod errors;
mod family;
mod options;
mod request;
mod shape;
mod thinking;
mod tools;
mod usage;

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use http::HeaderMap;
use serde_json::Value;

use crate::auth::aws::KeyCache;
use crate::context::Context;
use crate::error::{CredentialError, Error};
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::event_stream::EventStreamReader;
use crate::transport::{HttpRequest, HttpTransport};

use super::call::impl_api;
use super::payload::Payload;
use super::wire::{WireFormat, WireRequest};
use access::Access;
use decode::BedrockDecoder;
use endpoint::Endpoint;
pub use options::BedrockOptions;
use thinking::Settings;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "bedrock-converse-stream";
/// The service's own clients try this often again.
const RETRIES: u32 = 2;

/// The Converse API of Amazon Bedrock.
///
/// It needs no API key. A bearer token is sent as such; otherwise requests are signed with keys from the environment, a
/// profile of `~/.aws`, a web identity or a container's endpoint. Temporary keys are kept until shortly before they
/// expire. They are fetched over the transport of the call, of which a recording shows nothing.
///
/// Of [`StreamOptions`] it honours all but `api_key`, `session_id` and `metadata`; a request is tried three times even when
/// `max_retries` is smaller. Of `env` it reads the `AWS_*` variables and the proxies. Headers of the model are not sent, and
/// those of the caller that belong to the signature are ignored. A payload hook sees the
/// operation's input, `modelId` included, and may change all of it.
#[derive(Debug, Clone, Default)]
pub struct BedrockConverseStream {
    keys: Arc<KeyCache>,
}

impl_api!(BedrockConverseStream, NAME, BedrockOptions, |api: &BedrockConverseStream, explicit, _, _| Format {
    explicit,
    keys: Arc::clone(&api.keys),
});

/// The format as the driver sees it.
#[derive(Debug)]
pub(crate) struct Format {
    /// Options of this format; without them they follow from the general ones.
    explicit: Option<BedrockOptions>,
    keys: Arc<KeyCache>,
}

impl Format {
    fn access<'a>(&'a self, options: &'a StreamOptions) -> Access<'a> {
        Access { options, explicit: self.explicit.as_ref() }
    }
}

impl WireFormat for Format {
    type Frames = EventStreamReader;
    type Decoder = BedrockDecoder;

    fn requires_api_key(&self) -> bool {
        false
    }

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        let endpoint = Endpoint::of(&model.id, &model.base_url, self.access(options).named());
        let settings = match &self.explicit {
            Some(explicit) => Settings::explicit(model, explicit, options),
            None => Settings::from_level(model, options),
        };
        // A region that only a profile knows comes with the signature; until then any will do.
        let region = endpoint.region.as_deref().unwrap_or(endpoint::DEFAULT_REGION);
        Ok(WireRequest {
            url: endpoint.url(region, &model.id),
            headers: HeaderMap::new(),
            body: request::body(model, context, options, &settings, region)?,
        })
    }

    fn wire_body(&self, payload: Payload) -> Result<Payload, Error> {
        Ok(payload.map_fields(shape::wire_body))
    }

    /// The model is named in the path.
    fn wire_url(&self, url: String, payload: &Value, _model: &Model) -> String {
        payload["modelId"].as_str().map_or(url.clone(), |id| endpoint::with_model_id(&url, id))
    }

    fn authorize<'a>(
        &'a self,
        request: HttpRequest,
        model: &'a Model,
        options: &'a StreamOptions,
    ) -> BoxFuture<'a, Result<HttpRequest, Error>> {
        let access = self.access(options);
        let named = |error| match error {
            Error::Credential(CredentialError::Unavailable { detail, .. }) => {
                Error::Credential(CredentialError::Unavailable { provider: model.provider.clone(), detail })
            }
            other => other,
        };
        async move { access.authorize(request, model, &self.keys).await.map_err(named) }.boxed()
    }

    fn transport(
        &self,
        inner: Arc<dyn HttpTransport>,
        _model: &Model,
        options: &StreamOptions,
    ) -> Arc<dyn HttpTransport> {
        self.access(options).proxied().unwrap_or(inner)
    }

    fn max_retries(&self, options: &StreamOptions) -> u32 {
        options.max_retries.max(RETRIES)
    }

    fn decoder(&self, model: &Arc<Model>, _context: &Context, _options: &StreamOptions) -> BedrockDecoder {
        BedrockDecoder::new(model)
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        errors::of_response(status, &HeaderMap::new(), body)
    }

    fn rejected(&self, status: u16, headers: &HeaderMap, body: &str) -> String {
        errors::of_response(status, headers, body)
    }
}
