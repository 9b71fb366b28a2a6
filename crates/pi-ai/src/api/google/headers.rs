//! Request headers of both formats, as the provider's SDK sends them but for what it tells about itself.

use http::HeaderMap;

use crate::api::headers::Headers;
use crate::error::Error;
use crate::model::Model;

/// Headers with a key, if there is one, and those of the model.
pub(in crate::api) fn build(model: &Model, key: Option<&str>) -> Result<HeaderMap, Error> {
    let mut headers = Headers::default();
    headers.set("accept", "*/*")?;
    if let Some(key) = key {
        headers.set("x-goog-api-key", key)?;
    }
    headers.set_all(model.headers.as_ref())?;
    Ok(headers.finish())
}
