//! Session files: entries, the append-only log, recovery, the branch that makes up the context.
//!
//! A session file is a list of JSON lines that only grows. The raw line of an entry is kept as it is; what this
//! version understands of it is parsed on demand. Everything here does blocking file I/O of small size.
//!
//! # Layout
//! `header`, `entry`, `kind`, `record`, `fast_tree_fields`, `tree_fields`: what a line is. `salvage`, `scan`, `read`, `migrate`: from the
//! bytes of a whole file to entries. `backward`, `tail`, `index`, `store`, `ancestors`: the same for as much of a file as is asked for.
//! `empty_file`: files without any entry. `lock`, `claim`, `log`, `read_only`, `identity`, `durability`, `repair`: from entries to bytes;
//! `rescue`: when the file is lost meanwhile. `manager`: an open session, of `entries` and
//! `storage`; `create`, `open`, `opening`, `fork`: how it comes to be; `append`, `branch`: what changes it. `context`: what the
//! model sees of it; `effect_journal`, `interrupted_calls`: tool calls that a crash cut
//! off; `tree`: all of it, branches included. `recent`, `find`, `list`: which sessions there are. `search`: what was said
//! in them. `doctor`: what is wrong with a file, and a repaired copy.
//!
//! # How a line is read
//! A file is split into lines in four ways, because its readers start at different places:
//!
//! | Lines from | Used by | Why it is separate |
//! |---|---|---|
//! | `bounded_line` | `scan`, `doctor` | the file from its start, one line in memory |
//! | `backward` | `ancestors`, `store`, `tail` | the end of a big file without its beginning |
//! | `index::part` | `index` | stretches of the file on several threads, with the offset of each line |
//! | `list::lines` | `list`, `search` | any file of the directory: reused buffer, other line ends, a lower limit |
//!
//! What a line holds is read by the first rung of this ladder that gives what the caller needs. A rung that does not
//! recognise a line leaves it to the next one; only the last ones read everything. The first three exist for speed:
//!
//! | Rung | Reads | Used by |
//! |---|---|---|
//! | `list::ends` | role and time of a message, from both ends of the line, nothing parsed | `list`, filter of `search` |
//! | `fast_tree_fields` | type, id and parent, from one end of the line, nothing parsed | `index`, `ancestors`, `record` |
//! | `list::usual` | the text of a message, the rest of the line skipped | `search`, first message of `list` |
//! | `tree_fields` | type, id, parent and time, however the line is written | `record`, `doctor` |
//! | `list::light_entry` | name or message of every object of a line | `list`, `search` |
//! | `record::parse_lenient` | a whole object as a Rust type: header, entry, what `totals` counts | everyone who needs content |
//! | `raw_object` | a whole object whose values stay text, to change one key | `fork`, `migrate`, `doctor`, `rescue` |
//! | `salvage` | the objects of a damaged line, and the damage | `scan`, `index`, `doctor`, `list::light_entry` |
//!
//! The tests in `index_agreement_tests` check that reading backwards and reading through the index give the same answers, whatever the
//! file looks like.

mod ancestors;
mod append;
mod backward;
mod bounded_line;
mod branch;
mod claim;
mod context;
mod context_edit;
mod create;
mod damage_warnings;
pub mod doctor;
mod durability;
mod effect_journal;
mod empty_file;
mod entries;
mod entry;
mod error;
mod fast_tree_fields;
mod find;
mod fork;
mod header;
mod id_error;
mod identity;
mod index;
#[cfg(test)]
mod index_agreement_tests;
mod interrupted_calls;
mod kind;
mod list;
mod lock;
mod log;
mod manager;
mod memory;
pub mod messages;
mod migrate;
mod missing_cwd;
mod open;
mod opening;
mod private;
mod raw_object;
mod read;
mod read_only;
mod recent;
mod record;
pub mod removal;
mod repair;
mod rescue;
mod salvage;
mod scan;
mod search;
mod storage;
mod store;
mod tail;
mod totals;
mod tree;
mod tree_fields;

#[doc(hidden)]
pub use append::replace_log;
pub use append::{Append, BranchSummary, Compaction, CustomMessageContent};
pub use context::{ModelReference, SessionContext};
pub(crate) use context_edit::ContextEdits;
pub(crate) use damage_warnings::complaints;
pub use durability::Durability;
pub(crate) use effect_journal::{EffectLog, only_reads};
pub use empty_file::is_only_begun;
pub use entries::Entries;
pub use entry::{
    BranchSummaryEntry, CompactionEntry, CustomEntry, CustomMessageEntry, LabelEntry, MessageEntry, ModelChangeEntry,
    SessionEntry, SessionInfoEntry, ThinkingLevelEntry,
};
pub use error::Error;
#[cfg(feature = "acp")]
pub(crate) use find::find_session_anywhere;
pub use find::{SessionMatch, find_session};
pub(crate) use header::LONGEST_SESSION_ID;
pub use header::SessionHeader;
pub use id_error::SessionIdError;
pub use identity::FileId;
pub use list::{SessionInfo, list_all_sessions, list_sessions};
pub(crate) use lock::is_unsupported as is_lock_unsupported;
pub use lock::patiently;
pub use log::{LogFile, SessionLog, Written};
pub(crate) use manager::reopened;
pub use manager::{LoadReport, NewSession, SessionHost, SessionManager};
pub use missing_cwd::{MissingCwd, settle_cwd};
pub use read::{LoadedSession, load_session};
pub use read_only::ReadOnly;
pub use record::StoredEntry;
pub(crate) use record::without_lone_surrogates;
pub use scan::LineProblem;
pub use search::{
    FoundSession, SearchHit, SearchOptions, SearchQuery, SearchResults, SearchRole, SearchScope, search_sessions,
};
pub use storage::SessionStorage;
pub use totals::{MessageTotals, TokenTotals};
pub use tree::{SessionTree, TreeLabel};
