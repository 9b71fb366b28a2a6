//! What extensions are refused.

/// Why an extension does not get what it asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtensionCallError {
    /// It acts on a session that has not begun. Clients know the text.
    #[error("Extension runtime not initialized. Action methods cannot be called during extension loading.")]
    NotReady,
    /// It acts on a session that was replaced. Clients know how the text begins.
    #[error(
        "This extension ctx is stale after session replacement or reload. Go on with the context that with_session is given, or with the one of the next event."
    )]
    Stale,
    /// A session was to be made with extensions that are not loaded yet, by the call that cannot wait for that.
    #[error("The extensions are not loaded yet: create the session with create_agent_session_async, which loads them")]
    NotLoaded,
    /// A text that calls its command cannot wait for its turn. Clients know the text.
    #[error(
        "Extension command \"/{command}\" cannot be queued. Use prompt() or execute the command when not streaming."
    )]
    CommandQueued {
        /// The command's name.
        command: String,
    },
    /// The new session could not be set up. The old one stays.
    #[error("The new session was not set up: {reason}. The session stays the one that it was")]
    SetUp {
        /// Why.
        reason: String,
    },
}
