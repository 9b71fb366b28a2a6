//! Why the library fails, whatever floor it is that failed.

/// A failure of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A session, or what it is made of.
    #[error(transparent)]
    AgentSession(#[from] crate::agent_session::Error),
    /// A cassette cannot be used.
    #[error(transparent)]
    Cassette(pi_ai::Error),
    /// A program that is driven over RPC did not do what it was asked for.
    #[error(transparent)]
    RpcClient(#[from] crate::rpc::RpcClientError),
    /// A pool of sessions cannot do what was asked for.
    #[error(transparent)]
    Pool(#[from] super::session_pool::PoolError),
}

impl Error {
    /// The failure of a session file behind this, if it is one.
    pub fn as_session(&self) -> Option<&crate::session::Error> {
        match self {
            Self::AgentSession(crate::agent_session::Error::Session(error)) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for crate::events::HandlerError {
    fn from(error: Error) -> Self {
        Self::new(error.to_string())
    }
}

/// Failures that stand inside the failure of a session: a `?` takes them all the way.
macro_rules! through {
    ($($inner:ty,)*) => {
        $(impl From<$inner> for Error {
            fn from(error: $inner) -> Self {
                crate::agent_session::Error::from(error).into()
            }
        })*
    };
}

through! {
    crate::host::Error,
    crate::session::Error,
    crate::session::SessionIdError,
    crate::export::Error,
    crate::config::Error,
    crate::config::storage::StorageError,
    crate::resources::Error,
    crate::resources::PackageError,
    crate::resources::theme::ThemeError,
    crate::events::ExtensionCallError,
    crate::events::LimitReached,
    crate::compaction::NothingToCompact,
    crate::compaction::CompactionError,
    crate::compaction::BranchSummaryError,
}
