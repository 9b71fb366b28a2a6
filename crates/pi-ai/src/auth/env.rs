//! Provider id → environment variables that hold its key.

use crate::model::Model;
use crate::options::StreamOptions;

/// Fills in a missing key from the environment.
pub(crate) fn with_env_key(_model: &Model, options: StreamOptions) -> StreamOptions {
    options
}
