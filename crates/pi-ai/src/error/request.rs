//! Why a request cannot be built: the model, the endpoint or a header of the caller. Nothing was sent.

/// A request cannot be built from what the caller gave.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No implementation is registered for the model's wire format.
    #[error("No API provider registered for api: {api}{}", left_out(api))]
    UnknownApi {
        /// The model's `api`.
        api: String,
    },
    /// A model was handed to the implementation of another wire format.
    #[error("Mismatched api: {actual} expected {expected}")]
    MismatchedApi {
        /// The model's `api`.
        actual: String,
        /// The implementation's `api`.
        expected: String,
    },
    /// A transcript holds an image of a kind that the wire format cannot carry.
    #[error("Unknown image type: {mime_type}")]
    UnknownImageType {
        /// MIME type of the image.
        mime_type: String,
    },
    /// A base URL needs a variable that is not set.
    #[error("{name} is required for provider {provider} but is not set.")]
    MissingVariable {
        /// Environment variable.
        name: String,
        /// Provider id.
        provider: String,
    },
    /// Something that a wire format needs was given neither in the options nor in the environment.
    #[error("{message}")]
    MissingSetting {
        /// What is missing, and where it can be set.
        message: String,
    },
    /// The base URL cannot be parsed.
    #[error("Invalid base URL \"{url}\" of provider {provider}: {detail}")]
    InvalidUrl {
        /// The text that was given, without a query.
        url: String,
        /// Provider id.
        provider: String,
        /// The parser's words.
        detail: String,
    },
    /// A header name or value is not legal in HTTP. The value is not repeated: it may be a secret.
    #[error("Invalid request header \"{name}\": {detail}")]
    InvalidHeader {
        /// Header name.
        name: String,
        /// What is wrong with it.
        detail: String,
    },
}

/// Wire formats that a build can leave out: their name, the feature that brings them, and whether it is on.
const OPTIONAL: [(&str, &str, bool); 1] = [("bedrock-converse-stream", "bedrock", cfg!(feature = "bedrock"))];

/// What to say about a format that this build leaves out.
fn left_out(api: &str) -> String {
    let missing = OPTIONAL.iter().find(|(name, _, is_on)| *name == api && !is_on);
    missing.map_or_else(String::new, |(_, feature, _)| format!(" (this build leaves out the feature \"{feature}\")"))
}
