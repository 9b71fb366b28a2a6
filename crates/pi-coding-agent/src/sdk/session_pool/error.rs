//! What can go wrong with a pool, besides what can go wrong with its sessions.

/// A failure of a pool of sessions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// There is no session of this id.
    #[error("There is no session {id} in the pool; SessionPool::ids names those that there are.")]
    Unknown {
        /// The id.
        id: String,
    },
    /// Sessions did not end in time: their runs are not polled any more, or something in them does not end.
    #[error("Not ended in time: {}. Poll the futures of their prompts until they end, or drop them.", .ids.join(", "))]
    StillRunning {
        /// Ids of the sessions.
        ids: Vec<String>,
    },
}
