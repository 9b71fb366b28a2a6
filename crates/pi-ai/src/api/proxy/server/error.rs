//! What a client did wrong, one variant per condition.

/// A request that a proxy does not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProxyError {
    /// The body of a request cannot be read.
    #[error("The request is none that a proxy understands: {detail}")]
    UnreadableRequest {
        /// What is wrong with it.
        detail: String,
    },
    /// A proxy was asked for a model that it does not offer.
    #[error("This proxy does not serve model \"{id}\" of provider \"{provider}\"")]
    ModelNotServed {
        /// Provider id.
        provider: String,
        /// Model id.
        id: String,
    },
}
