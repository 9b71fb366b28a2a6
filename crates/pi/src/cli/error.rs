//! Why the command line does not get to a session. Texts that clients match on carry the wording of the specification.

/// A failure of the command line, or of the library behind it.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// The library.
    #[error(transparent)]
    Library(#[from] pi_coding_agent::Error),
    /// The user could not be asked.
    #[error(transparent)]
    Ask(#[from] crate::modes::AskError),
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
}

impl Error {
    /// The failure of a session file behind this, if it is one.
    pub(super) fn as_session(&self) -> Option<&pi_coding_agent::session::Error> {
        match self {
            Self::Library(error) => error.as_session(),
            _ => None,
        }
    }
}

impl From<pi_coding_agent::session::Error> for Error {
    fn from(error: pi_coding_agent::session::Error) -> Self {
        Self::Library(error.into())
    }
}

impl From<pi_coding_agent::SessionIdError> for Error {
    fn from(error: pi_coding_agent::SessionIdError) -> Self {
        Self::Library(error.into())
    }
}
