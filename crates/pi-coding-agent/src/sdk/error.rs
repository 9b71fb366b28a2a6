//! Why the library fails, whatever floor it is that failed.

use crate::host::convert_through;

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

convert_through! {
    crate::host::Error => crate::agent_session::Error,
    crate::session::Error => crate::agent_session::Error,
    crate::session::SessionIdError => crate::agent_session::Error,
    crate::export::Error => crate::agent_session::Error,
    crate::config::Error => crate::agent_session::Error,
    crate::config::storage::StorageError => crate::agent_session::Error,
    crate::resources::Error => crate::agent_session::Error,
    crate::resources::PackageError => crate::agent_session::Error,
    crate::resources::theme::ThemeError => crate::agent_session::Error,
    crate::events::ExtensionCallError => crate::agent_session::Error,
    crate::events::LimitReached => crate::agent_session::Error,
    crate::compaction::NothingToCompact => crate::agent_session::Error,
    crate::compaction::CompactionError => crate::agent_session::Error,
    crate::compaction::BranchSummaryError => crate::agent_session::Error,
}
