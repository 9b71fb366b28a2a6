//! Why settings, models, keys or logins fail. Every text names the thing and, where there is one, the way out.

use std::path::PathBuf;

/// A failure of what the user configured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file, a lock or a value of JSON.
    #[error(transparent)]
    Host(#[from] crate::host::Error),
    /// Another process keeps this lock, a directory, and it is waited for.
    #[error("Waiting for {}: another program is renewing a login, or was killed meanwhile, which shows after half a minute", .0.display())]
    WaitingForLock(PathBuf),
    /// A file that could not be read must not be overwritten.
    #[error("{} is not saved: the file could not be read, so it is left as it is. Repair it first.", .path.display())]
    NotOverwritten {
        /// The file.
        path: PathBuf,
    },
    /// A project's settings may not be written before the project is trusted.
    #[error("Project is not trusted; refusing to write project settings")]
    ProjectNotTrusted,
    /// A setting holds something unusable.
    #[error("Invalid {key} setting: {value}")]
    InvalidSetting {
        /// The key.
        key: String,
        /// Its value.
        value: String,
    },
    /// What an extension said of a provider does not hold together.
    #[error("{reason}")]
    Provider {
        /// What is wrong, with the provider's name.
        reason: String,
    },
    /// A configured key or header cannot be resolved.
    #[error("Failed to resolve {what}{cause}")]
    ConfigValue {
        /// For example `API key for provider "p"`.
        what: String,
        /// Why, starting with a blank; empty when there is nothing to add.
        cause: String,
    },
    /// The key of a provider is said to be in the system's keyring, and could not be read or stored there.
    #[error("The key of provider \"{provider}\" is in the system keyring: {reason}")]
    Keyring {
        /// Provider id.
        provider: String,
        /// What is wrong, and the way out where there is one.
        reason: String,
    },
    /// A stored key cannot be resolved, and another source has taken its place.
    #[error("{reason}; {replacement} is used instead. Correct or remove the entry in auth.json.")]
    StoredKeyReplaced {
        /// Why the stored key cannot be resolved.
        reason: String,
        /// What is used, in words.
        replacement: String,
    },
    /// A stored login has run out and could not be renewed; it is stored as it was. Clients match on the first sentences.
    #[error(
        "Authentication failed for \"{provider}\". Credentials may have expired or network is unavailable. Run '/login {provider}' to re-authenticate. ({source})"
    )]
    OAuthRefresh {
        /// Provider id.
        provider: String,
        /// Why; without tokens.
        source: pi_ai::Error,
    },
    /// A login failed or was cancelled.
    #[error(transparent)]
    Login(pi_ai::Error),
    /// A request needs a key and there is none.
    #[error("No API key found for \"{provider}\"")]
    MissingKey {
        /// Provider id.
        provider: String,
    },
    /// `models.json` is not JSON.
    #[error("Failed to parse models.json: {detail}\n\nFile: {}", .path.display())]
    ModelsSyntax {
        /// The file.
        path: PathBuf,
        /// What the parser said, with line and column.
        detail: String,
    },
    /// `models.json` is JSON of the wrong shape.
    #[error("Invalid models.json schema:\n{}\n\nFile: {}", .problems.join("\n"), .path.display())]
    ModelsSchema {
        /// The file.
        path: PathBuf,
        /// One line per problem: `  - path: message`.
        problems: Vec<String>,
    },
    /// `models.json` contradicts itself or lacks something.
    #[error("Failed to load models.json: {detail}\n\nFile: {}", .path.display())]
    ModelsSemantics {
        /// The file.
        path: PathBuf,
        /// What is wrong with which provider and model.
        detail: String,
    },
    /// There is nothing to choose a model from.
    #[error("No models available. Check your installation or add models to models.json.")]
    NoModels,
    /// No model belongs to this provider.
    #[error("Unknown provider \"{provider}\". Use --list-models to see available providers/models.")]
    UnknownProvider {
        /// The name as given.
        provider: String,
    },
    /// No model matches.
    #[error("Model \"{model}\" not found. Use --list-models to see available models.")]
    ModelNotFound {
        /// The pattern, with its provider if one was given.
        model: String,
    },
    /// A storage of the program's own has failed.
    #[error(transparent)]
    Storage(#[from] super::storage::StorageError),
}
