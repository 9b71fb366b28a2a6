//! Why a session does not do what it is asked for. Every text names the thing and, where there is one, the way out. Some texts
//! are part of the interface: clients match on them, so they carry the wording of the specification.

use super::call_error::ExtensionCallError;
use super::missing_key_hint::way_to_key;
use crate::host::convert_through;

/// A failure of a session, or of what it is made of.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file, a lock or a value of JSON.
    #[error(transparent)]
    Host(#[from] crate::host::Error),
    /// A session or its file.
    #[error(transparent)]
    Session(#[from] crate::session::Error),
    /// An export or an import.
    #[error(transparent)]
    Export(#[from] crate::export::Error),
    /// Settings, models, keys, logins.
    #[error(transparent)]
    Config(#[from] crate::config::Error),
    /// Packages, themes, prompts.
    #[error(transparent)]
    Resources(#[from] crate::resources::Error),
    /// An extension asks for what it cannot have.
    #[error(transparent)]
    Extension(#[from] ExtensionCallError),
    /// A place that one cannot fork from. Clients match on this text.
    #[error("Invalid entry ID for forking")]
    InvalidForkEntry,
    /// There is nothing in the session yet. Clients match on this text.
    #[error("Cannot clone session: no current entry selected")]
    NothingToClone,
    /// A command of the user could not be run; the text is that of the shell or of the operations behind it.
    #[error("{reason}")]
    Command {
        /// What went wrong.
        reason: String,
    },
    /// A prompt arrived during a run without saying where it should go. Clients match on this text.
    #[error("Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.")]
    AlreadyProcessing,
    /// The session was closed, so the prompt has not been sent.
    #[error("The session is closed; open it again to send prompts.")]
    SessionClosed,
    /// A compaction is already going on.
    #[error("A compaction is already in progress; wait for its end, or abort it.")]
    CompactionInProgress,
    /// There is no history to summarise. Clients match on this text.
    #[error(transparent)]
    NothingToCompact(#[from] crate::compaction::NothingToCompact),
    /// The history could not be summarised.
    #[error(transparent)]
    Compaction(#[from] crate::compaction::CompactionError),
    /// A branch that is left could not be summarised; the session is where it was.
    #[error(transparent)]
    BranchSummary(#[from] crate::compaction::BranchSummaryError),
    /// No model is selected, because none has a key. Clients match on the first sentence.
    #[error(
        "No API key found for the selected model.\n\nNo model has a key yet: log in (pi auth login), set a provider's environment variable (pi --help lists some), or add the provider to auth.json or models.json; then choose with --model."
    )]
    NoModelSelected,
    /// The model cannot be called: nothing says with which key. Clients match on the first sentence.
    #[error("No API key found for {provider}.\n\nModel {provider}/{model} needs {}.", way_to_key(provider))]
    NoApiKey {
        /// Provider id.
        provider: String,
        /// Model id.
        model: String,
    },
    /// A limit of the session is reached.
    #[error(transparent)]
    LimitReached(#[from] super::LimitReached),
}

convert_through! {
    crate::session::SessionIdError => crate::session::Error,
    crate::resources::PackageError => crate::resources::Error,
    crate::resources::theme::ThemeError => crate::resources::Error,
    crate::config::storage::StorageError => crate::config::Error,
}
