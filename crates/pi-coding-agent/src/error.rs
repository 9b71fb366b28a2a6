//! What can go wrong, one variant per condition.
//!
//! Every text names the thing and, where there is one, the way out. Some texts are part of the interface: clients
//! match on them, so they carry the wording of the specification.

mod extension;
mod way_out;

pub use extension::ExtensionCallError;
use way_out::way_to_key;

/// A failure of this crate.
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
    /// Nobody can be asked which session is meant.
    #[error("--resume needs a terminal to choose in. Name a session with --session ID; pi session ls lists them")]
    NotATerminal,
    /// Nothing fits what was asked for. Clients match on the first line of the text.
    #[error("No session found matching '{wanted}'\n`pi session ls --all` lists the sessions there are.")]
    NoSuchSession {
        /// A path, an id or the start of one.
        wanted: String,
    },
    /// Options that contradict each other. Clients match on this text.
    #[error("{option} cannot be combined with {others}")]
    OptionsExclude {
        /// The option.
        option: &'static str,
        /// Those that it excludes.
        others: String,
    },
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
    /// A cassette cannot be used.
    #[error(transparent)]
    Cassette(pi_ai::Error),
    /// A program that is driven over RPC did not do what it was asked for.
    #[error(transparent)]
    RpcClient(#[from] crate::rpc::RpcClientError),
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
    /// A pool of sessions cannot do what was asked for.
    #[error(transparent)]
    Pool(#[from] crate::session_pool::PoolError),
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
    LimitReached(#[from] crate::events::LimitReached),
}

/// Failures that stand inside the failure of a floor: a `?` in a program takes them all the way.
macro_rules! through {
    ($($inner:ty => $floor:ty,)*) => {
        $(impl From<$inner> for Error {
            fn from(error: $inner) -> Self {
                <$floor>::from(error).into()
            }
        })*
    };
}

through! {
    crate::session::SessionIdError => crate::session::Error,
    crate::resources::PackageError => crate::resources::Error,
    crate::theme::ThemeError => crate::resources::Error,
    crate::storage::StorageError => crate::config::Error,
}
