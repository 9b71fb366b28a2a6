//! The wire format `google-vertex`: Gemini on Google Cloud. What it shares with the Gemini API is in `google`; here are
//! endpoint and authentication, with an API key or with the credentials that Google's own tools find.

mod endpoint;
mod options;

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt};
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;
use crate::transport::HttpRequest;

use super::call::{Call, impl_api};
use super::google::{self, Flavor, GoogleDecoder, GoogleFrames, Settings};
use super::payload::Payload;
use super::wire::{WireFormat, WireRequest};
pub use options::GoogleVertexOptions;

/// The name that models carry in `api`.
pub(crate) const NAME: &str = "google-vertex";
/// A key that says that there is none. So does any word in angle brackets.
const NO_KEY: &str = "gcp-vertex-credentials";

/// The Gemini models of Vertex AI.
///
/// Without an API key the call is authenticated as application default credentials say: the file that
/// `GOOGLE_APPLICATION_CREDENTIALS` names, else the one that `gcloud auth application-default login` writes, else the
/// metadata server of a machine in Google Cloud. That needs the feature `vertex`.
///
/// Of [`StreamOptions`] it honours all but `cache_retention`, `session_id`, `metadata` and `transport`. Payload hooks see
/// the shape of the provider's SDK: `{"model", "contents", "config"}`.
#[derive(Debug, Clone, Copy, Default)]
pub struct GoogleVertex;

impl_api!(GoogleVertex, NAME, GoogleVertexOptions, Call::new);

impl WireFormat for Call<GoogleVertexOptions> {
    type Frames = GoogleFrames;
    type Decoder = GoogleDecoder;

    fn requires_api_key(&self) -> bool {
        false
    }

    fn request(&self, model: &Model, context: &Context, options: &StreamOptions) -> Result<WireRequest, Error> {
        let flavor = Flavor::Vertex;
        let (thinking, tool_choice) = match &self.explicit {
            Some(explicit) => {
                (google::explicit_thinking(model, explicit.thinking.as_ref(), flavor), explicit.tool_choice.clone())
            }
            None => (google::thinking_from_level(model, options, flavor), None),
        };
        let settings = Settings { thinking, tool_choice: tool_choice.or_else(|| options.tool_choice.clone()) };
        let key = api_key(options);
        Ok(WireRequest {
            url: endpoint::url(model, options, self.explicit.as_ref(), key.is_some())?,
            headers: google::headers(model, key)?,
            body: google::payload(model, context, options, &settings).into(),
        })
    }

    fn wire_url(&self, url: String, payload: &Value, model: &Model) -> String {
        google::retarget(url, payload, model, endpoint::resource)
    }

    fn wire_body(&self, payload: Payload) -> Result<Payload, Error> {
        google::translate(payload.into_value(), Flavor::Vertex).map(Payload::from)
    }

    fn authorize<'a>(
        &'a self,
        request: HttpRequest,
        model: &'a Model,
        options: &'a StreamOptions,
    ) -> BoxFuture<'a, Result<HttpRequest, Error>> {
        // Whoever brings a token of his own needs none of ours.
        let is_done = api_key(options).is_some() || request.headers.contains_key(http::header::AUTHORIZATION);
        if is_done {
            return std::future::ready(Ok(request)).boxed();
        }
        with_token(request, model, options).boxed()
    }

    fn decoder(&self, model: &Arc<Model>, context: &Context, options: &StreamOptions) -> GoogleDecoder {
        GoogleDecoder::new(model, context, options)
    }

    fn http_error(&self, status: u16, body: &str) -> String {
        google::http_error(status, body)
    }
}

/// The API key, if it is one.
fn api_key(options: &StreamOptions) -> Option<&str> {
    let key = options.given_api_key()?.trim();
    let is_placeholder = key == NO_KEY || (key.starts_with('<') && key.ends_with('>'));
    (!is_placeholder).then_some(key)
}

#[cfg(feature = "vertex")]
async fn with_token(mut request: HttpRequest, model: &Model, options: &StreamOptions) -> Result<HttpRequest, Error> {
    let token = crate::auth::google::access_token(options, &model.provider).await?;
    token.sign(&mut request.headers)?;
    Ok(request)
}

#[cfg(not(feature = "vertex"))]
async fn with_token(_: HttpRequest, model: &Model, _: &StreamOptions) -> Result<HttpRequest, Error> {
    let detail = "pi-ai was built without its feature \"vertex\"; use an API key (GOOGLE_CLOUD_API_KEY)";
    Err(crate::CredentialError::Unavailable { provider: model.provider.clone(), detail: detail.to_owned() }.into())
}
