//! The key of a call.

use crate::error::Error;
use crate::model::Model;
use crate::options::StreamOptions;

/// The key that the options hold.
///
/// # Errors
/// [`Error::MissingApiKey`] when there is none, or a blank one.
pub(crate) fn key<'a>(model: &Model, options: &'a StreamOptions) -> Result<&'a str, Error> {
    let key = options.api_key.as_deref().filter(|key| !key.trim().is_empty());
    key.ok_or_else(|| Error::MissingApiKey { provider: model.provider.clone() })
}
