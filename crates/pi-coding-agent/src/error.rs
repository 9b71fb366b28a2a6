//! What can go wrong, one variant per condition.
//!
//! Every text names the thing and, where there is one, the way out. Some texts are part of the interface: clients
//! match on them, so they carry the wording of the specification.

mod export;
mod extension;
mod package;
mod session_id;
mod way_out;

use std::io;
use std::path::PathBuf;

use crate::session::ReadOnly;
pub use export::ExportError;
pub use extension::ExtensionCallError;
pub use package::PackageError;
pub use session_id::SessionIdError;
use way_out::{read_only_reason, way_to_key};

/// A failure of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An extension asks for what it cannot have.
    #[error(transparent)]
    Extension(#[from] ExtensionCallError),
    /// The directory for session files cannot be made or written to.
    #[error(
        "Cannot write to the session directory {}: {source}. Choose another one with --session-dir, or keep nothing with --no-session.",
        .path.display()
    )]
    SessionDirectory {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A session file cannot be opened or read.
    #[error("Cannot open session file {}: {source}", .path.display())]
    SessionOpen {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Entries could not be written. They are kept in memory and go out with the next write.
    #[error(
        "Cannot write to session file {}: {source}. The entry is kept in memory and written again with the next one.",
        .path.display()
    )]
    SessionWrite {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file exists but holds something else than a session.
    #[error(
        "Not a session file: {}: {reason}. It was left untouched; name another file, or move this one away first.",
        .path.display()
    )]
    SessionInvalid {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// Another process, or another session of this one, has the file open for writing.
    #[error("Session file {} is in use by {}. Close that session, fork it, or start a new one.",
        .path.display(), way_out::holder_name(*.pid))]
    SessionLocked {
        /// The file.
        path: PathBuf,
        /// The process that holds it, where the system tells.
        pid: Option<u32>,
    },
    /// A session file has changed under a reader or a writer, although it was locked.
    #[error(
        "Session file {} was changed by another program while it was open. What was appended is safe; open the session again to see all of it.",
        .path.display()
    )]
    SessionChanged {
        /// The file.
        path: PathBuf,
    },
    /// Nobody can be asked which session is meant.
    #[error("--resume needs a terminal to choose in. Name a session with --session ID; pi session ls lists them")]
    NotATerminal,
    /// Nothing can be appended to this session.
    #[error("Session file {} is open for reading only{}", .path.display(), read_only_reason(*.reason, .path))]
    SessionReadOnly {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: ReadOnly,
    },
    /// There is nothing in a file to fork. Clients match on the first part of the text.
    #[error("Cannot fork: source session {what}: {}", .path.display())]
    ForkSource {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        what: &'static str,
    },
    /// Nothing fits what was asked for. Clients match on the first line of the text.
    #[error("No session found matching '{wanted}'\n`pi session ls --all` lists the sessions there are.")]
    NoSuchSession {
        /// A path, an id or the start of one.
        wanted: String,
    },
    /// A new session cannot have the id of another one. Clients match on this text.
    #[error("Session already exists with id '{id}'")]
    SessionExists {
        /// The id.
        id: String,
    },
    /// Options that contradict each other. Clients match on this text.
    #[error("{option} cannot be combined with {others}")]
    OptionsExclude {
        /// The option.
        option: &'static str,
        /// Those that it excludes.
        others: String,
    },
    /// A file holds nothing that a repair could save.
    #[error("Nothing to repair in {}: it holds neither a session header nor an entry.", .path.display())]
    NothingToRepair {
        /// The file.
        path: PathBuf,
    },
    /// A repair never writes over a file.
    #[error("{} exists already: name a new file for the repaired session.", .path.display())]
    RepairTargetExists {
        /// The file.
        path: PathBuf,
    },
    /// A session cannot have the id that was asked for.
    #[error(transparent)]
    SessionId(#[from] SessionIdError),
    /// No entry has this id.
    #[error("Entry {id} not found")]
    EntryNotFound {
        /// The id.
        id: String,
    },
    /// A search that asks for nothing.
    #[error("Nothing to search for. Give a word, a \"phrase\", or re: and a regular expression.")]
    SearchEmpty,
    /// The regular expression of a search is none.
    #[error(
        "Not a regular expression: {pattern}: {reason}, at character {position}. Without re: it is searched as text."
    )]
    SearchPattern {
        /// The pattern.
        pattern: String,
        /// Where in it, in characters from 1.
        position: usize,
        /// What is wrong.
        reason: String,
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
    /// The directory that a session belongs to is gone.
    #[error(
        "Stored session working directory does not exist: {}\nSession file: {}\nCurrent working directory: {}",
        .session_cwd.display(), .session_file.display(), .fallback_cwd.display()
    )]
    MissingSessionCwd {
        /// The session file.
        session_file: PathBuf,
        /// The directory it names.
        session_cwd: PathBuf,
        /// The directory that could be used instead.
        fallback_cwd: PathBuf,
    },
    /// Data of an extension that could not be read again.
    #[error(
        "The data of the entry is nested too deeply: a session entry has at most {levels} levels. Flatten it, or store it as JSON text"
    )]
    EntryTooDeep {
        /// Levels that an entry may have, itself included.
        levels: usize,
    },
    /// A value cannot be put into JSON.
    #[error("Cannot write {what} as JSON: {source}")]
    Serialize {
        /// What was to be written.
        what: &'static str,
        /// What the serialiser said.
        source: serde_json::Error,
    },
    /// A file cannot be read.
    #[error("Cannot read {}: {source}", .path.display())]
    FileRead {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("Cannot write {}: {source}", .path.display())]
    FileWrite {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that was named does not exist. Clients match on this text.
    #[error("File not found: {}", .path.display())]
    NoSuchFile {
        /// The file, absolute.
        path: PathBuf,
    },
    /// A session cannot be exported or imported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Another process holds the lock of a file for too long.
    #[error("{} is locked by another process. If none is running, remove {}.", .path.display(), .lock.display())]
    FileLocked {
        /// The file.
        path: PathBuf,
        /// The directory that is the lock.
        lock: PathBuf,
    },
    /// Another process keeps this lock, a directory, and it is waited for.
    #[error("Waiting for {}: another program is renewing a login, or was killed meanwhile, which shows after half a minute", .0.display())]
    WaitingForLock(PathBuf),
    /// A configuration file is not a JSON object.
    #[error("{} is not valid: {detail}", .path.display())]
    InvalidJson {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column where known.
        detail: String,
    },
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
    /// A cassette cannot be used.
    #[error(transparent)]
    Cassette(pi_ai::Error),
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
    /// A package cannot be installed, removed or read.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// A storage of the program's own has failed.
    #[error(transparent)]
    Storage(#[from] crate::storage::StorageError),
    /// A theme cannot be used.
    #[error(transparent)]
    Theme(#[from] crate::theme::ThemeError),
}
